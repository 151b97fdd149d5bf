package org.gelato.ce.core.admission;

import org.gelato.ce.core.identity.Caller;

/** Whether new jobs may come in now. Asked at register; thread-safe and quick. */
public interface Admission {
    /**
     * @param jobs how many the caller wants to register
     * @throws org.gelato.ce.core.job.ServiceException.SubmissionDisabled with the measured value and the limit, or who
     *     disabled submission
     */
    void admit(Caller caller, int jobs);

    /** What service-info shows. */
    State state();

    /**
     * @param accepting whether jobs are accepted
     * @param message why not; null when they are
     * @param thresholds the limits and measured values, one per line
     */
    record State(boolean accepting, String message, String thresholds) {}
}
