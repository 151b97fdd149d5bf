package org.gelato.ce.ws.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/**
 * {@code GET /health/ready}: 200 or 503, with each check for those who may see it. Holds no thread while the checks run, which
 * end in bounded time.
 */
final class ReadyServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

    private final transient Readiness readiness;

    private final transient MonitoringAccess access;

    /** What the checks found, for a request that may see them or not. */
    private record Checked(Readiness.Report report, boolean details) {}

    ReadyServlet(Readiness readiness, MonitoringAccess access) {
        super("GET", "HEAD");
        this.readiness = readiness;
        this.access = access;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Exchange exchange = Exchange.of(request);
        Checked checked = exchange.context().kept(Checked.class);
        if (checked != null) {
            boolean ready = checked.report().ready();
            JsonResponse.send(
                    response,
                    ready ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    checked.details() ? checked.report() : Map.of("ready", ready));
            return;
        }
        boolean details = access.allows(request);
        AsyncContext async = exchange.suspend();
        readiness.report().thenAccept(report -> {
            exchange.context().keep(new Checked(report, details));
            exchange.again(async);
        });
    }
}
