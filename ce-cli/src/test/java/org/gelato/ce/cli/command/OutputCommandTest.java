package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputCommandTest {
    private static final String JOB = "https://ce:9443/CREAM000000001";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void below() {
        ce.workingDirectory = temp;
    }

    /** The states of the CE's jobs, the first of which is {@link #JOB}. */
    private void jobs(String... states) {
        for (int i = 0; i < states.length; i++) {
            ce.script.put(String.format("CREAM%09d", i + 1), new ArrayList<>(List.of(states[i])));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"REGISTERED", "PENDING", "IDLE"})
    void aJobThatDidNotRunYetIsNotSaidToHaveNoOutput(String state) {
        jobs(state);
        assertThat(ce.run("output", JOB)).isEqualTo(3);
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err())
                .isEqualTo(JOB + " has not ended: " + state + " 2026-11-20T12:00:00Z; it has no output files yet\n");
        assertThat(temp).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RUNNING", "REALLY-RUNNING", "HELD"})
    void aJobThatRunsIsSaidToRunAndWhatItSentSoFar(String state) {
        jobs(state);
        ce.sent = Set.of("CREAM000000001");
        assertThat(ce.run("output", JOB)).isEqualTo(3);
        assertThat(ce.err())
                .isEqualTo(JOB + " has not ended: " + state + " 2026-11-20T12:00:00Z; it has no output files yet"
                        + "; it has sent output or messages, which ce follow shows\n");
        ce.err.reset();
        ce.sent = Set.of();
        assertThat(ce.run("output", JOB)).isEqualTo(3);
        assertThat(ce.err()).endsWith("; it has sent nothing so far, ce follow shows what it prints\n");
        ce.err.reset();
        ce.sent = null;
        assertThat(ce.run("output", JOB)).as("a CE without messages").isEqualTo(3);
        assertThat(ce.err()).endsWith("it has no output files yet\n");
    }

    @Test
    void theFilesThereAreOfARunningJobAreFetchedAndAreNotSaidToBeAll() throws IOException {
        jobs("REALLY-RUNNING");
        ce.files.put("env.out", "hel");
        assertThat(ce.run("--json", "output", JOB)).isEqualTo(3);
        assertThat(temp.resolve("CREAM000000001/env.out")).hasContent("hel");
        assertThat(ce.err()).contains("has not ended: REALLY-RUNNING", "these are its files so far");
        JsonNode job = new ObjectMapper().readTree(ce.out()).at("/jobs/0");
        assertThat(job.at("/status").asText()).isEqualTo("REALLY-RUNNING");
        assertThat(job.at("/ended").asBoolean(true)).isFalse();
        assertThat(job.at("/files/0/size").asInt()).isEqualTo(3);
    }

    @Test
    void aJobThatEndedWellWithoutFilesHasNone() {
        jobs("DONE-OK");
        assertThat(ce.run("output", JOB)).isZero();
        assertThat(ce.err()).isEqualTo(JOB + " has no output files\n");
        assertThat(temp).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"DONE-FAILED", "ABORTED", "CANCELLED"})
    void aJobThatFailedWithoutFilesSaysWhy(String state) {
        jobs(state);
        assertThat(ce.run("output", JOB)).isEqualTo(1);
        assertThat(ce.err())
                .startsWith("ce output: " + JOB + ": it left no output files: " + state + " 2026-11-20T12:00:00Z")
                .hasLineCount(1);
        assertThat(ce.err().contains("reason=no such file")).isEqualTo(state.equals("DONE-FAILED"));
        ce.files.put("env.err", "oh");
        assertThat(ce.run("output", JOB)).as("its files are fetched").isZero();
    }

    @Test
    void aPurgedJobIsUnknownAndOneFailureOfManyIsTheExitCode() {
        jobs("DONE-OK", "REALLY-RUNNING");
        ce.files.put("env.out", "hello");
        assertThat(ce.run("output", JOB, JOB.replace("1", "2"), JOB.replace("1", "3")))
                .isEqualTo(1);
        assertThat(ce.err())
                .contains("ce output: https://ce:9443/CREAM000000003: job not found (ce list shows your jobs; purged")
                .contains("https://ce:9443/CREAM000000002 has not ended: REALLY-RUNNING");
        assertThat(temp.resolve("CREAM000000001/env.out")).hasContent("hello");
        assertThat(temp.resolve("CREAM000000003")).doesNotExist();
    }

    @Test
    void outputIsSavedInADirectoryNamedAfterTheJob() {
        jobs("DONE-OK");
        ce.files.put("env.out", "hello");
        assertThat(ce.run("output", JOB)).isZero();
        assertThat(temp.resolve("CREAM000000001/env.out")).hasContent("hello");
        assertThat(ce.out()).endsWith("CREAM000000001/env.out\n");
        assertThat(ce.run("output", "-d", "here", JOB)).isZero();
        assertThat(temp.resolve("here/env.out")).hasContent("hello");
    }

    @Test
    void allIsTheOutputOfAllJobsAsOfOtherCommands() {
        jobs("DONE-OK", "DONE-OK");
        ce.files.put("env.out", "hello");
        assertThat(ce.run("output", "--all", "-e", "ce:9443", "-d", "here")).isZero();
        assertThat(temp.resolve("here/CREAM000000001/env.out")).hasContent("hello");
        assertThat(temp.resolve("here/CREAM000000002/env.out")).hasContent("hello");
        assertThat(ce.run("output", "-e", "ce:9443")).as("no job is named").isEqualTo(2);
        assertThat(ce.run("output", "--all", "-e", "ce:9443", JOB)).isEqualTo(2);
    }

    @Test
    void outputOfJobsWithOneNumberOnTwoCesIsKeptApart() {
        jobs("DONE-OK");
        ce.files.put("env.out", "hello");
        assertThat(ce.run("output", JOB, "https://b/CREAM000000001")).isZero();
        assertThat(temp.resolve("ce_9443_CREAM000000001/env.out")).exists();
        assertThat(temp.resolve("b_8443_CREAM000000001/env.out")).exists();
    }

    @Test
    void outputWithAnEvilNameFailsAndWritesNothing() {
        ce.workingDirectory = temp.resolve("work");
        jobs("DONE-OK");
        ce.files.put("../../evil", "x");
        assertThat(ce.run("output", JOB)).isEqualTo(1);
        assertThat(ce.err()).contains("could leave the directory");
        assertThat(temp.resolve("evil")).doesNotExist();
    }

    @Test
    void labelsNameTheDirectories() {
        ce.environment.put("CE_ENDPOINT", "ce:9443");
        jobs("DONE-OK", "DONE-OK", "DONE-OK", "DONE-OK");
        ce.names.put("CREAM000000001", "s=a;m=100;w=../x y");
        ce.names.put("CREAM000000002", "s=a;m=200");
        ce.names.put("CREAM000000003", "s=a;m=200");
        ce.names.put("CREAM000000004", "s=a");
        ce.files.put("f", "x");
        assertThat(ce.run("output", "--label", "s=a", "--by", "m", "--by", "w", "-d", "r"))
                .as(ce.err())
                .isZero();
        assertThat(ce.out().lines().map(line -> temp.resolve("r").relativize(Path.of(line))))
                .containsExactlyInAnyOrder(
                        Path.of("m=100,w=.._x_y/f"),
                        Path.of("m=200_CREAM000000002/f"),
                        Path.of("m=200_CREAM000000003/f"),
                        Path.of("CREAM000000004/f"));
        assertThat(ce.run("output", "--by", "m", JOB)).isEqualTo(2);
    }
}
