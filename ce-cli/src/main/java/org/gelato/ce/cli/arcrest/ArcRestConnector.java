package org.gelato.ce.cli.arcrest;

import java.util.Optional;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.credential.Credentials;
import org.gelato.ce.cli.http.Access;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.http.HttpsPut;
import org.gelato.ce.cli.http.Repetition;
import org.gelato.ce.cli.submission.InputService;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;

/** Opens clients of ARC REST with the user's proxy, bearer token, or both. */
public final class ArcRestConnector implements CliContext.Connector {
    private final Optional<CliContext.Connector> other;

    /** @param other of a protocol that has what ARC REST lacks; empty where the user wants this one */
    public ArcRestConnector(Optional<CliContext.Connector> other) {
        this.other = other;
    }

    @Override
    public ComputingElement connect(Endpoint endpoint, CommonOptions options, CliContext context) {
        Credentials user = Credentials.all(options, context);
        Access access = user.access(options, context);
        HttpsGet files = new HttpsGet(endpoint, access.tls().getSocketFactory(), access, options.timeout());
        HttpsPut uploads = new HttpsPut(endpoint, access, options.timeout());
        Repetition repetition = new Repetition(context.pause());
        ArcCalls calls = new ArcCalls(endpoint, access, options.timeout());
        return new ArcComputingElement(
                calls,
                new ArcSession(calls, files, new InputService(files, uploads, repetition), context),
                new ArcDelegations(calls, repetition, user.proxy() == null ? null : csr -> user.sign(csr, context)),
                other.map(connector -> () -> connector.connect(endpoint, options, context)));
    }
}
