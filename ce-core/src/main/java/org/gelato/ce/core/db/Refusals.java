package org.gelato.ce.core.db;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.RepeatedFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures of the database as a whole, whoever met them: the log has a line when they begin, one an hour, and one when they are over. A server
 * that takes no changes still lets reads pass, so they are over when none came for {@link #QUIET}: a CE writes more often. Thread-safe.
 */
public final class Refusals {
    /** More than the time between two heartbeats of a CE, which are changes. */
    public static final Duration QUIET = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    private final LongSupplier nanos;
    private final RepeatedFault fault = new RepeatedFault(log, Clock.systemUTC(), "the database");
    private volatile boolean lasts;
    private long last;
    private String changes;
    private long changesAt;

    public Refusals(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Something failed, not because of what it was about.
     *
     * @param ofChanges whether reads may go on
     */
    public synchronized void failed(Throwable why, boolean ofChanges) {
        last = nanos.getAsLong();
        lasts = true;
        String words = Messages.of(why);
        if (ofChanges) {
            changes = words;
            changesAt = last;
        }
        fault.failed(words);
    }

    /** A transaction was committed. */
    public void worked() {
        if (lasts) {
            over();
        }
    }

    private synchronized void over() {
        if (lasts && nanos.getAsLong() - last >= QUIET.toNanos()) {
            lasts = false;
            changes = null;
            fault.over();
        }
    }

    /** Why changes were refused lately; empty when none were. */
    public synchronized Optional<String> ofChanges() {
        return Optional.ofNullable(changes).filter(words -> nanos.getAsLong() - changesAt < QUIET.toNanos());
    }
}
