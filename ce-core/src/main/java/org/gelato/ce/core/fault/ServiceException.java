package org.gelato.ce.core.fault;

import java.util.List;
import org.gelato.ce.json.FaultCode;

/** The whole call failed, for what its code says; each protocol has its own texts and statuses for the codes. */
public class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 2L;
    private final FaultCode code;
    private final String faultCause;

    /** A failure whose description is complete. */
    public ServiceException(FaultCode code, String description) {
        this(code, description, null);
    }

    public ServiceException(FaultCode code, String description, String faultCause) {
        super(description);
        this.code = code;
        this.faultCause = faultCause;
    }

    /** {@link FaultCode#INVALID_ARGUMENT} */
    public static ServiceException invalid(String description) {
        return new ServiceException(FaultCode.INVALID_ARGUMENT, description);
    }

    /** {@link FaultCode#SUBMISSION_DISABLED} */
    public static ServiceException disabled(String cause) {
        return new ServiceException(FaultCode.SUBMISSION_DISABLED, "no new jobs are accepted now", cause);
    }

    /** {@link FaultCode#INTERNAL} */
    public static ServiceException internal(String description, Throwable why) {
        ServiceException failed = new ServiceException(FaultCode.INTERNAL, description);
        failed.initCause(why);
        return failed;
    }

    public final FaultCode code() {
        return code;
    }

    /** The reason behind the description; null when the description is complete. */
    public final String faultCause() {
        return faultCause;
    }

    /** The caller may not do this. */
    public static class NotAuthorized extends ServiceException {
        private static final long serialVersionUID = 2L;
        private final String scope;

        public NotAuthorized(String description) {
            this(FaultCode.NOT_AUTHORIZED, description);
        }

        public NotAuthorized(FaultCode code, String description) {
            this(code, description, "Authorization error", null);
        }

        public NotAuthorized(String description, String cause) {
            this(FaultCode.NOT_AUTHORIZED, description, cause, null);
        }

        private NotAuthorized(FaultCode code, String description, String cause, String scope) {
            super(code, description, cause);
            this.scope = scope;
        }

        /**
         * A refusal of a bearer token that lacks a capability scope.
         *
         * @param ignored scopes of the token that do not count, few and short; in printable ASCII
         */
        public static NotAuthorized lacking(String scope, List<String> ignored) {
            return new NotAuthorized(
                    FaultCode.SCOPE_MISSING,
                    "this operation needs a token with the scope " + scope + doNotCount(ignored),
                    "Authorization error",
                    scope);
        }

        /** What to say of scopes of a token that do not count; empty for none. */
        public static String doNotCount(List<String> scopes) {
            return scopes.isEmpty()
                    ? ""
                    : "; of this token do not count: " + String.join(", ", scopes)
                            + " (a scope has no path here, and letter case counts)";
        }

        /** The capability scope that the token lacks; null for any other reason. */
        public final String scope() {
            return scope;
        }
    }

    /** The delegation service refuses; the message is the text clients match on. */
    public static final class DelegationRefused extends ServiceException {
        private static final long serialVersionUID = 2L;

        public DelegationRefused(String message) {
            this(FaultCode.DELEGATION_REFUSED, message);
        }

        public DelegationRefused(FaultCode code, String message) {
            super(code, message);
        }
    }
}
