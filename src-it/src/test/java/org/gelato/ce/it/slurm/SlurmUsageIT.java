package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.accounting.ApelReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Jobs on a real Slurm while the CE is killed again and again: what is published is what Slurm has in its history, job by job. A few
 * dozen jobs; 5 000 with {@code -Dgelato.soak.minutes}.
 */
@Tag("long")
class SlurmUsageIT {
    private static final boolean SOAK = Long.getLong("gelato.soak.minutes", 0) > 0;
    private static final int ROUNDS = SOAK ? 25 : 2;
    private static final int JOBS = SOAK ? 200 : 12;
    private static final Pattern ENDED =
            Pattern.compile("JobId=(\\d+) .*Name=cream_(\\d{9}) .*StartTime=(\\S+) EndTime=(\\S+) .*NodeList=(\\S+).*");

    private static SlurmControl slurm;
    private static SiteCe ce;
    private static Path queue;
    private static SiteUser admin;

    @BeforeAll
    static void start() throws Exception {
        slurm = SlurmControl.start();
        Map<String, Object> settings = new HashMap<>();
        settings.put("gelato.lrms.slurm.conf", slurm.conf().toString());
        settings.put("gelato.lrms.poll-interval", "2 s");
        settings.put("gelato.accounting.publish", "ssm");
        settings.put("gelato.accounting.site", "EXAMPLE-T2");
        settings.put("gelato.accounting.interval", "1 s");
        settings.put(
                "gelato.accounting.benchmarks",
                List.of(
                        Map.of("queue", "long", "kind", "hepscore23", "value", "12.5"),
                        Map.of("queue", "short", "kind", "hepscore23", "value", "12.5")));
        queue = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-ssm-");
        settings.put("gelato.accounting.ssm-queue", queue.toString());
        ce = new SiteCe("usage", "slurm", "dteam001", settings);
        Files.writeString(
                ce.base().resolve("admins"),
                DnForms.slash(ce.pki().user("Admin").subject()) + "\n");
        ce.start();
        admin = ce.user("Admin");
    }

    @AfterAll
    static void stop() throws IOException {
        if (ce != null) {
            ce.close();
        }
        if (slurm != null) {
            slurm.close();
        }
        if (queue != null) {
            SiteCe.remove(queue);
        }
    }

    /** Seconds each job had its node, by Slurm's id. */
    private static Map<String, Long> history() throws IOException {
        Map<String, Long> history = new TreeMap<>();
        for (String line : Files.readAllLines(slurm.site().jobCompletionLog())) {
            Matcher m = ENDED.matcher(line);
            if (m.matches() && !m.group(5).equals("(null)")) {
                history.put(
                        m.group(1),
                        Duration.between(local(m.group(3)), local(m.group(4))).toSeconds());
            }
        }
        return history;
    }

    private static Instant local(String text) {
        return LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant();
    }

    /** Records by Slurm's id; a later message replaces what an earlier one had under the same key. */
    private static Map<String, Map<String, String>> published() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(queue)) {
            files = all.filter(f -> f.getFileName().toString().matches("[0-9a-f]{14}"))
                    .sorted()
                    .toList();
        }
        Map<String, Map<String, String>> byKey = new TreeMap<>();
        for (Path file : files) {
            ApelReader.Message message = ApelReader.read(Files.readAllBytes(file), Instant.now());
            if (message.kind() == ApelReader.Kind.JOBS) {
                message.records().forEach(r -> byKey.put(r.get("LocalJobId") + " " + r.get("EndTime"), r));
            }
        }
        Map<String, Map<String, String>> byId = new TreeMap<>();
        byKey.values()
                .forEach(r -> assertThat(byId.put(r.get("LocalJobId"), r))
                        .as("a second key of job %s", r.get("LocalJobId"))
                        .isNull());
        return byId;
    }

    private static void allArePublished(int jobs) {
        Awaitility.await("all " + jobs + " jobs are published")
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    JsonNode standings =
                            admin.must("", "usage", "status", "--json").json().path("standings");
                    return standings.findValues("published").stream()
                                            .mapToLong(JsonNode::asLong)
                                            .sum()
                                    == jobs
                            && standings.findValues("unsent").stream().allMatch(n -> n.asLong() == 0)
                            // A record is counted when it has a message, which is written after that.
                            && published().size() == jobs;
                });
    }

    @Test
    void whatIsPublishedIsSlurmsHistoryWhateverIsKilled() throws Exception {
        SiteUser ada = ce.user("Ada of usage");
        SiteUser bob = ce.user("Bob of usage");
        List<String> ids = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (int i = 0; i < JOBS; i++) {
                ids.add((i % 3 == 0 ? bob : ada).submit(SiteUser.sleepJob(1 + i % 3)));
            }
            int some = (round - 1) * JOBS + JOBS / 2;
            Awaitility.await("jobs have ended while others run")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> history().size() >= some);
            ce.kill();
            ce.start();
        }
        ada.await(
                ids.stream()
                        .filter(id -> ada.states(List.of(id)).containsValue("DONE-OK"))
                        .toList(),
                "DONE-OK");
        allArePublished(ids.size());

        Map<String, Long> history = history();
        Map<String, Map<String, String>> published = published();
        assertThat(published.keySet()).isEqualTo(history.keySet()).hasSize(ids.size());
        published.forEach((id, record) -> {
            long wall = Long.parseLong(record.get("WallDuration"));
            assertThat(wall).as("wall time of job %s", id).isBetween(history.get(id), history.get(id) + 1);
            assertThat(record)
                    .containsEntry("VO", "dteam")
                    .containsEntry("Processors", "1")
                    .containsEntry("ServiceLevel", "12.5")
                    .containsEntry("SubmitHost", ce.resource("long"));
        });
        SiteUser.Outcome reconciled = admin.run(
                "",
                "usage",
                "reconcile",
                "--jobcomp",
                slurm.site().jobCompletionLog().toString(),
                "--json");
        assertThat(reconciled.exit()).as(reconciled.out() + reconciled.err()).isZero();
        assertThat(reconciled.json().path("compared").asInt()).isEqualTo(ids.size());
        everybodySeesWhatIsTheirs(ada, ids.size());
        aMonthPublishedTwiceIsTheSame(published);
    }

    private static void everybodySeesWhatIsTheirs(SiteUser ada, int jobs) {
        JsonNode own = ada.must("", "usage", "--by", "user", "--json").json().path("sums");
        assertThat(own).hasSize(1);
        assertThat(own.get(0).path("user").asText()).contains("Ada of usage");
        JsonNode all = admin.must("", "usage", "--by", "vo", "--json").json().path("sums");
        assertThat(all).hasSize(1);
        assertThat(all.get(0).path("jobs").asInt()).isEqualTo(jobs);
        assertThat(ada.run("", "usage", "publish").exit()).isEqualTo(1);
        assertThat(ada.run("", "usage", "status").err()).contains("only administrators");
    }

    private static void aMonthPublishedTwiceIsTheSame(Map<String, Map<String, String>> before) throws IOException {
        admin.must("", "usage", "republish", "--from", "2020-01", "--to", "2100-01");
        allArePublished(before.size());
        assertThat(published()).isEqualTo(before);
    }
}
