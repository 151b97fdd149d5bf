package org.gelato.ce.cli.soap;

import java.util.Optional;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
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
import org.gelato.ce.cli.input.InputService;
import org.gelato.ce.cli.output.OutputService;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wsdl.cream2.Cream2;

/** Opens SOAP clients with the user's proxy, or with a bearer token where there is no proxy. */
public final class SoapConnector implements CliContext.Connector {
    /** Kept here, as the logging system itself holds loggers weakly and would forget the level. */
    private final Logger metro = Logger.getLogger("com.sun.xml.ws");

    @Override
    public ComputingElement connect(Endpoint endpoint, CommonOptions options, CliContext context) {
        // It warns of the wire's two operations without body at each start.
        metro.setLevel(options.debug() ? Level.WARNING : Level.OFF);
        Future<Cream2> cream2 = SoapPorts.prepare();
        Credentials user = Credentials.proxyElseToken(options, context);
        Access access = user.access(options, context);
        SSLSocketFactory sockets = access.tls().getSocketFactory();
        HttpsGet reader = new HttpsGet(endpoint, sockets, access, options.timeout());
        return new SoapComputingElement(
                new SoapPorts(endpoint, sockets, access.headers(), options.timeout(), cream2),
                new Repetition(context.pause()),
                new HttpsServices(
                        new OutputService(reader, context.pause()),
                        new InputService(reader, new HttpsPut(endpoint, access, options.timeout()), context.pause()),
                        new ExplainService(reader),
                        new SiteJobsService(reader),
                        new SiteControlService(reader),
                        cursor -> HttpsEvents.open(endpoint, access, options.timeout(), cursor),
                        new HttpsMessages(endpoint, access, options.timeout())),
                user.proxy() == null ? Optional.empty() : Optional.of(csr -> user.sign(csr, context)));
    }
}
