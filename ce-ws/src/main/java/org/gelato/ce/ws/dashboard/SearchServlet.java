package org.gelato.ce.ws.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.ws.http.MonitoringAccess;

/**
 * {@code GET /dashboard/jobs?text=…}: the latest jobs that a text means, {@code {"jobs": [...]}}; {@code ?id=CREAM123456789}: where the
 * time of one job went.
 */
final class SearchServlet extends DashboardServlet {
    private static final long serialVersionUID = 1L;

    private final transient JobSearch search;
    private final transient Clock clock;

    SearchServlet(MonitoringAccess access, Semaphore places, JobSearch search, Clock clock) {
        super(access, places);
        this.search = search;
        this.clock = clock;
    }

    @Override
    byte[] answer(HttpServletRequest request) throws IOException {
        if (request.getParameter("id") == null) {
            return json(Map.of(
                    "most",
                    JobSearch.MOST,
                    "jobs",
                    search.find(parameter(request, "text")).stream()
                            .map(JobDocuments::job)
                            .toList()));
        }
        JobId id = JobId.parse(parameter(request, "id"))
                .orElseThrow(() -> new IllegalArgumentException("parameter id is no id such as CREAM123456789"));
        return json(search.timeline(id)
                .map(timeline -> JobDocuments.timeline(timeline, clock.instant()))
                .orElseThrow(() -> new IllegalArgumentException("there is no job " + id)));
    }
}
