package org.gelato.ce.core.lrms;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.Usage;

/**
 * A job as the batch system sees it.
 *
 * @param lrmsId the batch system's id; null only in a look-up, of a job that may be there in a form that can't be read,
 *     which is {@link State#UNKNOWN}
 * @param tag the name of the CE's job, {@code cream_nnnnnnnnn}, by whatever the batch system shows of the job that has it; null where
 *     nothing has
 * @param state never null
 * @param exitCode of an ended job where the batch system tells; null otherwise
 * @param reason the batch system's text on why a job waits or is held, on a cancellation or a failure, which users can
 *     write in part; null when there is none
 * @param workerNode null before the job ran, and of a job that waits in the queue; of a suspended job, which is {@link State#HELD}, the one
 *     it keeps
 * @param usage what an ended job used, as far as the batch system shows it; null otherwise
 * @param endedAt when the batch system ended or cancelled the job, by its own clock; null where it does not tell
 * @param submitted of a job without a tag, where the batch system may give an id twice; null otherwise
 */
public record LrmsJob(
        String lrmsId,
        String tag,
        State state,
        Integer exitCode,
        String reason,
        String workerNode,
        Usage usage,
        Instant endedAt,
        Submitted submitted) {
    /** Longest time between the clocks of the CE and of the batch system, whose authentication fails beyond five minutes. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

    /**
     * A hand-over as the batch system shows it.
     *
     * @param account by which it was done; empty where it is not shown
     * @param at by the batch system's clock; null where it is not shown
     */
    public record Submitted(String account, Instant at) {}

    /**
     * Characters of the longest id that the CE keeps: Torque's is a number of up to 15 digits, a dot and the name of its server, of up to
     * 253. As much as the columns {@code lrms_id} hold; adapters refuse longer ones as ids that cannot be read.
     */
    public static final int LONGEST_ID = 300;

    /** What the reason of a job begins with that the batch system ended because of its memory. */
    public static final String OUT_OF_MEMORY = "out of memory";

    /** What the reason of a cancelled job begins with whose script may never have begun: then nobody need have cancelled it. */
    public static final String NOT_BEGUN = "cancelled before its script began";

    /** What the reason of a cancelled job begins with where whoever cancelled it gave one. */
    public static final String CANCELLED_BECAUSE = "cancelled: ";

    /** A job whose usage is not shown. */
    public LrmsJob(String lrmsId, String tag, State state, Integer exitCode, String reason, String workerNode) {
        this(lrmsId, tag, state, exitCode, reason, workerNode, null, null, null);
    }

    /** A job of which is not shown when it was ended. */
    public LrmsJob(
            String lrmsId, String tag, State state, Integer exitCode, String reason, String workerNode, Usage usage) {
        this(lrmsId, tag, state, exitCode, reason, workerNode, usage, null, null);
    }

    /** A job that may be in the batch system, which shows something that can't be read: it is neither absent nor in any state. */
    public static LrmsJob unreadable(String tag, String reason) {
        return new LrmsJob(null, tag, State.UNKNOWN, null, reason, null);
    }

    /** Whether the job may be there and nothing more is known, not even its id. */
    public boolean isUnreadable() {
        return lrmsId == null && state == State.UNKNOWN;
    }

    /** Whether it may have been the batch system itself that cancelled the job, on a node where it could not begin. */
    public boolean isNotBegun() {
        return state == State.CANCELLED && reason != null && reason.startsWith(NOT_BEGUN);
    }

    /** What whoever cancelled the job gave as the reason; null where there is none. */
    public String whyCancelled() {
        return state == State.CANCELLED && reason != null && reason.startsWith(CANCELLED_BECAUSE)
                ? reason.substring(CANCELLED_BECAUSE.length())
                : null;
    }

    /** Whether the job is in the queue. A suspended one is held too, and stays on its nodes. */
    public boolean isInQueue() {
        return state == State.QUEUED || (state == State.HELD && workerNode == null);
    }

    /** The same with what it used, which counts for an ended job that ran, and only there: a queued one has no cores yet. */
    public LrmsJob using(Usage used) {
        boolean counts = state.isEnd() && workerNode != null && used != null;
        return new LrmsJob(
                lrmsId, tag, state, exitCode, reason, workerNode, counts ? used.orNull() : null, endedAt, submitted);
    }

    /** The same with another name. */
    public LrmsJob named(String name) {
        return new LrmsJob(lrmsId, name, state, exitCode, reason, workerNode, usage, endedAt, submitted);
    }

    /** The same with another id. */
    public LrmsJob identified(String id) {
        return new LrmsJob(id, tag, state, exitCode, reason, workerNode, usage, endedAt, submitted);
    }

    /** The same with another reason. */
    public LrmsJob because(String why) {
        return new LrmsJob(lrmsId, tag, state, exitCode, why, workerNode, usage, endedAt, submitted);
    }

    /** The same with when it was ended, which counts for a job that did not end by itself. */
    public LrmsJob endedAt(Instant at) {
        boolean counts = state == State.FAILED || state == State.CANCELLED;
        return new LrmsJob(lrmsId, tag, state, exitCode, reason, workerNode, usage, counts ? at : null, submitted);
    }

    /** The same with who submitted it and when. */
    public LrmsJob submitted(Submitted by) {
        return new LrmsJob(lrmsId, tag, state, exitCode, reason, workerNode, usage, endedAt, by);
    }

    /**
     * Whether this is the job whose id a hand-over returned, and not one that got the id after the batch system forgot the first. A tag
     * decides; without one account and time together do.
     *
     * @param sought with its id
     */
    public boolean isOf(Lrms.Lookup sought) {
        if (!Objects.equals(lrmsId, sought.lrmsId())) {
            return false;
        }
        if (JobId.ofTag(tag).isPresent()) {
            return tag.equals(sought.tag());
        }
        return submitted == null
                || ((submitted.account().isEmpty() || submitted.account().equals(sought.account()))
                        && isAtHandOver(sought.handedOver()));
    }

    private boolean isAtHandOver(Instant handedOver) {
        return submitted.at() == null || handedOver == null || !submitted.at().isAfter(handedOver.plus(CLOCKS_DIFFER));
    }

    /** What the batch system reports. */
    public enum State {
        QUEUED,
        HELD,
        RUNNING,
        /** Ended by itself, whatever the exit code. */
        DONE,
        /** Ended by the batch system: time limit, node failure, out of memory. */
        FAILED,
        CANCELLED,
        /** Was not queried, not in the reply, or in it in a form that can't be read, this time: nothing follows from it. */
        UNKNOWN;

        /** Whether nothing more will happen to the job. */
        public boolean isEnd() {
            return this == DONE || this == FAILED || this == CANCELLED;
        }
    }
}
