package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of a job's standard output, by a real bash. */
class WrapperFiltersTest {
    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
    }

    private Path journal() {
        return job.sandbox.resolve("messages");
    }

    /** The messages without their times. */
    private List<String> messages() throws IOException {
        return Files.readString(journal(), StandardCharsets.ISO_8859_1)
                .lines()
                .map(line -> line.replaceFirst("^[0-9]{16} ", ""))
                .toList();
    }

    private String done() throws IOException {
        return Files.readString(job.sandbox.resolve("exit"));
    }

    @Test
    void linesThatMatchBecomeMessages() throws IOException {
        Ended ended = job.run(shell(
                "echo Event 1; echo noise; echo \"  x=3 \"; echo Event 22; printf \"Event 3\"",
                "MonitorFilters = { \"/^Event [0-9]+$/\", \"progress.x=/x=(3|4)/\" };"));
        assertThat(ended.stderr()).isEmpty();
        assertThat(messages())
                .containsExactlyInAnyOrder(
                        "I stdout Event 1", "I stdout Event 22", "I stdout Event 3", "I progress.x   x=3 ");
        assertThat(messages()).containsSubsequence("I stdout Event 1", "I stdout Event 22", "I stdout Event 3");
        assertThat(done()).contains("\nexit=0\n").contains("\nmessages=4\n");
    }

    @Test
    void aLineIsAMessageWhileTheJobRuns() throws IOException {
        Running running = job.start(shell(
                "echo now; until [ -e '" + directory + "/go' ]; do sleep 0.05; done", "MonitorFilters = \"/now/\";"));
        await().until(() -> Files.exists(journal()) && messages().equals(List.of("I stdout now")));
        Files.createFile(directory.resolve("go"));
        running.end();
    }

    @Test
    void aProgramOfTheJobReadsItsOutput() throws IOException {
        job.upload(
                "my filter",
                "#!/bin/bash\nwhile read -r word number; do echo \"$word: $((number * FACTOR))\";"
                        + " gelato-message --key own \"$number\"; done; echo end");
        Ended ended = job.run(shell(
                "echo a 1; echo b 2",
                "MonitorFilters = \"my filter\"; InputSandbox = \"my filter\"; Environment = \"FACTOR=10\";"));
        assertThat(ended.stderr()).isEmpty();
        assertThat(messages()).containsExactlyInAnyOrder("I - a: 10", "I - b: 20", "I own 1", "I own 2", "I - end");
        assertThat(job.output("out")).isEqualTo("a 1\nb 2\n");
    }

    @Test
    void aBadFilterIsSaidOnceAndTheJobRunsOn() throws IOException {
        job.run(shell("echo xx; exit 3", "MonitorFilters = { \"/x(/\", \"/no/such/program\", \"k=/x/\" };"));
        assertThat(done()).contains("\nexit=3\n");
        assertThat(messages())
                .hasSize(3)
                .contains("I k xx")
                .anyMatch(m -> m.startsWith("E gelato.filter MonitorFilters: /x(/: grep: "))
                .contains("E gelato.filter MonitorFilters: /no/such/program cannot be run");
    }

    /** What a job prints is data, and what is no text does not hide what is. */
    @Test
    void outputIsNeverShellText() throws IOException {
        job.run(shell(
                "printf \"\\\\0\\\\377 key \\\\\\\\n\\\\n\"; echo \"key \\$(touch " + directory + "/evil) \\`id\\`\";"
                        + " echo \"key --level E\"",
                "MonitorFilters = { \"/key/\", \"a=/\\$(touch " + directory + "/evil)/\" };"));
        assertThat(messages())
                .hasSize(3)
                .contains("I stdout key --level E", "I stdout key $(touch " + directory + "/evil) `id`")
                .anyMatch(m -> m.startsWith("I stdout") && m.endsWith(" key \\\\n"));
        assertThat(directory.resolve("evil")).doesNotExist();
    }

    @Test
    void allLinesOfALongOutputAreSeen() throws IOException {
        job.run(shell("seq 200000", "MonitorFilters = \"/00$/\";"));
        assertThat(messages())
                .isEqualTo(IntStream.rangeClosed(1, 2000)
                        .mapToObj(i -> "I stdout " + i + "00")
                        .toList());
        assertThat(done()).contains("\nmessages=2000\n");
    }

    @Test
    void aFilterThatDoesNotEndIsEnded() throws IOException {
        job.upload("stay", "#!/bin/bash\necho $$ > '" + directory + "/pid'; trap '' TERM; while :; do sleep 300; done");
        job.replaced.put("turns=100", "turns=3");
        Ended ended = job.run(shell("sleep 0.3; echo x", "MonitorFilters = \"stay\"; InputSandbox = \"stay\";"));
        assertThat(ended.status()).isZero();
        assertThat(done()).contains("\nexit=0\n");
        long pid = Long.parseLong(Files.readString(directory.resolve("pid")).trim());
        await().until(() -> ProcessHandle.of(pid).map(p -> !p.isAlive()).orElse(true));
    }
}
