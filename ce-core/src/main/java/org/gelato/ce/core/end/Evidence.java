package org.gelato.ce.core.end;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;

/** What one witness knows of how a job ended. The order in which it is collected does not matter, but when it was learnt. */
public sealed interface Evidence {
    /** When the CE learnt it. */
    Instant at();

    /**
     * The wrapper's own word: its event, or its exit record.
     *
     * @param ended when the job ended by the clock of its node
     * @param exitCode of the payload; null when it did not run, or that is not known
     * @param failure why the wrapper failed; null for a payload that ran and of which nothing was lost
     * @param signal that the wrapper got before its end, as {@code TERM}; null for none
     * @param warning what its user should know beside; null for nothing
     * @param isOld whether it ended so long before this CE was started that the batch system may show the job no more
     */
    record Report(
            Instant at, Instant ended, Integer exitCode, String failure, String signal, String warning, boolean isOld)
            implements Evidence {
        /** What the end of a job says that is stored by its wrapper's word. */
        public static Report of(JobRow ended) {
            boolean number = ended.status().exitCode() != null
                    && ended.status().exitCode().matches("-?[0-9]{1,9}");
            return new Report(
                    ended.since(),
                    ended.since(),
                    number ? Integer.valueOf(ended.status().exitCode()) : Integer.valueOf(0),
                    ended.state() == JobState.DONE_OK
                            ? null
                            : Objects.requireNonNullElse(ended.status().failureReason(), ""),
                    null,
                    ended.status().description(),
                    false);
        }
    }

    /**
     * The wrapper has left neither an event nor an exit record.
     *
     * @param lrmsId the batch job; null where it is not known
     * @param refusal why what lies at the record's place does not count; null for nothing there
     */
    record Silence(Instant at, String lrmsId, String refusal, Claim claim) implements Evidence {
        /** Whether a wrapper has claimed the job. */
        public boolean hasBegun() {
            return claim == Claim.WRAPPER || claim == Claim.WORKING;
        }
    }

    /** Who has claimed a job of which nothing was left. */
    enum Claim {
        NOBODY,
        /** The CE, so that no wrapper begins it any more. */
        CE,
        /** A wrapper that works no more. */
        WRAPPER,
        /** Another run of the wrapper, which may be working still. */
        WORKING
    }

    /**
     * The word of the batch system, by its list or its history.
     *
     * @param job null when the history was queried and does not know it, or there was no response for too long
     * @param text what it says, for a failure reason; null for nothing
     */
    record Word(Instant at, LrmsJob job, String text) implements Evidence {}

    /** Somebody requested a cancel of the CE. */
    record CancelRequest(Instant at) implements Evidence {
        /** That of a job which has not ended; empty for none. */
        public static Optional<CancelRequest> of(JobRow row) {
            return row.cancelReason() == null || row.state().isFinal()
                    ? Optional.empty()
                    : Optional.of(new CancelRequest(row.registration().at()));
        }
    }
}
