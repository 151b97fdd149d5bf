package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.core.monitoring.RecentJobs;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.gelato.ce.ws.dashboard.DashboardData;
import org.gelato.ce.ws.dashboard.DashboardEndpoints;
import org.gelato.ce.ws.dashboard.LiveState;
import org.gelato.ce.ws.dashboard.Processes;
import org.gelato.ce.ws.dashboard.SeriesRecorder;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.Readiness;

/** The dashboard: its page, and the recorder of its series. */
final class DashboardParts {
    private final Sources sources;
    private final Node node;
    private final LiveState state;
    private final Clock clock;

    /** Where the values come from. */
    record Sources(
            MeterRegistry meters,
            StoreParts stores,
            AdmissionParts admission,
            FollowParts follow,
            HandOverParts handOver,
            MonitoringParts monitoring,
            Readiness readiness,
            Certificates certificates) {
        /** @param name as {@link Measure#meter} has it */
        double meter(String name) {
            String[] words = name.split("[ =]");
            return meters.find(words[0]).tags(Arrays.copyOfRange(words, 1, words.length)).meters().stream()
                    .mapToDouble(meter -> meter.measure().iterator().next().getValue())
                    .sum();
        }

        double starts(String kind) {
            return meter("ce.process.starts kind=" + kind);
        }
    }

    /**
     * When certificates end.
     *
     * @param host when the host certificate ends
     * @param revocationLists when the CRL of each CA ends
     */
    record Certificates(Supplier<Instant> host, Supplier<Map<String, Instant>> revocationLists) {}

    /**
     * This node.
     *
     * @param lrms the batch system's name
     * @param look how an administrator looks at it
     */
    record Node(String lrms, DiagnosticCommands look, String host, String version, Instant started) {}

    /** @param processes whose memory and time are recorded */
    static DashboardParts open(Opening o, Sources sources, Node node, Processes processes) {
        SeriesRecorder recorder = new SeriesRecorder(
                new SeriesStore(sources.stores().database()),
                node.host(),
                new DashboardReadings(sources, o.clock(), processes),
                o.clock(),
                System::nanoTime);
        o.work(() -> recorder.start(o.scheduler()));
        return new DashboardParts(sources, node, new DashboardState(sources, node, o.clock()), o.clock());
    }

    private DashboardParts(Sources sources, Node node, LiveState state, Clock clock) {
        this.sources = sources;
        this.node = node;
        this.state = state;
        this.clock = clock;
    }

    /** The page and its data. */
    DashboardEndpoints endpoints(MonitoringAccess access, JobSearch search) {
        Database database = sources.stores().database();
        return new DashboardEndpoints(
                access,
                new DashboardData(state, new SeriesStore(database), new RecentJobs(database), clock, System::nanoTime),
                search,
                node.look(),
                clock);
    }
}
