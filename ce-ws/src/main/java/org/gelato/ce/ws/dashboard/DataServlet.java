package org.gelato.ce.ws.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Semaphore;
import org.gelato.ce.core.monitoring.Ring;
import org.gelato.ce.ws.http.MonitoringAccess;

/** {@code GET /dashboard/data?span=hour|day|week|month}: what the page shows. */
final class DataServlet extends DashboardServlet {
    private static final long serialVersionUID = 1L;

    private final transient DashboardData data;

    DataServlet(MonitoringAccess access, Semaphore places, DashboardData data) {
        super(access, places);
        this.data = data;
    }

    @Override
    byte[] kept(HttpServletRequest request, boolean old) {
        return data.kept(ring(request), old);
    }

    @Override
    byte[] answer(HttpServletRequest request) throws InterruptedException {
        return data.bytes(ring(request));
    }

    static Ring ring(HttpServletRequest request) {
        return Ring.ofName(parameter(request, "span"))
                .orElseThrow(() -> new IllegalArgumentException("parameter span is none of hour, day, week, month"));
    }
}
