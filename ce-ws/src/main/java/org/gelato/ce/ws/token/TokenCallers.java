package org.gelato.ce.ws.token;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * Finds the caller of a request by its bearer token and, without one, by its certificate. A token authorizes also where a
 * certificate was shown: the proxy is only delegated then. A token that is refused is not replaced by a certificate. What was wrong
 * with it is left at the request for the response's headers and the audit log. Any thread; may wait for keys of the issuer.
 */
public final class TokenCallers implements CallerResolver {
    private static final String AUTHORIZATION = "Authorization";
    private static final String REFUSAL = TokenRefusal.class.getName();
    private static final String TOKEN = AccessToken.class.getName();
    private static final String NO_CREDENTIALS = TokenCallers.class.getName() + ".none";
    private static final String CHAIN = "jakarta.servlet.request.X509Certificate";

    private final TokenVerifier verifier;
    private final Authorizer authorizer;
    private final CallerResolver certificates;

    /** @param certificates for requests without a token */
    public TokenCallers(TokenVerifier verifier, Authorizer authorizer, CallerResolver certificates) {
        this.verifier = verifier;
        this.authorizer = authorizer;
        this.certificates = certificates;
    }

    @Override
    public Caller resolve(HttpServletRequest request) {
        try {
            Optional<String> compact =
                    BearerHeader.token(List.copyOf(Collections.list(request.getHeaders(AUTHORIZATION))));
            if (compact.isEmpty()) {
                if (request.getAttribute(CHAIN) == null) {
                    request.setAttribute(NO_CREDENTIALS, true);
                }
                return certificates.resolve(request);
            }
            AccessToken token = verifier.verify(compact.get());
            request.setAttribute(TOKEN, token);
            return authorizer.authorize(token.identity());
        } catch (TokenRefusal e) {
            request.setAttribute(REFUSAL, e);
            // Another token does not help where the keys of the issuer are away.
            boolean passes = e.kind() == TokenRefusal.Kind.KEYS_UNAVAILABLE;
            throw new ServiceException.NotAuthorized(
                    passes ? FaultCode.NOT_AUTHORIZED : FaultCode.TOKEN_REFUSED,
                    "the bearer token is not accepted: " + e.getMessage());
        }
    }

    /** Why the token of a request was refused; empty when it was not, or there was none. */
    public static Optional<TokenRefusal> refusal(HttpServletRequest request) {
        return Optional.ofNullable((TokenRefusal) request.getAttribute(REFUSAL));
    }

    /** The verified token of a request; empty for one by certificate. */
    public static Optional<AccessToken> token(HttpServletRequest request) {
        return Optional.ofNullable((AccessToken) request.getAttribute(TOKEN));
    }

    /** Whether tokens are accepted and a request had neither token nor certificate. */
    static boolean hadNoCredentials(HttpServletRequest request) {
        return request.getAttribute(NO_CREDENTIALS) != null;
    }
}
