package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.gelato.ce.cli.wire.StatusReport;
import org.junit.jupiter.api.Test;

class HistoryCommandTest {
    private static final String JOB = "https://ce:8443/CREAM000000001";

    private final FakeCe ce = new FakeCe();

    HistoryCommandTest() {
        ce.history = List.of(
                state("REGISTERED", 0),
                state("PENDING", -1),
                state("IDLE", 500),
                state("HELD", 2500),
                state("IDLE", 3500),
                state("DONE-OK", 43_500));
    }

    private static StatusReport state(String name, long millis) {
        return new StatusReport(name, FakeCe.NOON.plusMillis(millis), null, null, null);
    }

    @Test
    void statesAndCommandsAreShownByTimeWithTheStages() {
        assertThat(ce.run("history", JOB)).isZero();
        assertThat(ce.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        JOB,
                        "2026-11-20T11:59:59.999Z PENDING",
                        "2026-11-20T12:00:00Z +0.001 s REGISTERED",
                        "2026-11-20T12:00:00Z +0.000 s JOB_START requested",
                        "2026-11-20T12:00:00.500Z +0.500 s IDLE",
                        "2026-11-20T12:00:02.500Z +2.000 s HELD",
                        "2026-11-20T12:00:03.500Z +1.000 s IDLE",
                        "2026-11-20T12:00:43.500Z +40.000 s DONE-OK",
                        "0.000 s before its start",
                        "0.501 s hand-over to the batch system",
                        "42.000 s in the batch system's queue",
                        "1.000 s held");
    }

    @Test
    void theJsonHasSecondsOfEachStage() throws IOException {
        assertThat(ce.run("history", "--json", JOB)).isZero();
        JsonNode job = new ObjectMapper().readTree(ce.out()).at("/jobs/0");
        assertThat(job.path("id").asText()).isEqualTo(JOB);
        assertThat(job.path("steps")).hasSize(7);
        assertThat(job.at("/stages/2/seconds").asDouble()).isEqualTo(42);
    }

    @Test
    void aJobThatGoesOnIsCountedUntilNow() {
        ce.history = List.of(state("REGISTERED", -2000), state("IDLE", -1000));
        assertThat(ce.run("history", JOB)).isZero();
        assertThat(ce.out()).containsPattern("1\\.000 s  in the batch system's queue");
    }
}
