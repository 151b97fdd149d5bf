package org.gelato.ce.perf.site;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gelato.ce.perf.stub.StubSettings;

/**
 * What a measurement is made on.
 *
 * @param batch which batch system
 * @param slots jobs it runs at once
 * @param stub how long simulated jobs take; of no matter for real batch systems
 * @param settings further keys of the CE's configuration
 * @param vos served beside {@link org.gelato.ce.testkit.pki.GridPki#VO}
 * @param roundTrip what a client's way to the CE takes more than on one host; zero for nothing
 * @param tokens whether bearer tokens are accepted, see {@link PerfSite#token}
 */
public record SitePlan(
        BatchKind batch,
        int slots,
        StubSettings stub,
        Map<String, Object> settings,
        List<String> vos,
        Duration roundTrip,
        boolean tokens) {
    /** Slots of the published measurements (500). */
    public static final int SLOTS = 500;

    // Longer than the scan interval of the spool (1 s): the end comes by a scan of its own. A wrapper without files to
    // fetch reports its start and its payload's within milliseconds.
    private static final Duration APART = Duration.ofMillis(1100);

    public SitePlan {
        settings = Map.copyOf(settings);
        vos = List.copyOf(vos);
    }

    /** One VO, and clients on the same host. */
    public SitePlan(BatchKind batch, int slots, StubSettings stub, Map<String, Object> settings) {
        this(batch, slots, stub, settings, List.of(), Duration.ZERO, false);
    }

    /** The same with clients that far away. */
    public SitePlan at(Duration distance) {
        return new SitePlan(batch, slots, stub, settings, vos, distance, tokens);
    }

    /** The same that accepts bearer tokens too. */
    public SitePlan withTokens() {
        return new SitePlan(batch, slots, stub, settings, vos, roundTrip, true);
    }

    /** The same that serves further VOs. */
    public SitePlan serving(List<String> furtherVos) {
        return new SitePlan(batch, slots, stub, settings, furtherVos, roundTrip, tokens);
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
