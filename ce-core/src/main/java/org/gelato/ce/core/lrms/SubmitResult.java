package org.gelato.ce.core.lrms;

import org.gelato.ce.core.account.AccountCommandException;

/** What became of one hand-over. */
public sealed interface SubmitResult {
    /** The batch system has the job. */
    record Accepted(String lrmsId) implements SubmitResult {}

    /**
     * It refused this job, and surely has not got it.
     *
     * @param reason its text, or the site's
     * @param again whether it may take the job another time, as the text alone does not say that it never will: it is tried a few
     *     times before the job ends with the text
     */
    record Refused(String reason, boolean again) implements SubmitResult {
        /** It will never take this job. */
        public Refused(String reason) {
            this(reason, false);
        }
    }

    /**
     * It did not take the job now by no fault of the job, and surely has not got it; try again until it does. Of a refusal only where the
     * batch system itself defines it, never by words that a site writes.
     *
     * @param scope whose other jobs it would not take now either; believed when a second one was not taken
     */
    record Unavailable(String reason, Scope scope) implements SubmitResult {
        /** A fault of the whole batch system, not of a queue or an account. */
        public Unavailable(String reason) {
            this(reason, Scope.LRMS);
        }
    }

    /** Nobody knows whether it took the job: look the tag up before the next try. */
    record Unclear(String reason) implements SubmitResult {}

    /** What a fault concerns. */
    enum Scope {
        /** The batch system as a whole, or it is not known what else. */
        LRMS,
        /** The file system of all sandboxes, as the helper says: it is known at once that the next job meets the same. */
        SANDBOXES,
        /** The queue, whoever uses it. */
        QUEUE,
        /** The local account, whatever queue it uses. */
        ACCOUNT,
        /** The local account in this queue; others there and its other queues may work. */
        ACCOUNT_IN_QUEUE;

        /**
         * Of work that the helper did not do as an account, so that the batch system got nothing. A disk without room is nobody's own, as
         * sandboxes share it; a quota is.
         */
        public static Scope ofFailure(Throwable failure) {
            if (failure instanceof AccountCommandException e && e.code() != AccountCommandException.Code.BUSY) {
                return String.valueOf(e.getMessage()).contains(DISK_IS_FULL) ? SANDBOXES : ACCOUNT;
            }
            return LRMS;
        }

        /** As the system says it. */
        private static final String DISK_IS_FULL = "No space left on device";
    }
}
