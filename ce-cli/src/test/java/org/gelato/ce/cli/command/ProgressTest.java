package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bars of what takes long: on a terminal, and nothing of them elsewhere. */
class ProgressTest {
    private static final String JOB = "https://ce:9443/CREAM000000001";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void directory() {
        ce.workingDirectory = temp;
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("DONE-OK")));
    }

    private static List<String> screen(String text) {
        return Arrays.stream(text.split("\r\u001b\\[K"))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @Test
    void aDownloadHasABarWithRateAndTimeLeft() {
        ce.terminal = true;
        ce.files.put("large.root", "x".repeat(4 << 20));
        ce.files.put("small", "x");
        ce.whileReading = () -> ce.pass(100);
        assertThat(ce.run("output", JOB)).as(ce.err()).isZero();
        List<String> screen = screen(ce.err());
        assertThat(screen).hasSizeBetween(50, 100);
        assertThat(screen.get(0)).isEqualTo("large.root [....................] 1%");
        assertThat(screen).contains("large.root [##########..........] 50%, 0.6 MiB/s, 3s left");
        assertThat(screen.get(screen.size() - 1))
                .isEqualTo("large.root [####################] 100%, 0.6 MiB/s, 0s left");
        assertThat(ce.err()).endsWith("\r\u001b[K").doesNotContain("small");
    }

    @Test
    void anUploadHasOneToo() throws IOException {
        ce.terminal = true;
        Files.write(temp.resolve("data"), new byte[2 << 20]);
        Files.writeString(temp.resolve("a.jdl"), "[Executable = \"data\"; InputSandbox = {\"data\"};]");
        assertThat(ce.run("submit", "-r", "ce/cream-a-b", "a.jdl")).isZero();
        assertThat(screen(ce.err()))
                .containsExactly("data [....................] 0%", "data [####################] 100%");
    }

    @Test
    void jobsOfSeveralRequestsAreCounted() {
        ce.terminal = true;
        ce.input = String.join(
                "\n",
                IntStream.range(0, 1200)
                        .mapToObj(i -> String.format("https://ce:9443/CREAM%09d", i))
                        .toList());
        assertThat(ce.run("cancel", "-")).isZero();
        assertThat(screen(ce.err()))
                .containsExactly(
                        "[....................] 0 of 1200 jobs",
                        "[########............] 500 of 1200 jobs",
                        "[################....] 1000 of 1200 jobs",
                        "ce cancel: cancel requested for 1200 jobs\n");
    }

    @Test
    void withoutATerminalThereIsNoneOfThem() throws IOException {
        ce.files.put("large", "x".repeat(4 << 20));
        assertThat(ce.run("output", JOB)).isZero();
        ce.input = String.join(
                "\n",
                IntStream.range(0, 600)
                        .mapToObj(i -> String.format("https://ce:9443/CREAM%09d", i))
                        .toList());
        assertThat(ce.run("cancel", "-")).isZero();
        assertThat(ce.err()).isEqualTo("ce cancel: cancel requested for 600 jobs\n");
    }

    /** A log file gets a line for each change, not for each poll. */
    @Test
    void aStateThatLastsHasOneLine() throws IOException {
        Files.writeString(temp.resolve("a.jdl"), "[Executable = \"/bin/true\";]");
        ce.states = List.of("IDLE", "IDLE", "IDLE", "REALLY-RUNNING", "REALLY-RUNNING", "DONE-OK");
        assertThat(ce.run("submit", "-r", "ce/cream-a-b", "--wait", "a.jdl")).isZero();
        assertThat(ce.err())
                .isEqualTo("ce submit: IDLE\nce submit: REALLY-RUNNING\nce submit: 1 job ended: 1 DONE-OK\n");
    }
}
