package org.gelato.ce.core.fault;

import java.util.List;

/**
 * The whole call failed. One subclass per kind; each protocol has its own codes and texts for
 * them.
 */
public abstract class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String faultCause;

    protected ServiceException(String description, String faultCause) {
        super(description);
        this.faultCause = faultCause;
    }

    /** The reason behind the description; null when the description is complete. */
    public String faultCause() {
        return faultCause;
    }

    /** The caller may not do this. */
    public static class NotAuthorized extends ServiceException {
        private static final long serialVersionUID = 1L;
        private final boolean ban;
        private final String scope;

        public NotAuthorized(String description) {
            this(description, "Authorization error");
        }

        public NotAuthorized(String description, String cause) {
            this(description, cause, false, null);
        }

        /** @param ban whether a ban is the reason */
        protected NotAuthorized(String description, boolean ban) {
            this(description, "Authorization error", ban, null);
        }

        private NotAuthorized(String description, String cause, boolean ban, String scope) {
            super(description, cause);
            this.ban = ban;
            this.scope = scope;
        }

        /**
         * A refusal of a bearer token that lacks a capability scope.
         *
         * @param ignored scopes of the token that do not count, few and short; in printable ASCII
         */
        public static NotAuthorized lacking(String scope, List<String> ignored) {
            return new NotAuthorized(
                    "this operation needs a token with the scope " + scope + doNotCount(ignored),
                    "Authorization error",
                    false,
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

        /** Whether a ban is the reason. */
        public final boolean ban() {
            return ban;
        }
    }

    /** No new jobs now; the cause has the measured value and the limit, or who disabled submission. */
    public static final class SubmissionDisabled extends ServiceException {
        private static final long serialVersionUID = 1L;

        public SubmissionDisabled(String cause) {
            super("no new jobs are accepted now", cause);
        }
    }

    /** The caller's stored job descriptions leave no room for more; purged jobs make room. */
    public static final class OverQuota extends ServiceException {
        private static final long serialVersionUID = 1L;

        /** All three in bytes. */
        public OverQuota(long quota, long used, long more) {
            super(
                    "The quota of stored job descriptions is used up: purge jobs that have ended to make room",
                    "your jobs' descriptions take " + used + " of the " + quota
                            + " bytes a user may have stored, and those of this call " + more
                            + "; calls under way count");
        }
    }

    /** An argument of the call is unusable. */
    public static class InvalidArgument extends ServiceException {
        private static final long serialVersionUID = 1L;

        public InvalidArgument(String description) {
            super(description, null);
        }
    }

    /** A call is more than any call may be: nothing of it was done, and its parts may succeed one by one. */
    public static final class TooLarge extends InvalidArgument {
        private static final long serialVersionUID = 1L;

        public TooLarge(String description) {
            super(description);
        }
    }

    /** A status filter leaves nothing the command could be applied to. */
    public static final class StatusNotCompatible extends ServiceException {
        private static final long serialVersionUID = 1L;

        public StatusNotCompatible() {
            super("no job in one of the given states can take the command", null);
        }
    }

    /** A lease is unknown or cannot be set. */
    public static final class LeaseRefused extends ServiceException {
        private static final long serialVersionUID = 1L;

        public LeaseRefused(String description, String cause) {
            super(description, cause);
        }
    }

    /** The delegation service refuses; the message is the text clients match on. */
    public static final class DelegationRefused extends ServiceException {
        private static final long serialVersionUID = 1L;

        public DelegationRefused(String message) {
            super(message, null);
        }
    }

    /** An internal error; details are in the log, not in the response. */
    public static final class Internal extends ServiceException {
        private static final long serialVersionUID = 1L;

        public Internal(String description, Throwable why) {
            super(description, null);
            initCause(why);
        }
    }
}
