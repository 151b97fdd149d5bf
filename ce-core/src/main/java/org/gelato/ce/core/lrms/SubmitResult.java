package org.gelato.ce.core.lrms;

/** What became of one hand-over. */
public sealed interface SubmitResult {
    /** The batch system has the job. */
    record Accepted(String lrmsId) implements SubmitResult {}

    /** It will never take this job; its text. */
    record Refused(String reason) implements SubmitResult {}

    /** It did not take the job now, and surely has not got it; try again later. */
    record Unavailable(String reason) implements SubmitResult {}

    /** Nobody knows whether it took the job: look the tag up before the next try. */
    record Unclear(String reason) implements SubmitResult {}
}
