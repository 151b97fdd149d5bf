package org.gelato.ce.ws.token;

import java.util.Optional;

/** The headers of an answer to a request whose token is missing or refused; RFC 6750 section 3. */
public final class BearerChallenge {
    private static final String REALM = "Bearer realm=\"ce\"";
    private static final int RETRY_SECONDS = 60;

    private BearerChallenge() {}

    /** The value of {@code WWW-Authenticate} for a request without credentials, which gets the status 401. */
    public static String withoutCredentials() {
        return REALM;
    }

    /** The value of {@code WWW-Authenticate}; empty where another token would not help. */
    public static Optional<String> of(TokenRefusal refusal) {
        return switch (refusal.kind()) {
            case INVALID_REQUEST -> Optional.of(error("invalid_request", refusal));
            case INVALID_TOKEN -> Optional.of(error("invalid_token", refusal));
            case INSUFFICIENT_SCOPE ->
                Optional.of(error("insufficient_scope", refusal) + ", scope=\""
                        + refusal.scope().word() + "\"");
            case NO_RULE, KEYS_UNAVAILABLE -> Optional.empty();
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
