package org.gelato.ce.cli.credential;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.http.Access;
import org.gelato.ce.cli.terminal.CliException;

/**
 * What names the user to a CE: a proxy, a bearer token, or both.
 *
 * @param proxy null for none
 * @param token null for none
 */
public record Credentials(UserProxy proxy, BearerToken token) {
    /**
     * A proxy, and a token only where there is no proxy: for a protocol in which the proxy is the identity.
     *
     * @throws CliException when there is neither, or when what there is can't be used
     */
    public static Credentials proxyElseToken(CommonOptions options, CliContext context) {
        if (!hasProxy(options, context)) {
            Optional<BearerToken> token = BearerToken.find(context.environment());
            if (token.isPresent()) {
                return new Credentials(null, token.get().valid(context.clock().instant()));
            }
        }
        return new Credentials(load(options, context), null);
    }

    /**
     * All that there is: for a protocol in which a token authorizes and a proxy is delegated. A proxy that can't be used and that
     * the command line does not name is left out where there is a token, with a word on it.
     *
     * @throws CliException when there is neither, or when what there is can't be used
     */
    public static Credentials all(CommonOptions options, CliContext context) {
        BearerToken token = BearerToken.find(context.environment())
                .map(t -> t.valid(context.clock().instant()))
                .orElse(null);
        if (token == null) {
            return new Credentials(load(options, context), null);
        }
        if (!hasProxy(options, context)) {
            return new Credentials(null, token);
        }
        try {
            return new Credentials(load(options, context), token);
        } catch (CliException e) {
            if (options.proxy().isPresent()) {
                throw e;
            }
            context.err().println("ce: only the token of " + token.source() + " is used: " + e.getMessage());
            return new Credentials(null, token);
        }
    }

    /** Whether there is a file for a proxy, usable or not. */
    public static boolean hasProxy(CommonOptions options, CliContext context) {
        return options.proxy().isPresent() || Files.exists(place(options, context));
    }

    private static Path place(CommonOptions options, CliContext context) {
        return UserProxy.locate(options.proxy(), context.environment());
    }

    private static UserProxy load(CommonOptions options, CliContext context) {
        return UserProxy.load(place(options, context), context.clock());
    }

    /**
     * Connections as this user.
     *
     * @throws CliException when the trusted authorities can't be used
     */
    public Access access(CommonOptions options, CliContext context) {
        Path authorities = TrustedAuthorities.locate(options.ca(), context.environment());
        TrustedAuthorities.require(authorities);
        VerifiedChains verified = new VerifiedChains(context.environment(), context.clock());
        return new Access(
                TlsClient.context(proxy, new ServerTrust(authorities, verified)), token == null ? null : token.text());
    }

    /**
     * Signs a CE's certificate request with the proxy; request and chain are PEM.
     *
     * @throws CliException also when there is no proxy
     */
    public String sign(String request, CliContext context) {
        if (proxy == null) {
            throw new CliException("there is no proxy to delegate: only the token of " + token.source()
                    + "; make one with voms-proxy-init, or submit without a delegation");
        }
        return new ProxySigner(context.clock()).sign(request, proxy);
    }
}
