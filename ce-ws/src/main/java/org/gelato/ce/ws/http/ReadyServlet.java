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
    private static final String REPORT = ReadyServlet.class.getName();
    private static final String DETAILS = REPORT + ".details";

    private final transient Readiness readiness;

    private final transient MonitoringAccess access;

    ReadyServlet(Readiness readiness, MonitoringAccess access) {
        super("GET", "HEAD");
        this.readiness = readiness;
        this.access = access;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getAttribute(REPORT) instanceof Readiness.Report report) {
            JsonResponse.send(
                    response,
                    report.ready() ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    request.getAttribute(DETAILS) == null ? Map.of("ready", report.ready()) : report);
            return;
        }
        if (access.allows(request)) {
            request.setAttribute(DETAILS, true);
        }
        Exchange exchange = Exchange.of(request);
        AsyncContext async = exchange.suspend();
        readiness.report().thenAccept(report -> {
            request.setAttribute(REPORT, report);
            exchange.again(async);
        });
    }
}
