package org.gelato.ce.ws.parts;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.ws.dashboard.Situation;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.parts.monitoring.StoredMeters;

/** What a verdict on this CE is made of, from its parts. For any thread. */
final class DashboardSituation {
    /** Who reads the page waits so long for a round of checks; then it gets the one before. */
    private static final long PATIENCE_MILLIS = 1000;

    private final DashboardParts.Sources sources;
    private final DashboardParts.Node node;
    private final Clock clock;

    DashboardSituation(DashboardParts.Sources sources, DashboardParts.Node node, Clock clock) {
        this.sources = sources;
        this.node = node;
        this.clock = clock;
    }

    Situation read() {
        Instant now = clock.instant();
        StoredMeters.Stored stored = sources.monitoring().stored().latest();
        var admission = sources.admission().controller();
        return new Situation(
                now,
                node.host(),
                node.lrms(),
                node.look(),
                stored == null ? null : jobs(stored.jobs()),
                checks(stored != null),
                admission.state().accepting(),
                sources.handOver().throttle().pausedBy(),
                sources.follow().polls().age(),
                admission.drains(),
                sources.certificates().host().get(),
                sources.admission().disks());
    }

    private static Situation.Jobs jobs(List<JobStore.Present> present) {
        Map<JobState, Long> jobs = new EnumMap<>(JobState.class);
        present.forEach(p -> jobs.merge(p.state(), p.jobs(), Long::sum));
        return new Situation.Jobs(
                jobs.getOrDefault(JobState.PENDING, 0L),
                jobs.getOrDefault(JobState.IDLE, 0L),
                jobs.getOrDefault(JobState.RUNNING, 0L) + jobs.getOrDefault(JobState.REALLY_RUNNING, 0L));
    }

    /** Those of the last round, which was made now if it ends soon: a check may cost a process, and this waits for none. */
    private List<Situation.Check> checks(boolean database) {
        Readiness.Report report;
        try {
            report = sources.readiness().report().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            report = sources.readiness().last();
        } catch (ExecutionException | TimeoutException e) {
            report = sources.readiness().last();
        }
        List<Situation.Check> checks = new ArrayList<>();
        checks.add(new Situation.Check(
                "database",
                database,
                false,
                database ? "reachable" : "its last read failed, or has not ended yet",
                null));
        if (report != null) {
            report.checks()
                    .forEach(c -> checks.add(new Situation.Check(
                            c.name(),
                            c.ok(),
                            c.degraded(),
                            c.detail(),
                            sources.readiness().since(c.name()))));
        }
        return checks;
    }
}
