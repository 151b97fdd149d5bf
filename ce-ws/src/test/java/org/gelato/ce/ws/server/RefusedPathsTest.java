package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.ws.dashboard.DashboardEndpoints;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.push.LabelledJobs;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.Test;

/** A path that a proxy may read in another way than the container is refused, whichever servlet it is for. */
class RefusedPathsTest extends ServerFixture {
    /** Before and behind the path of a servlet. */
    private static final List<String> TRICKS = List.of(
            "/docs/..;*",
            "/docs/..;a=b*",
            "/docs/..*",
            "/docs/.%2E*",
            "/docs/%2e%2e*",
            "/.*",
            "/%2e*",
            "/;*",
            "*;",
            "*;jsessionid=1",
            "*/..;/metrics",
            "*/../metrics",
            "*/%2E%2E/metrics",
            "*/.",
            "*/..",
            "*/%2e/",
            "*/a%2fb",
            "*/a%2Fb",
            "*/a%5cb",
            "*/a\\b",
            "*/a%00b",
            "*/a%0ab",
            "*/a%7fb");

    private final Set<String> servlets = new TreeSet<>();

    private static final class Again extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.getOutputStream().print(request.getPathInfo());
            } else {
                Exchange exchange = Exchange.of(request);
                exchange.again(exchange.suspend());
            }
        }
    }

    @Override
    List<ServletContextListener> listeners(AsyncExchanges exchanges, TransferLimits limits) {
        List<ServletContextListener> listeners = new ArrayList<>(super.listeners(exchanges, limits));
        listeners.add(new DashboardEndpoints(null, null, null, DiagnosticCommands.none("fake"), Clock.systemUTC()));
        listeners.add(new LabelledJobs(URI.create("https://ce:8443"), null, null));
        listeners.add(new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                ServletContext context = event.getServletContext();
                HttpEndpoints.add(context, "again", new Again(), "/again/*");
                context.getServletRegistrations().values().forEach(servlet -> servlets.addAll(servlet.getMappings()));
            }
        });
        return listeners;
    }

    @Test
    void everyServletRefusesPathsThatCouldBeReadInTwoWays() throws Exception {
        assertThat(servlets)
                .contains("", "/", "/metrics", "/docs/*", "/dashboard/data", "/ce-cream/admin/jobs", "/jobs");
        for (String servlet : servlets) {
            String path = servlet.replaceFirst("/\\*?$", "");
            for (String trick : TRICKS) {
                String target = trick.replace("*", path);
                assertThat(status(target.startsWith("/") ? target : "/" + target))
                        .as(target)
                        .isEqualTo(400);
            }
        }
    }

    @Test
    void theRefusalSaysWhatIsWrong() throws Exception {
        assertThat(raw(request("/docs/..;/metrics"))).contains("bare semicolon", "%3B");
        assertThat(raw(request("/docs/%2e%2e/metrics"))).contains("a part of dots alone");
    }

    @Test
    void whatIsOrdinaryPasses() throws Exception {
        assertThat(status("/health/live?path=/../..;%2f")).isEqualTo(200);
        assertThat(status("//health//live")).isEqualTo(200);
        assertThat(status("/health/%6cive")).isEqualTo(200);
        // A file's name: dots among other characters, and a percent sign.
        assertThat(status("/docs/..a%3B%252e%252e")).isEqualTo(404);
        assertThat(raw(request("//docs"))).contains("302", "ocation: /docs/");
    }

    /** What is served a second time is dispatched by its path, where a bare semicolon would begin a parameter. */
    @Test
    void aNameWithASemicolonIsTheSameWhenItsRequestIsServedAgain() throws Exception {
        assertThat(raw(request("/again/a%3Bb%20%25"))).endsWith("/a;b %");
    }

    private int status(String target) throws Exception {
        return Integer.parseInt(raw(request(target)).split(" ", 3)[1]);
    }

    private static String request(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: ce\r\nConnection: close\r\n\r\n";
    }
}
