package org.gelato.ce.core.command;

import java.time.Duration;
import org.gelato.ce.core.base.Key;

/**
 * Bounds for what a batch system is given (docs/developer/design.md section 8); each batch system is measured by itself.
 *
 * @param mostAtOnce largest number of hand-overs without a result, at least 1; in the configuration 0 for as suits the batch system
 * @param slowestResponse results that take longer on average, or one that is missing for longer, pause the hand-over
 * @param mostQueued jobs that may wait in the batch system; -1 for no limit
 * @param probeInterval first wait before a batch system that was paused is tried again; doubles up to a minute. For faults its health is
 *     called no more often
 */
public record HandOverLimits(
        @Key(min = "0", max = "300") int mostAtOnce,

        Duration slowestResponse,

        @Key(min = "-1", max = "1000000000") int mostQueued,
        @Key(min = "100 ms", max = "1 h") Duration probeInterval) {
    /** Those of {@code reference.conf}. */
    public static final HandOverLimits DEFAULT =
            new HandOverLimits(50, Duration.ofSeconds(20), -1, Duration.ofSeconds(5));
}
