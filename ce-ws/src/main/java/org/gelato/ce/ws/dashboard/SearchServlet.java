package org.gelato.ce.ws.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.core.monitoring.Ring;
import org.gelato.ce.ws.http.MonitoringAccess;

/**
 * {@code GET /dashboard/jobs?text=…}: the latest jobs that a text means, {@code {"jobs": [...]}}; {@code ?latest=all}, {@code
 * ?latest=failed}: the latest ones; {@code ?reason=…&state=…&span=…}: the latest that failed for a reason; {@code ?id=CREAM123456789}: where the time of one job went.
 */
final class SearchServlet extends DashboardServlet {
    private static final long serialVersionUID = 1L;

    private final transient JobSearch search;
    private final transient DiagnosticCommands look;
    private final transient Clock clock;

    SearchServlet(MonitoringAccess access, Semaphore places, JobSearch search, DiagnosticCommands look, Clock clock) {
        super(access, places);
        this.search = search;
        this.look = look;
        this.clock = clock;
    }

    @Override
    byte[] answer(HttpServletRequest request) throws IOException {
        if (request.getParameter("reason") != null) {
            return jobs(failed(request));
        }
        if (request.getParameter("latest") != null) {
            return jobs(
                    switch (parameter(request, "latest")) {
                        case "all" -> search.latest();
                        case "failed" -> search.latestFailed();
                        default -> throw new IllegalArgumentException("parameter latest is neither all nor failed");
                    });
        }
        if (request.getParameter("id") == null) {
            return jobs(search.find(parameter(request, "text")));
        }
        JobId id = JobId.parse(parameter(request, "id"))
                .orElseThrow(() -> new IllegalArgumentException("parameter id is no id such as CREAM123456789"));
        return json(search.timeline(id)
                .map(timeline -> JobDocuments.timeline(timeline, look, clock.instant()))
                .orElseThrow(() -> new IllegalArgumentException("there is no job " + id)));
    }

    private List<JobSearch.Found> failed(HttpServletRequest request) {
        JobState state = JobState.FINAL.stream()
                .filter(s -> s.wireName().equals(request.getParameter("state")))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("parameter state is none in which jobs end"));
        Ring ring = DataServlet.ring(request);
        Instant since = clock.instant().minus(ring.step().multipliedBy(ring.slots()));
        return search.failed(state, parameter(request, "reason"), since);
    }

    private static byte[] jobs(List<JobSearch.Found> found) throws IOException {
        return json(Map.of(
                "most",
                JobSearch.MAX,
                "jobs",
                found.stream().map(JobDocuments::job).toList()));
    }
}
