package org.gelato.ce.cli.protocol;

import org.gelato.ce.cli.arcrest.ArcRestConnector;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.credential.BearerToken;
import org.gelato.ce.cli.credential.Credentials;
import org.gelato.ce.cli.soap.SoapConnector;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.Protocol;

/**
 * Opens clients of the protocol that the user names, else of the one that the CE's address names, else of the one that his
 * credential is for: CREAM2 for a proxy, ARC REST for a token alone. The classes of the other one are not loaded.
 */
public final class ProtocolConnector implements CliContext.Connector {
    @Override
    public ComputingElement connect(Endpoint endpoint, CommonOptions options, CliContext context) {
        return switch (choose(endpoint, options, context)) {
            case ARCREST -> new ArcRestConnector().connect(endpoint, options, context);
            case CREAM2, AUTO -> new SoapConnector().connect(endpoint, options, context);
        };
    }

    private static Protocol choose(Endpoint endpoint, CommonOptions options, CliContext context) {
        Protocol wanted = options.protocol(endpoint, context.environment());
        if (wanted != Protocol.AUTO) {
            return wanted;
        }
        boolean tokenAlone = !Credentials.hasProxy(options, context)
                && BearerToken.find(context.environment()).isPresent();
        return tokenAlone ? Protocol.ARCREST : Protocol.CREAM2;
    }
}
