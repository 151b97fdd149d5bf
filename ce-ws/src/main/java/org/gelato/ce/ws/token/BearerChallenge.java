package org.gelato.ce.ws.token;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.gelato.ce.core.fault.ServiceException.NotAuthorized;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.Refusal;

/** The headers of a response to a request whose token is missing or refused; RFC 6750 section 3. */
public final class BearerChallenge {
    private static final String REALM = "Bearer realm=\"ce\"";
    private static final String AUTHENTICATE = "WWW-Authenticate";
    private static final int RETRY_SECONDS = 60;

    private BearerChallenge() {}

    /**
     * Sets the headers of a call that failed, and says its status.
     *
     * @return {@link HttpFaults#status} where tokens have nothing to do with it
     */
    public static int apply(HttpServletResponse response, Throwable failure) {
        FaultCode code = HttpFaults.code(failure);
        HttpFaults.mark(response, code);
        if (failure instanceof NotAuthorized reason) {
            return apply(response, reason);
        }
        return failure instanceof Refusal own ? own.status() : HttpFaults.status(code);
    }

    private static int apply(HttpServletResponse response, NotAuthorized reason) {
        if (reason instanceof Unauthenticated e) {
            TokenRefusal refusal = e.refusal();
            if (refusal == null) {
                response.setHeader(AUTHENTICATE, withoutCredentials());
                return HttpServletResponse.SC_UNAUTHORIZED;
            }
            of(refusal).ifPresent(value -> response.setHeader(AUTHENTICATE, value));
            retryAfter(refusal).ifPresent(s -> response.setHeader("Retry-After", s.toString()));
            return refusal.kind().status();
        }
        if (reason.scope() != null) {
            response.setHeader(
                    AUTHENTICATE,
                    REALM + ", error=\"insufficient_scope\", error_description=\"" + reason.getMessage()
                            + "\", scope=\"" + reason.scope() + "\"");
        }
        return HttpServletResponse.SC_FORBIDDEN;
    }

    /** The value of {@code WWW-Authenticate} for a request without credentials, which gets the status 401. */
    public static String withoutCredentials() {
        return REALM;
    }

    /** The value of {@code WWW-Authenticate}; empty where another token would not help. */
    public static Optional<String> of(TokenRefusal refusal) {
        return switch (refusal.kind()) {
            case INVALID_REQUEST -> Optional.of(error("invalid_request", refusal));
            case INVALID_TOKEN -> Optional.of(error("invalid_token", refusal));
            case KEYS_UNAVAILABLE -> Optional.empty();
        };
    }

    /** The value of {@code Retry-After}, in seconds; empty when trying again does not help. */
    public static Optional<Integer> retryAfter(TokenRefusal refusal) {
        return refusal.kind() == TokenRefusal.Kind.KEYS_UNAVAILABLE ? Optional.of(RETRY_SECONDS) : Optional.empty();
    }

    private static String error(String code, TokenRefusal refusal) {
        return REALM + ", error=\"" + code + "\", error_description=\"" + refusal.getMessage() + "\"";
    }
}
