package org.gelato.ce.it.history;

/**
 * What no run of the model explains.
 *
 * @param job null where it is of no single job
 */
record Violation(Kind kind, String job, String text) {
    enum Kind {
        /** An answer that the model does not have. */
        UNEXPLAINED,
        /** A job that is gone without a purge, never ended, or is said to have run and did not. */
        LOST,
        /** A payload that began twice, or without a start; a registration that made two jobs. */
        DOUBLED,
        /** A job in no registration. */
        STRANGER,
        /** A confirmed purge that left the job. */
        NOT_PURGED,
        /** Events that come out of order or change. */
        EVENT_ORDER,
        /** An event that a reader was not shown. */
        EVENT_GAP,
        /** Events of a job that are no life of a job, or do not agree with its answers. */
        EVENT_STATES,
        /** A message that is another job's, or changes, or comes out of order. */
        MESSAGE_ORDER,
        /** A message that a reader was not shown. */
        MESSAGE_GAP,
        /** A usage record that disagrees with what ran. */
        USAGE,
        /** A request by credentials that had ended. */
        ADMITTED,
        /** A request refused that nothing speaks against. */
        REFUSED
    }

    @Override
    public String toString() {
        return kind + (job == null ? "" : " " + job) + ": " + text;
    }
}
