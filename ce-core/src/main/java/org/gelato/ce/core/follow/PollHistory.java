package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * How the polls of one batch system went: jobs are followed by them alone where no wrapper reports, so a CE whose polls
 * fail does not work. Before the first poll has ended nothing is wrong. For any thread.
 */
public final class PollHistory {
    /** Fewer failures in a row may be a batch system that is started again. */
    public static final int TOO_MANY = 3;

    private static final int LONGEST_REASON = 300;

    private final Clock clock;
    private final Instant begun;
    private Instant lastGood;
    private int failures;
    private long allFailures;
    private String reason;
    private String warning;

    PollHistory(Clock clock) {
        this.clock = clock;
        this.begun = clock.instant();
    }

    synchronized void good() {
        lastGood = clock.instant();
        failures = 0;
        reason = null;
    }

    synchronized void failed(String why) {
        failures++;
        allFailures++;
        reason = why.length() > LONGEST_REASON ? why.substring(0, LONGEST_REASON) : why;
    }

    /** What the last poll showed that an administrator should change; null for nothing. */
    synchronized void warns(String words) {
        warning = words;
    }

    /** What an administrator should change though jobs are followed; null for nothing. */
    public synchronized String warning() {
        return warning;
    }

    /** Whether so many in a row have failed that the CE does not know any more what its jobs do. */
    public synchronized boolean isBroken() {
        return failures >= TOO_MANY;
    }

    /** Since the last successful poll, or since the start when there was none. */
    public synchronized Duration age() {
        return Duration.between(lastGood == null ? begun : lastGood, clock.instant());
    }

    /**
     * The last successful poll, where one has failed since: what is known of jobs is of then. Null while the last poll succeeded, or none
     * has since the start.
     */
    public synchronized Instant outdatedSince() {
        return reason == null ? null : lastGood;
    }

    /** The start, where polls failed and none has succeeded since: what is known of jobs is of before. Null otherwise. */
    public synchronized Instant notPolledSince() {
        return reason == null || lastGood != null ? null : begun;
    }

    /** Polls that failed since the start. */
    public synchronized long failures() {
        return allFailures;
    }

    /** The error, for an administrator; null while the last poll succeeded or none has ended. */
    public synchronized String trouble() {
        if (reason == null) {
            return null;
        }
        String polls = failures == 1 ? "the last poll failed" : "the last " + failures + " polls failed";
        String since = lastGood == null ? "none succeeded since the start " : "the last successful one was ";
        return polls + ", " + since + age().toSeconds() + " s ago: " + reason;
    }
}
