package org.gelato.ce.cli;

import java.util.Optional;
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
 * credential is for: CREAM2 for a proxy, ARC REST for a token alone, with CREAM2 for what that lacks. The classes of one that is not used
 * are not loaded.
 */
public final class ProtocolConnector implements CliContext.Connector {
    @Override
    public ComputingElement connect(Endpoint endpoint, CommonOptions options, CliContext context) {
        Protocol wanted = options.protocol(endpoint, context.environment());
        if (wanted == Protocol.ARCREST) {
            return new ArcRestConnector(Optional.empty()).connect(endpoint, options, context);
        }
        boolean byToken = !Credentials.hasProxy(options, context)
                && BearerToken.find(context.environment()).isPresent();
        if (wanted == Protocol.AUTO && byToken) {
            // Others than Gelato may have ARC REST alone.
            CliContext.Connector cream2 =
                    (ce, itsOptions, itsContext) -> new SoapConnector().connect(ce, itsOptions, itsContext);
            return new ArcRestConnector(Optional.of(cream2)).connect(endpoint, options, context);
        }
        return new SoapConnector().connect(endpoint, options, context);
    }
}
