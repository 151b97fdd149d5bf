package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user reads after the response to a request was lost: what is known, what is not, and what to type. */
class LostConnectionTest {
    private static final String NOT_KNOWN =
            "the connection broke; it is not known whether the CE has got this command: ce"
                    + " status shows how the jobs stand, and the command can be repeated";

    private final FakeCe ce = new FakeCe();

    @TempDir
    private Path directory;

    @BeforeEach
    void describe() throws IOException {
        ce.workingDirectory = directory;
        Files.writeString(directory.resolve("a.jdl"), "[Executable = \"/bin/true\";]");
    }

    private int submit(int jobs) {
        List<String> words = new ArrayList<>(List.of("submit", "-r", "ce:9443/cream-fork-demo"));
        words.addAll(Collections.nCopies(jobs, "a.jdl"));
        return ce.run(words.toArray(String[]::new));
    }

    @Test
    void aRegistrationThatMayHaveReachedTheCe() {
        ce.registersBeforeLoss = 0;
        assertThat(submit(1)).isEqualTo(1);
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err())
                .isEqualTo(
                        "ce submit: ce:9443: the connection broke; it is not known whether the job was registered: ce"
                                + " status --all --status REGISTERED -e ce:9443 shows it if so; it does not run then, and ce purge"
                                + " removes it\n");
    }

    @Test
    void aRegistrationWhoseResultTheCeLost() {
        ce.registersBeforeLoss = 0;
        ce.lossIsAFault = true;
        assertThat(submit(1)).isEqualTo(1);
        assertThat(ce.err())
                .startsWith(
                        "ce submit: ce:9443: internal error: error 1a2b3c4d, see the log of the service; it is not known"
                                + " whether the job was registered: ce status --all --status REGISTERED")
                .hasLineCount(1);
    }

    @Test
    void aRegistrationWithWhichAJobStarts() {
        ce.registersBeforeLoss = 0;
        ce.startsWithRegistration = true;
        assertThat(submit(1)).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo(
                        "ce submit: ce:9443: the connection broke; it is not known whether the job was registered: ce"
                                + " list --lost -e ce:9443 shows it if so, and it runs then\n");
    }

    /** Over ARC REST its job may start, or wait for ever. */
    @Test
    void anUploadOfAJobThatIsNotToBeWaitedFor() throws IOException {
        ce.environment.put("CE_RESOURCE", "ce:9443/cream-fork-demo");
        Files.writeString(directory.resolve("in.jdl"), "[Executable = \"a\"; InputSandbox = {\"a.jdl\"};]");
        ce.startsWithRegistration = true;
        ce.whileUploading = file -> {
            throw new ConnectionFailure("ce:9443: the connection broke", null);
        };
        ce.whilePausing = () -> {
            throw new AssertionError("waits");
        };
        assertThat(ce.run("submit", "--wait", "--json", "in.jdl")).isEqualTo(1);
        assertThat(ce.out()).contains("\"id\":\"https://ce:9443/CREAM000000001\"");
        assertThat(ce.run("run", "--input", "a.jdl", "work")).isEqualTo(125);
        assertThat(ce.err())
                .contains(
                        "https://ce:9443/CREAM000000002 is left, and starts if the file has arrived: ce status shows");
    }

    @Test
    void aRegistrationThatCertainlyDidNotReachTheCe() {
        ce.registersBeforeLoss = 0;
        ce.lossAfterTheRequest = false;
        assertThat(submit(1)).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce submit: ce:9443: the connection broke\n");
    }

    @Test
    void theSecondRegistrationOfThree() {
        ce.registersBeforeLoss = 1;
        assertThat(submit(202)).isEqualTo(1);
        assertThat(ce.out()).hasLineCount(100).startsWith("https://ce:9443/CREAM000000001\n");
        assertThat(ce.err())
                .startsWith(
                        "ce submit: a.jdl and 101 more: ce:9443: the connection broke; it is not known whether the 100"
                                + " jobs were registered: ")
                .endsWith(" (2 more were not sent)\n")
                .hasLineCount(1);
    }

    @Test
    void aStartAfterWhichTheCeIsNotReached() {
        ce.requestsBeforeLoss = 0;
        ce.outages = 1;
        assertThat(submit(2)).isEqualTo(1);
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\nhttps://ce:9443/CREAM000000002\n");
        assertThat(ce.err())
                .isEqualTo(
                        "ce submit: 2 jobs: registered, but the start failed: ce:9443: the connection broke; it is not known"
                                + " whether they run: ce status https://ce:9443/CREAM000000001 https://ce:9443/CREAM000000002\n");
    }

    @Test
    void aStartThatTheCeHasNotGot() {
        ce.requestsBeforeLoss = 0;
        assertThat(submit(1)).isEqualTo(1);
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err())
                .isEqualTo(
                        "ce submit: a.jdl: registered as https://ce:9443/CREAM000000001 but not started when the CE was asked: ce:9443: the"
                                + " connection broke\n");
    }

    @Test
    void aStartThatCertainlyDidNotReachTheCe() {
        ce.requestsBeforeLoss = 0;
        ce.lossAfterTheRequest = false;
        assertThat(submit(1)).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo(
                        "ce submit: registered, but the start failed: ce:9443: the connection broke; they do not run, ce"
                                + " purge removes them: https://ce:9443/CREAM000000001\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"purge", "cancel", "suspend", "resume", "lease attach -L L1"})
    void aCommandOnJobsInSeveralRequests(String command) {
        ce.requestsBeforeLoss = 1;
        ce.input = IntStream.rangeClosed(1, 1600)
                .mapToObj(i -> String.format("https://ce/CREAM%09d", i))
                .collect(Collectors.joining("\n"));
        assertThat(ce.run((command + " -").split(" "))).isEqualTo(1);
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err().lines().map(line -> line.replaceFirst("^ce [a-z ]*: ", "")))
                .hasSize(3)
                .startsWith(
                        "500 jobs from CREAM000000501 on: ce:8443: " + NOT_KNOWN,
                        "600 jobs from CREAM000001001 on: not sent, as the connection broke before")
                .last()
                .asString()
                .endsWith("for 500 jobs");
    }

    @Test
    void aPurgeOfAllJobs() {
        ce.requestsBeforeLoss = 0;
        assertThat(ce.run("purge", "--all", "-e", "ce")).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce purge: ce:8443: " + NOT_KNOWN + "\n");
    }

    @Test
    void aPurgeThatCertainlyDidNotReachTheCe() {
        ce.requestsBeforeLoss = 0;
        ce.lossAfterTheRequest = false;
        assertThat(ce.run("purge", "https://ce/CREAM000000001")).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce purge: https://ce:8443/CREAM000000001: ce:8443: the connection broke\n");
    }

    /** A question changes nothing, so nothing else is unknown; the other CE is still called. */
    @Test
    void aStatus() {
        ce.outages = 1;
        ce.script.put("CREAM000000002", new ArrayList<>(List.of("IDLE")));
        assertThat(ce.run("status", "https://one/CREAM000000001", "https://two/CREAM000000002"))
                .isEqualTo(1);
        assertThat(ce.out()).startsWith("https://two:8443/CREAM000000002 IDLE").hasLineCount(1);
        assertThat(ce.err()).isEqualTo("ce status: https://one:8443/CREAM000000001: one:8443: can't connect\n");
    }

    @Test
    void anOutputFile() {
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("DONE-OK")));
        ce.files.put("first", "1");
        ce.files.put("second", "2");
        ce.files.put("third", "3");
        ce.cutFile = "second";
        assertThat(ce.run("output", "https://ce/CREAM000000001")).isEqualTo(1);
        Path saved = directory.resolve("CREAM000000001");
        assertThat(ce.out()).isEqualTo(saved.resolve("first") + "\n");
        assertThat(saved).isDirectoryContaining("glob:**first").isDirectoryNotContaining("glob:**second");
        assertThat(ce.err())
                .isEqualTo("ce output: https://ce:8443/CREAM000000001: second: the connection broke before the file was"
                        + " complete: Connection reset; 1 of 3 files are in " + saved
                        + ", and all are still on the CE: fetch"
                        + " them again with -d and another directory\n");
    }
}
