package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metrics and details of readiness name paths of the configuration: clients that are not authorized must not see them. */
class MonitoringTest extends ServerFixture {
    static final String FROM = "X-Test-From";

    /** Sets a request's source address, where it names one: a test has only its own. */
    static final class Elsewhere implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            Filter filter = (request, response, chain) -> {
                HttpServletRequest http = (HttpServletRequest) request;
                chain.doFilter(
                        new HttpServletRequestWrapper(http) {
                            @Override
                            public String getRemoteAddr() {
                                String from = http.getHeader(FROM);
                                return from == null ? super.getRemoteAddr() : from;
                            }

                            @Override
                            public String getLocalAddr() {
                                return http.getHeader(FROM) == null ? super.getLocalAddr() : "203.0.113.7";
                            }
                        },
                        response);
            };
            var registration = event.getServletContext().addFilter("elsewhere", filter);
            registration.setAsyncSupported(true);
            registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
        }
    }

    @BeforeEach
    void startElsewhere() {
        server.close();
        List<ServletContextListener> listeners = new ArrayList<>();
        listeners.add(new Elsewhere());
        listeners.addAll(listeners(
                new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime), LIMITS));
        server = server(listeners);
        server.start();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "198.51.100.1",
                "192.0.3.1",
                "2001:db8:0:0:0:0:0:1",
                "fe80:0:0:0:0:0:0:1%eth0",
                // An address of this host, but no connection of a trusted account.
                "127.0.0.1",
                "0:0:0:0:0:0:0:1",
                "203.0.113.7"
            })
    void strangersSeeReadyOrNotAndNoMore(String address) throws Exception {
        HttpResponse<String> metrics = get("/metrics", FROM, address);
        assertThat(metrics.statusCode()).isEqualTo(403);
        assertThat(metrics.body()).contains("gelato.monitoring.networks").doesNotContain("tomcat_");
        assertThat(get("/metrics", FROM, address, "X-Caller", "alice").statusCode())
                .isEqualTo(403);
        HttpResponse<String> ready = get("/health/ready", FROM, address);
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).isEqualToIgnoringWhitespace("{\"ready\":true}");
        lrmsUp = false;
        startElsewhere();
        HttpResponse<String> not = get("/health/ready", FROM, address);
        assertThat(not.statusCode()).isEqualTo(503);
        assertThat(not.body()).isEqualToIgnoringWhitespace("{\"ready\":false}");
        assertThat(get("/health/live", FROM, address).statusCode()).isEqualTo(200);
    }

    @Test
    void listedNetworksSeeAll() throws Exception {
        assertThat(get("/metrics", FROM, "192.0.2.200").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready", FROM, "192.0.2.200").body()).contains("slurm 22.05");
    }

    @Test
    void theCesOwnAccountSeesAllOnThisHost() throws Exception {
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready").body()).contains("slurm 22.05");
    }

    @Test
    void anotherAccountOfThisHostIsAStranger() throws Exception {
        assertThat(OtherAccount.get(server.port(), "/metrics"))
                .startsWith("HTTP/1.1 403")
                .contains("gelato.monitoring.accounts")
                .doesNotContain("tomcat_");
        assertThat(OtherAccount.get(server.port(), "/health/ready"))
                .startsWith("HTTP/1.1 200")
                .contains("{\"ready\":true}");
    }

    @Test
    void administratorsSeeAllFromAnywhere() throws Exception {
        assertThat(get("/metrics", FROM, "198.51.100.1", "X-Caller", "admin").statusCode())
                .isEqualTo(200);
        assertThat(get("/health/ready", FROM, "198.51.100.1", "X-Caller", "admin")
                        .body())
                .contains("slurm 22.05");
    }

    @Test
    void anAdministratorsTokenNeedsTheScopeToRead() throws Exception {
        for (String caller : List.of("admin by compute.create", "alice by compute.read")) {
            assertThat(get("/metrics", FROM, "198.51.100.1", "X-Caller", caller).statusCode())
                    .as(caller)
                    .isEqualTo(403);
            assertThat(get("/health/ready", FROM, "198.51.100.1", "X-Caller", caller)
                            .body())
                    .as(caller)
                    .doesNotContain("slurm");
        }
        assertThat(get("/metrics", FROM, "198.51.100.1", "X-Caller", "admin by compute.read")
                        .statusCode())
                .isEqualTo(200);
    }
}
