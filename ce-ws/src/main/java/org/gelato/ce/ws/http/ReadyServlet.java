package org.gelato.ce.ws.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /health/ready}: 200 or 503 with each check. Holds no thread while the checks run. */
final class ReadyServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(ReadyServlet.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final transient Readiness readiness;

    ReadyServlet(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = request.startAsync();
        async.setTimeout(TIMEOUT.toMillis());
        readiness.report().thenAcceptAsync(report -> answer(async, response, report), async::start);
    }

    private static void answer(AsyncContext async, HttpServletResponse response, Readiness.Report report) {
        try {
            JsonAnswer.send(
                    response,
                    report.ready() ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    report);
        } catch (IOException e) {
            log.debug("The asker of /health/ready has gone", e);
        } finally {
            async.complete();
        }
    }
}
