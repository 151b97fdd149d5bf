package org.gelato.ce.core.fault;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;

/**
 * A fault that may come with each poll: the log has it once when it begins, once an hour with how often it came since, and
 * once when it is over. For one thread.
 */
public final class RepeatedFault {
    private static final Duration AGAIN = Duration.ofHours(1);

    private final Logger log;
    private final Clock clock;
    private final String what;
    private Instant loggedAt;
    private long times;

    /** @param what does not work, as the beginning of a line, for example {@code history of slurm} */
    public RepeatedFault(Logger log, Clock clock, String what) {
        this.log = log;
        this.clock = clock;
        this.what = what;
    }

    /** It did not work. */
    public void failed(String why) {
        failed(why, null);
    }

    /**
     * It did not work.
     *
     * @param thrown is logged with its trace when the fault begins; null for none
     */
    public void failed(String why, Throwable thrown) {
        Instant now = clock.instant();
        times++;
        if (loggedAt == null) {
            log.warn("{}: {}; tried again, and reported once an hour while it lasts", what, why, thrown);
        } else if (!loggedAt.plus(AGAIN).isAfter(now)) {
            log.warn("{}: still, {} times since the last report: {}", what, times, why);
        } else {
            return;
        }
        loggedAt = now;
        times = 0;
    }

    /** The fault is over: the next one is logged at once. */
    public void over() {
        if (loggedAt != null) {
            log.info("{}: works again, after {} more failures since the last report", what, times);
            loggedAt = null;
            times = 0;
        }
    }
}
