package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.Test;

/** Prometheus' own checker accepts the alerts, and they fire when they should. */
class AlertRulesIT {
    @Test
    void theAlertsAreRulesAndFire() throws IOException, InterruptedException {
        if (!Files.isExecutable(Path.of("/usr/bin/promtool"))) {
            Skipped.because("Prometheus", "there is no /usr/bin/promtool; install Debian's package prometheus");
        }
        promtool("check", "rules", "gelato-alerts.yml");
        promtool("test", "rules", "gelato-alerts-test.yml");
    }

    @Test
    void everyAlertHasATestInWhichItFires() throws IOException {
        Path directory = Path.of("..", "docs", "admin", "monitoring");
        String tests = Files.readString(directory.resolve("gelato-alerts-test.yml"));
        assertThat(Pattern.compile("- alert: (\\w+)")
                        .matcher(Files.readString(directory.resolve("gelato-alerts.yml")))
                        .results()
                        .map(m -> m.group(1)))
                .hasSizeGreaterThan(5)
                .allMatch(alert ->
                        tests.contains("alertname: " + alert + "\n        exp_alerts:\n          - exp_labels"));
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile("promtool", ".log");
        Process process = new ProcessBuilder("/usr/bin/promtool", arguments[0], arguments[1], arguments[2])
                .directory(Path.of("..", "docs", "admin", "monitoring").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        Files.delete(output);
        assertThat(exit).as(text).isZero();
    }
}
