package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.site.FreePort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Debian's Prometheus scrapes a running CE with the lines of docs/admin/metrics.md, and evaluates our alerts. */
@ExtendWith(SharedCe.class)
class PrometheusIT {
    private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");
    private static final int LEAST_SAMPLES = 150;

    @Test
    void aRealPrometheusReadsTheMetrics(SiteCe ce) throws IOException {
        if (!Files.isExecutable(PROMETHEUS)) {
            Skipped.because("Prometheus", "there is no " + PROMETHEUS + "; install Debian's package prometheus");
        }
        int port = FreePort.choose();
        Process prometheus = start(ce, port);
        try {
            Awaitility.await("Prometheus has scraped the CE")
                    .atMost(Duration.ofMinutes(2))
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> "up".equals(target(port).path("health").asText()));
            assertThat(target(port).path("lastError").asText()).isEmpty();
            assertThat(value(port, "scrape_samples_scraped")).isGreaterThan(LEAST_SAMPLES);
            assertThat(value(port, "ce_admission_open")).isEqualTo(1);
            Awaitility.await("the alerts are evaluated")
                    .atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(json(port, "rules").at("/data/groups/0/rules"))
                            .isNotEmpty()
                            .allMatch(rule -> "ok".equals(rule.path("health").asText())));
        } finally {
            prometheus.destroyForcibly().onExit().join();
        }
    }

    private static Process start(SiteCe ce, int port) throws IOException {
        StringBuilder authorities = new StringBuilder();
        try (Stream<Path> files = Files.list(ce.pki().certificates())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".0")).toList()) {
                authorities.append(Files.readString(file));
            }
        }
        Path bundle = Files.writeString(ce.base().resolve("ca.pem"), authorities);
        Path rules = Path.of("..", "docs", "admin", "monitoring", "gelato-alerts.yml")
                .toRealPath();
        Path configuration =
                Files.writeString(ce.base().resolve("prometheus.yml"), """
                global: { scrape_interval: 1s, evaluation_interval: 1s }
                rule_files: [ "%s" ]
                scrape_configs:
                  - job_name: gelato
                    scheme: https
                    tls_config: { ca_file: "%s" }
                    static_configs: [ { targets: [ "localhost:%d" ] } ]
                """.formatted(rules, bundle, ce.port()));
        return new ProcessBuilder(
                        PROMETHEUS.toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + ce.base().resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(ce.base().resolve("prometheus.log").toFile())
                .start();
    }

    private static JsonNode target(int port) throws IOException {
        return json(port, "targets").at("/data/activeTargets/0");
    }

    private static double value(int port, String query) throws IOException {
        return json(port, "query?query=" + query).at("/data/result/0/value/1").asDouble();
    }

    private static JsonNode json(int port, String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path);
        try (InputStream in = uri.toURL().openStream()) {
            return new ObjectMapper().readTree(in);
        }
    }
}
