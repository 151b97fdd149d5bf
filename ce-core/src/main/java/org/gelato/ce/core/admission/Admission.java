package org.gelato.ce.core.admission;

import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.identity.Caller;

/** Whether the CE accepts new jobs now. Checked at register; thread-safe and quick. */
public interface Admission {
    /**
     * @param jobs how many the caller wants to register
     * @throws org.gelato.ce.core.fault.ServiceException SUBMISSION_DISABLED with the measured value and the limit, or who
     *     disabled submission
     */
    void admit(Caller caller, int jobs);

    /**
     * Counts jobs as active that are about to be stored, which their descriptions did not do before they were checked: what is refused takes no
     * place of others.
     *
     * @param jobs how many; not negative
     * @return closed when they were stored or will not be
     * @throws org.gelato.ce.core.fault.ServiceException SUBMISSION_DISABLED as {@link #admit}
     */
    Places reserve(int jobs);

    /** Jobs that are counted as active while they are stored. For one thread. */
    interface Places extends AutoCloseable {
        /** They were stored, and count until a sample counts their rows. */
        void stored();

        /** Those that were not stored count no longer. */
        @Override
        void close();
    }

    /**
     * Opens or closes the CE for new jobs, on all nodes and over restarts.
     *
     * @param accepting true: the limits decide again; false: no new jobs until an administrator opens it again
     * @throws org.gelato.ce.core.fault.ServiceException.NotAuthorized for a caller who is no administrator
     */
    void open(Caller caller, boolean accepting);

    /** Why a queue gets no new jobs from anybody; empty when it does. */
    Optional<String> refusal(String queue);

    /** The queues and VOs that are drained, a text for users each. */
    List<String> drained();

    /** Whether submission is open and why, as {@code service-info} shows it. */
    State state();

    /**
     * @param accepting whether jobs are accepted
     * @param message why not; null when they are
     * @param thresholds the limits and measured values, one per line
     */
    record State(boolean accepting, String message, String thresholds) {}
}
