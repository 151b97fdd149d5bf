package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.core.command.ScopedPauses;
import org.gelato.ce.core.command.SubmissionThrottle;

/** Metrics of how fast a batch system is given jobs, and of what pauses. */
public final class PauseMeters {
    private PauseMeters() {}

    /** Registers the gauges of one batch system. */
    public static void register(MeterRegistry meters, String lrms, SubmissionThrottle throttle, ScopedPauses pauses) {
        Gauge.builder("ce.lrms.window", throttle, SubmissionThrottle::window)
                .description("Hand-overs the batch system is given at once")
                .tag("lrms", lrms)
                .register(meters);
        Gauge.builder("ce.lrms.paused", throttle, p -> p.pausedBy() == null ? 0 : 1)
                .description("Whether the hand-over pauses; /health/ready reports why")
                .tag("lrms", lrms)
                .register(meters);
        for (SubmissionThrottle.PauseCause cause : SubmissionThrottle.PauseCause.values()) {
            Gauge.builder("ce.lrms.pause", throttle, t -> t.pauseCause() == cause ? 1 : 0)
                    .description("1 for the cause the hand-over pauses for")
                    .tags("lrms", lrms, "cause", cause.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
        Map.of("account", true, "queue", false)
                .forEach((of, isAccount) -> Gauge.builder(
                                "ce.lrms.pauses",
                                pauses,
                                p -> p.paused().stream()
                                        .filter(one -> (one.account() != null) == isAccount)
                                        .count())
                        .description("Accounts and queues for which the hand-over or other commands pause")
                        .tags("lrms", lrms, "of", of)
                        .register(meters));
    }
}
