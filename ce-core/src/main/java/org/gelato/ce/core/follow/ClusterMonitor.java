package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the status of the batch system: it is read in the background, so no request waits for a command and clients cause
 * none. A reading of several commands is made at intervals of as many minutes: one command a minute is the bound. The next reading
 * is scheduled when one has ended, so a slow batch system never has two. Nothing is kept over a restart. For any thread.
 */
public final class ClusterMonitor {
    private static final Logger log = LoggerFactory.getLogger(ClusterMonitor.class);

    /** Between the end of a command and the next. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    /** A status is reported until so many readings in a row could have replaced it. */
    private static final int OUTDATED_AFTER = 5;

    private static final int LONGEST_REASON = 300;

    private final Lrms lrms;
    private final Clock clock;
    private final ScheduledExecutorService scheduler;
    private final Duration interval;
    private boolean closed;
    private ClusterStatus status;
    private Instant readAt;
    private String trouble;

    /** @param scheduler runs no command, only its start */
    public ClusterMonitor(Lrms lrms, Clock clock, ScheduledExecutorService scheduler) {
        this.lrms = lrms;
        this.clock = clock;
        this.scheduler = scheduler;
        this.interval = INTERVAL.multipliedBy(Math.max(1, lrms.statusCommands()));
    }

    /** Begins the readings, the first at once. Once. */
    public void start() {
        scheduler.execute(this::read);
    }

    private void read() {
        if (isClosed()) {
            return;
        }
        try {
            lrms.status().whenComplete((read, failure) -> {
                try {
                    ended(read, failure);
                } finally {
                    next();
                }
            });
        } catch (RuntimeException | Error e) {
            try {
                ended(null, e);
            } finally {
                next();
            }
        }
    }

    private synchronized void next() {
        if (!closed) {
            scheduler.schedule(this::read, interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void ended(ClusterStatus read, Throwable failure) {
        if (failure == null) {
            if (trouble != null) {
                log.info("Status of {} is read again", lrms.name());
            }
            status = read;
            readAt = clock.instant();
            trouble = null;
            return;
        }
        String reason = Messages.of(Causes.of(failure), LONGEST_REASON);
        if (trouble == null && !closed) {
            log.warn(
                    "Status of {} (queues, slots, version) not read, tried again every {} s: {}. Jobs are not affected.",
                    lrms.name(),
                    interval.toSeconds(),
                    reason);
        }
        trouble = reason;
    }

    /** The last status read; empty before the first, and when it is outdated because readings fail. */
    public synchronized Optional<ClusterStatus> status() {
        boolean outdated = readAt != null
                && readAt.plus(interval.multipliedBy(OUTDATED_AFTER)).isBefore(clock.instant());
        return outdated ? Optional.empty() : Optional.ofNullable(status);
    }

    /** When {@link #status} was read; null before the first reading. */
    public synchronized Instant readAt() {
        return readAt;
    }

    /** Why the last reading failed, at most 300 characters; null when it did not, or none has ended. */
    public synchronized String trouble() {
        return trouble;
    }

    /** Starts no more commands. */
    public synchronized void close() {
        closed = true;
    }
}
