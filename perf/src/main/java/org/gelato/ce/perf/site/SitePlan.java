package org.gelato.ce.perf.site;

import java.time.Duration;
import java.util.Map;
import org.gelato.ce.perf.stub.StubSettings;

/**
 * What a measurement is made on.
 *
 * @param batch which batch system
 * @param slots jobs it runs at once
 * @param stub how long simulated jobs take; of no matter for real batch systems
 * @param settings further keys of the CE's configuration
 */
public record SitePlan(BatchKind batch, int slots, StubSettings stub, Map<String, Object> settings) {
    /** Slots of the published measurements (500). */
    public static final int SLOTS = 500;

    // Longer than the scan interval of the spool (1 s): the end comes by a scan of its own. A wrapper without files to
    // fetch
    // reports its start and its payload's within milliseconds.
    private static final Duration APART = Duration.ofMillis(1100);

    public SitePlan {
        settings = Map.copyOf(settings);
    }

    /** Simulated or real jobs of about a second on {@link #SLOTS} slots, with the CE's defaults. */
    public static SitePlan of(BatchKind batch) {
        return of(batch, SLOTS);
    }

    /** The same with another number of slots. */
    public static SitePlan of(BatchKind batch, int slots) {
        return new SitePlan(batch, slots, new StubSettings(slots, Duration.ZERO, APART), Map.of());
    }
}
