package org.gelato.ce.cli.soap;

import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import org.gelato.ce.cli.admin.ExplainService;
import org.gelato.ce.cli.admin.SiteControlService;
import org.gelato.ce.cli.admin.SiteJobsService;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.credential.Credentials;
import org.gelato.ce.cli.http.Access;
import org.gelato.ce.cli.http.HttpsEvents;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.http.HttpsMessages;
import org.gelato.ce.cli.http.HttpsPut;
import org.gelato.ce.cli.http.Repetition;
import org.gelato.ce.cli.submission.InputService;
import org.gelato.ce.cli.submission.OutputService;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;

/** Opens SOAP clients with the user's proxy, or with a bearer token where there is no proxy. */
public final class SoapConnector implements CliContext.Connector {
    @Override
    public ComputingElement connect(Endpoint endpoint, CommonOptions options, CliContext context) {
        Credentials user = Credentials.proxyElseToken(options, context);
        Access access = user.access(options, context);
        SSLSocketFactory sockets = access.tls().getSocketFactory();
        Repetition repetition = new Repetition(context.pause());
        HttpsGet reader = new HttpsGet(endpoint, sockets, access, options.timeout());
        return new SoapComputingElement(
                new CreamCalls(endpoint, sockets, access.headers(), options.timeout()),
                repetition,
                new HttpsServices(
                        new OutputService(reader, context),
                        new InputService(reader, new HttpsPut(endpoint, access, options.timeout()), repetition),
                        () -> new ExplainService(reader),
                        () -> new SiteJobsService(reader),
                        () -> new SiteControlService(reader),
                        cursor -> HttpsEvents.open(endpoint, access, options.timeout(), cursor),
                        () -> new HttpsMessages(endpoint, access, options.timeout())),
                user.proxy() == null ? Optional.empty() : Optional.of(csr -> user.sign(csr, context)));
    }
}
