package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.Test;

/** docs/admin/metrics.md, the alerts and the dashboard name what a running CE has; the page stays in {@code target/metrics.txt}. */
class MetricsIT {
    private static final Path DOCS = Path.of("..", "docs", "admin");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) ");
    /** An entry of the lists: one or several names, tags, and after the meaning whether they are always there. */
    private static final Pattern ENTRY = Pattern.compile("(?m)^- (`\\w+`(?:, `\\w+`)*)(.*)$");

    private static final Pattern NAME = Pattern.compile("\\w+");

    private static final Pattern USED = Pattern.compile("\\b(?:ce|jvm|hikaricp|tomcat|process|system)_[a-z_]+[a-z]\\b");
    private static final String SOMETIMES = "(only ";

    @Test
    void thePageOfMetricsAndItsDescriptionNameTheSame() throws IOException {
        Map<String, String> described = new HashMap<>();
        ENTRY.matcher(Files.readString(DOCS.resolve("metrics.md")))
                .results()
                .forEach(entry -> NAME.matcher(entry.group(1))
                        .results()
                        .forEach(name -> assertThat(described.put(name.group(), entry.group(2)))
                                .as("%s a second time", name.group())
                                .isNull()));
        try (SiteCe ce = new SiteCe("metrics", "fork", JobAccount.name(), Map.of())) {
            ce.start();
            SiteUser user = ce.user("Ann of metrics");
            String id = user.submit(SiteUser.shellJob("true"));
            user.await(id, "DONE-OK");
            String waiting = user.submit(SiteUser.shellJob("sleep 600"));
            user.await(waiting, "REALLY-RUNNING");
            assertThat(user.run("", "status", "https://localhost:" + ce.port() + "/CREAM000000000")
                            .exit())
                    .isEqualTo(1);
            assertThat(user.run("", "disable").exit()).isEqualTo(1);
            await().until(() -> page(ce).contains("ce_admission_value{")
                    && page(ce).matches("(?s).*ce_jobs\\{[^}]*state=\"REALLY-RUNNING\",vo=\"dteam\",?} 1\\.0.*"));
            String page = page(ce);
            assertThat(page)
                    .contains("ce_jobs_registered_total 2.0")
                    .contains("ce_jobs_handed_over_total 2.0")
                    .contains("ce_jobs_ended_total{state=\"DONE-OK\"} 1.0")
                    .containsPattern("ce_requests_seconds_count\\{operation=\"JobRegister\",outcome=\"ok\","
                            + "service=\"CREAM2\"} 2")
                    .containsPattern("ce_requests_seconds_count\\{operation=\"acceptNewJobSubmissions\","
                            + "outcome=\"unauthorized\",service=\"CREAM2\"} 1");
            Files.writeString(Path.of("target", "metrics.txt"), page);
            Set<String> there =
                    TYPE.matcher(page).results().map(r -> r.group(1)).collect(Collectors.toSet());
            assertThat(described.keySet()).as("described").containsAll(new TreeSet<>(there));
            Set<String> always = described.entrySet().stream()
                    .filter(entry -> !entry.getValue().contains(SOMETIMES))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            assertThat(there).as("on the page").containsAll(new TreeSet<>(always));
        }
        for (String file : new String[] {"monitoring/gelato-alerts.yml", "monitoring/gelato-dashboard.json"}) {
            Set<String> used = USED.matcher(Files.readString(DOCS.resolve(file)))
                    .results()
                    .map(r -> r.group().replaceFirst("_(?:bucket|count|sum)$", ""))
                    .collect(Collectors.toSet());
            assertThat(used).as(file).isNotEmpty();
            assertThat(described.keySet()).as(file).containsAll(used);
        }
    }

    private static String page(SiteCe ce) throws IOException {
        try (InputStream in = ce.get("/metrics")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
