package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No id of a job is lost where a command that submits is interrupted, or nobody takes what it prints. */
class InterruptedSubmissionTest {
    private static final String ID = "https://ce:9443/CREAM00000000";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void files() throws IOException {
        ce.workingDirectory = temp;
        ce.environment.put("HOME", temp.toString());
        ce.environment.put("CE_RESOURCE", "ce:9443/cream-fork-demo");
        Files.writeString(temp.resolve("a.jdl"), "[ Executable = \"a\"; ]");
        Files.writeString(temp.resolve("data"), "x");
        Files.writeString(temp.resolve("in.jdl"), "[ Executable = \"a\"; InputSandbox = {\"data\"}; ]");
    }

    private List<String> log() throws IOException {
        return Files.readAllLines(temp.resolve(".cache/gelato/jobs"));
    }

    private String[] submit(int number, String... before) {
        List<String> words = new ArrayList<>(List.of("submit"));
        words.addAll(List.of(before));
        for (int i = 0; i < number; i++) {
            words.add("a.jdl");
        }
        return words.toArray(String[]::new);
    }

    private void signalWhileRegistering(Signal signal) {
        ce.whileRegistering = () -> ce.signals.accept(signal);
    }

    @Test
    void aRegistrationIsInTheLogBeforeItIsSentAndItsJobsBeforeTheyStart() throws IOException {
        ce.whileRegistering = () -> assertThat(temp.resolve(".cache/gelato/jobs"))
                .content()
                .matches("# [0-9a-f]{40} 2026-11-20T12:00:00Z 2 ce:9443\n");
        assertThat(ce.run(submit(2))).isZero();
        assertThat(log())
                .hasSize(4)
                .contains(ID + "1", ID + "2")
                .last()
                .asString()
                .endsWith(" answered");
        assertThat(Files.getPosixFilePermissions(temp.resolve(".cache/gelato/jobs")))
                .hasSize(2);
    }

    @Test
    void aFullLogMakesPlaceAndItsIdsStayKnown() throws IOException {
        ce.run(submit(1));
        Path log = temp.resolve(".cache/gelato/jobs");
        Files.writeString(log, (ID + "1\n").repeat(5000));
        assertThat(ce.run(submit(1))).isZero();
        assertThat(temp.resolve(".cache/gelato/jobs.former")).isNotEmptyFile();
        assertThat(ce.run(submit(1))).isZero();
        assertThat(Files.size(log)).isLessThan(1000);
        Files.delete(log);
        Files.createDirectories(log.resolve("in the way"));
        ce.err.reset();
        assertThat(ce.run(submit(1))).isZero();
        assertThat(ce.err()).isEmpty();
    }

    @Test
    void aSignalWhileJobsAreRegisteredLetsNoneRun() {
        for (Signal signal : Signal.values()) {
            signalWhileRegistering(signal);
            ce.calls.clear();
            assertThat(ce.run(submit(2))).isEqualTo(signal.exitCode());
            assertThat(ce.calls).noneMatch(call -> call.startsWith("start"));
            assertThat(ce.calls.stream().filter(call -> call.startsWith("purge")))
                    .singleElement()
                    .asString()
                    .matches("purge CREAM\\d+ CREAM\\d+");
        }
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err()).contains("ce submit: a.jdl: interrupted; the job was not started and is removed\n");
    }

    @Test
    void whatIsNotSentAnyMoreIsInTheResultWithTheJobsThatRun() throws IOException {
        // While the second hundred is registered.
        ce.whileRegistering = () -> {
            if (ce.jdls.size() == 100) {
                ce.signals.accept(Signal.INT);
            }
        };
        assertThat(ce.run(submit(250, "--json"))).isEqualTo(130);
        JsonNode result = new ObjectMapper().readTree(ce.out());
        assertThat(result.at("/jobs")).hasSize(100);
        assertThat(result.at("/notSubmitted/files")).hasSize(150);
        assertThat(result.at("/notSubmitted/reason").asText()).isEqualTo("interrupted (50 not sent)");
    }

    @Test
    void anUploadIsBrokenOff() {
        ce.whileUploading = file -> ce.signals.accept(Signal.TERM);
        assertThat(ce.run("submit", "in.jdl")).isEqualTo(143);
        assertThat(ce.calls).contains("purge CREAM000000001").noneMatch(call -> call.startsWith("start"));
        assertThat(Thread.interrupted()).isFalse();
    }

    /** The CE starts it with its last file, which may have arrived. */
    @Test
    void aJobThatMayHaveStartedAsItsUploadWasBrokenOffIsPrinted() {
        ce.startsWithRegistration = true;
        ce.whileUploading = file -> ce.signals.accept(Signal.TERM);
        assertThat(ce.run("submit", "in.jdl")).isEqualTo(143);
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err()).contains("the job was not started and is removed");
        ce.err.reset();

        ce.refusal = new WireFault("JobStatusInvalidFault", "409", "it runs", null);
        assertThat(ce.run("submit", "in.jdl")).isEqualTo(143);
        assertThat(ce.out()).isEqualTo(ID + "2\n");
        assertThat(ce.err()).contains("the job was not removed: it runs; ce status " + ID + "2\n");

        ce.requestsBeforeLoss = 0;
        assertThat(ce.run("submit", "in.jdl")).isEqualTo(143);
        assertThat(ce.out()).endsWith(ID + "3\n");
        assertThat(ce.err()).contains("it is not known whether the job was removed: ce status " + ID + "3\n");

        ce.outages = 1;
        assertThat(ce.run("submit", "in.jdl")).isEqualTo(143);
        assertThat(ce.out()).endsWith(ID + "4\n");
        assertThat(ce.err())
                .contains("not known whether the job runs: ce status " + ID + "4\n")
                .doesNotContain("not started");
    }

    /** The CE starts it as it is registered. */
    @Test
    void aJobThatRunsAlreadyIsPrinted() {
        ce.startsWithRegistration = true;
        signalWhileRegistering(Signal.INT);
        assertThat(ce.run(submit(1))).isEqualTo(130);
        assertThat(ce.out()).isEqualTo(ID + "1\n");
    }

    @Test
    void theSecondSignalLeavesAndNamesWhatItLeaves() {
        ce.whileRegistering = () -> Arrays.asList(Signal.INT, Signal.INT).forEach(ce.signals);
        assertThat(ce.run(submit(1))).isEqualTo(130);
        assertThat(ce.calls).contains("leave 130");
        assertThat(ce.err())
                .contains(
                        "ce submit: left; the response to a registration has not come: ce list --lost -e ce:9443 shows"
                                + " what it made\n");
    }

    @Test
    void runCancelsAJobWhoseRegistrationWasUnderWay() {
        ce.startsWithRegistration = true;
        ce.states = List.of("IDLE");
        signalWhileRegistering(Signal.TERM);
        assertThat(ce.run("run", "work")).isEqualTo(143);
        assertThat(ce.calls).contains("cancel CREAM000000001");
        ce.startsWithRegistration = false;
        assertThat(ce.run("run", "work")).isEqualTo(143);
        assertThat(ce.calls)
                .contains("purge CREAM000000002")
                .noneMatch(call -> call.startsWith("start CREAM000000002"));
        assertThat(ce.signals).as("handler after the end").isNull();
    }

    /** The HTTP client of Java 17 does so while it reads a response. */
    @Test
    void aSignalWhoseInterruptIsSwallowedIsSeen() {
        ce.states = List.of("IDLE", "IDLE", "IDLE", "IDLE", "DONE-OK");
        ce.whileAsking = () -> {
            ce.whileAsking = () -> {};
            ce.signals.accept(Signal.TERM);
            assertThat(Thread.interrupted()).isTrue();
        };
        assertThat(ce.run("run", "work")).isEqualTo(143);
        assertThat(ce.calls).contains("cancel CREAM000000001");
    }

    @Test
    void aJobGoesOnWhenTheTerminalHasGone() {
        ce.states = List.of("IDLE", "IDLE", "DONE-OK");
        ce.whilePausing = () -> {
            if (ce.pauses.size() == 1) {
                ce.signals.accept(Signal.HUP);
            }
        };
        for (int room : List.of(ce.room, -1)) {
            ce.room = room;
            ce.pauses.clear();
            ce.calls.clear();
            ce.run("run", "work");
            assertThat(ce.calls).contains("leave 129").noneMatch(call -> call.startsWith("cancel"));
        }
    }

    @Test
    void aJobThatCannotBeCancelledIsNamed() {
        ce.states = List.of("IDLE");
        ce.whilePausing = () -> ce.signals.accept(Signal.TERM);
        // The start.
        ce.requestsBeforeLoss = 1;
        assertThat(ce.run("run", "work")).isEqualTo(125);
        assertThat(ce.err())
                .endsWith("the connection broke; it is not known whether " + ID + "1 is being cancelled: ce status "
                        + ID + "1\n");
        ce.requestsBeforeLoss = 1;
        ce.lossAfterTheRequest = false;
        assertThat(ce.run("run", "work")).isEqualTo(125);
        assertThat(ce.err()).endsWith("the connection broke; " + ID + "2 goes on: ce cancel " + ID + "2\n");
    }

    @Test
    void aReaderThatHasGoneEndsACommandAsSigpipeDoes() {
        ce.pipe = true;
        ce.room = 40;
        assertThat(ce.run(submit(3))).isEqualTo(141);
        assertThat(ce.out()).isEqualTo(ID + "1\n");
        assertThat(ce.err())
                .contains("ce submit: 2 jobs at the CE that standard output has not named")
                .endsWith(ID + "2\n" + ID + "3\n");
        ce.err.reset();
        assertThat(ce.run("list", "-e", "ce:9443")).isEqualTo(141);
        assertThat(ce.run("list", "--help")).isEqualTo(141);
        assertThat(ce.err()).isEmpty();
    }

    @Test
    void aFullStandardOutputIsAnErrorInOneLine() {
        ce.room = 40;
        assertThat(ce.run("list", "-e", "ce:9443")).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce: standard output can't be written: No space left on device\n");
        assertThat(ce.run(submit(1, "--json"))).isEqualTo(1);
        assertThat(ce.err()).contains(ID + "1\n");
    }

    @Test
    void aJobWhoseReaderHasGoneIsCancelledAndOneWithAFullDiskGoesOn() {
        ce.states = List.of("REALLY-RUNNING");
        ce.live = List.of(new MessageCalls.Report(
                "1",
                "CREAM000000001",
                "stdout",
                0,
                FakeCe.NOON,
                null,
                null,
                "much".getBytes(StandardCharsets.UTF_8),
                JsonNodeFactory.instance.nullNode()));
        ce.room = 0;
        ce.pipe = true;
        assertThat(ce.run("run", "work")).isEqualTo(141);
        assertThat(ce.calls).contains("cancel CREAM000000001");
        ce.pipe = false;
        assertThat(ce.run("run", "work")).isEqualTo(125);
        assertThat(ce.calls).doesNotContain("cancel CREAM000000002");
        assertThat(ce.err())
                .contains("standard output can't be written: No space left on device; " + ID + "2 goes on: ce follow "
                        + ID + "2");
    }

    @Test
    void jobsOfALostResponseAreListed() {
        assertThat(ce.run("list", "-e", "ce:9443", "--lost")).isZero();
        assertThat(ce.err()).isEqualTo("ce list: no submission from here to ce:9443 lacks its response\n");
        ce.run(submit(1));
        ce.registersBeforeLoss = 0;
        ce.startsWithRegistration = true;
        assertThat(ce.run(submit(1))).isEqualTo(1);
        assertThat(ce.err()).contains("ce list --lost -e ce:9443");
        ce.script.put("CREAM000000009", new ArrayList<>(List.of("IDLE")));
        ce.out.reset();
        assertThat(ce.run("list", "-e", "ce:9443", "--lost")).isZero();
        assertThat(ce.out()).isEqualTo(ID + "9\n");
        assertThat(ce.selector.from()).isEqualTo("2026-11-20T11:55:00Z");
        assertThat(ce.err())
                .endsWith("ce list: 1 job that may be of those without a response: 1 job registered"
                        + " 2026-11-20T12:00:00Z\n");
        ce.out.reset();
        assertThat(ce.run("list", "-e", "other:9443", "--lost")).isZero();
        assertThat(ce.out()).isEmpty();
        assertThat(ce.run("list", "--lost", "--summary")).isEqualTo(2);
    }
}
