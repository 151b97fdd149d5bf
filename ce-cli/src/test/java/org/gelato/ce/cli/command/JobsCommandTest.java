package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.gelato.ce.json.SiteJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobsCommandTest {
    private final FakeCe ce = new FakeCe();

    static SiteJob job(String id, String node) {
        return new SiteJob(
                id,
                "CN=Bob\u001b[2J,DC=org",
                "/dteam",
                "dteam",
                "dteam001",
                "REALLY-RUNNING",
                FakeCe.NOON.minusSeconds(5),
                FakeCe.NOON.minus(Duration.ofHours(3)),
                FakeCe.NOON.minusSeconds(5),
                null,
                "slurm",
                "long",
                "4711",
                node,
                null);
    }

    @Test
    void aJobIsALineAndTheNumberIsAMessage() {
        ce.siteJobs.add(job("CREAM000000001", "wn1"));
        ce.siteJobs.add(job("CREAM000000002", null));
        assertThat(ce.run("jobs", "-e", "ce")).isZero();
        assertThat(ce.out().lines())
                .hasSize(3)
                .anySatisfy(line -> assertThat(line.split(" +"))
                        .containsExactly(
                                "CREAM000000001",
                                "REALLY-RUNNING",
                                "3h",
                                "dteam",
                                "dteam001",
                                "slurm-long",
                                "4711",
                                "wn1",
                                "CN=Bob?[2J,DC=org"));
        assertThat(ce.err()).endsWith("2 jobs\n");
        assertThat(ce.calls)
                .anySatisfy(call ->
                        assertThat(call).contains("states=[REGISTERED, PENDING, IDLE, RUNNING, REALLY-RUNNING, HELD]"));
    }

    @Test
    void criteriaGoToTheCe() throws IOException {
        ce.siteJobs.add(job("CREAM000000001", null));
        assertThat(ce.run(
                        "jobs",
                        "-e",
                        "ce",
                        "--json",
                        "--dn",
                        "CN=Bob",
                        "--vo",
                        "dteam",
                        "--account",
                        "a",
                        "--queue",
                        "q",
                        "--state",
                        "idle,done-ok",
                        "--older-than",
                        "2d"))
                .isZero();
        assertThat(ce.calls)
                .contains("siteJobs "
                        + new SiteJobFilter(
                                "CN=Bob",
                                "dteam",
                                "a",
                                List.of("IDLE", "DONE-OK"),
                                "q",
                                FakeCe.NOON.minus(Duration.ofDays(2)),
                                null,
                                null,
                                null));
        JsonNode found = new ObjectMapper().readTree(ce.out()).at("/jobs/0");
        assertThat(found.path("lrmsJobId").asText()).isEqualTo("4711");
        assertThat(found.has("workerNode")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--state nonsense",
                "--all --state IDLE",
                "--older-than 5",
                "--older-than -1d",
                "--watch 0s",
                "--watch 5s --json"
            })
    void aMistakeIsExitCodeTwo(String options) {
        assertThat(ce.run(("jobs -e ce " + options).split(" "))).isEqualTo(2);
        assertThat(ce.err()).isNotBlank();
    }
}
