package org.gelato.ce.ws.token;

import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;

/** A request with a token that is refused, or with no credential where tokens are accepted: the response names what is expected. */
public final class Unauthenticated extends ServiceException.NotAuthorized {
    private static final long serialVersionUID = 1L;

    private final TokenRefusal refusal;

    private Unauthenticated(FaultCode code, String description, TokenRefusal refusal) {
        super(code, description);
        this.refusal = refusal;
    }

    /** The token is refused; another one does not help where the keys of the issuer are away. */
    public static Unauthenticated refused(TokenRefusal refusal) {
        boolean passes = refusal.kind() == TokenRefusal.Kind.KEYS_UNAVAILABLE;
        return new Unauthenticated(
                passes ? FaultCode.NOT_AUTHORIZED : FaultCode.TOKEN_REFUSED,
                "the bearer token is not accepted: " + refusal.getMessage(),
                refusal);
    }

    /** There is neither token nor certificate. */
    public static Unauthenticated missing(String description) {
        return new Unauthenticated(FaultCode.CREDENTIAL_MISSING, description, null);
    }

    /** Null where there was no credential. */
    TokenRefusal refusal() {
        return refusal;
    }
}
