package org.gelato.ce.core.wrapper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that the batch system ends. */
class WrapperSignalTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private Path ready;

    /** Whether the script is whole; else its common part is a file. */
    boolean isWhole() {
        return false;
    }

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        job.whole = isWhole();
        ready = directory.resolve("ready");
    }

    private static void signal(String name, Process process) throws Exception {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(status).isZero();
    }

    private List<Long> processes() throws IOException {
        return Files.readString(ready).lines().map(Long::parseLong).toList();
    }

    private void gone() {
        await().untilAsserted(() -> assertThat(processes())
                .noneMatch(
                        pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)));
    }

    /** A shell makes the file before it writes the line. */
    private void awaitReady() {
        await().until(() -> Files.exists(ready) && Files.size(ready) > 0);
    }

    private Running started(String text) throws IOException {
        Running running = job.start(shell(text, ""));
        awaitReady();
        return running;
    }

    /** QUIT is missing because a JVM's children have it blocked; it goes the same way. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "HUP", "INT", "XCPU"})
    void signalsReachThePayloadAndItsChildren(String name) throws Exception {
        Running running = started("echo begun; sleep 300 & echo $$ > r; echo $! >> r; mv r '" + ready + "'; wait");
        signal(name, running.process);
        Ended ended = running.end();
        gone();
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.stdout()).isEqualTo("jw exit status = 1\n");
        WrapperEvent done = job.spooled().get(2);
        assertThat(done.kind()).isEqualTo(WrapperEvent.Kind.DONE);
        assertThat(done.reason()).isEqualTo("Job has been terminated (got SIG" + name + ")");
        assertThat(done.exitCode()).isNull();
        assertThat(WrapperRun.read(job.sandbox.resolve("exit"))).isEqualTo(done);
        assertThat(job.output("out")).isEqualTo("begun\n");
    }

    @Test
    void aSignalWhileTheWorkingDirectoryIsMadeLeavesNone() throws Exception {
        job.command(
                "mktemp",
                "made=$(/usr/bin/mktemp \"$@\"); echo $$ > '" + ready + "'; until [ -e '" + ready
                        + ".go' ]; do /bin/sleep 0.05; done; echo \"$made\"");
        Running running = job.start(shell("echo begun", ""));
        awaitReady();
        signal("TERM", running.process);
        Files.createFile(directory.resolve("ready.go"));
        assertThat(running.end().status()).isEqualTo(1);
        assertThat(job.spooled().get(1).reason()).isEqualTo("Job has been terminated (got SIGTERM)");
        assertThat(job.scratch).isEmptyDirectory();
    }

    @Test
    void aRelativeTmpdirIsThatOfTheStart() throws Exception {
        job.environment.put("TMPDIR", "scratch");
        Ended ended = job.run(shell("echo $TMPDIR; ls -d $TMPDIR", ""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).isEqualTo((job.scratch + "\n").repeat(2));
        assertThat(job.scratch).isEmptyDirectory();
    }

    /** What sites send jobs so that they write a checkpoint. */
    @ParameterizedTest
    @ValueSource(strings = {"USR1", "USR2", "ALRM", "VTALRM", "PROF", "IO", "PWR", "STKFLT", "34", "64"})
    void aSignalThatMeansNoEndIsThePayloads(String name) throws Exception {
        Path got = directory.resolve("got");
        Running running = started("trap \"echo got > '" + got + "'\" " + name + "; echo $$ > '" + ready
                + "'; until [ -s '" + got + "' ]; do sleep 0.05; done; exit 3");
        signal(name, running.process);
        Ended ended = running.end();
        assertThat(ended.status()).isZero();
        assertThat(job.spooled().get(2).exitCode()).isEqualTo(3);
        assertThat(job.spooled().get(2).signal()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PIPE", "XFSZ"})
    void aSignalOfAFailedWriteEndsNothing(String name) throws Exception {
        Running running = started("echo $$ > '" + ready + "'; until [ -e '" + ready + ".go' ]; do sleep 0.05; done");
        signal(name, running.process);
        Files.createFile(directory.resolve("ready.go"));
        assertThat(running.end().status()).isZero();
        assertThat(job.spooled().get(2).exitCode()).isZero();
    }

    /**
     * A signal ends bash's wait with a status of its own, and the payload may end before the wrapper checks that it
     * lives: here it always does.
     */
    @ParameterizedTest
    @ValueSource(strings = {"USR1", "64"})
    void aSignalThatComesWithThePayloadsEndIsNotItsExitCode(String name) throws Exception {
        String script = String.join(
                "\n",
                function("__gelato_watch") + function("__gelato_passed") + function("__gelato_wait"),
                "wait() { builtin wait \"$@\"; local status=$?; touch '" + ready + ".go'; return $status; }",
                "kill() { while builtin kill -s 0 \"$3\" 2> /dev/null; do sleep 0.05; done; return 1; }",
                "__gelato_phase=launching; __gelato_watch",
                "until [ -e '" + ready + ".go' ]; do sleep 0.05; builtin kill -s " + name + " $$; done &",
                "(until [ -e '" + ready + ".go' ]; do sleep 0.05; done; exit 3) &",
                "__gelato_wait $!; exit $__gelato_status");
        Process process = new ProcessBuilder("bash", "-c", script).start();
        assertThat(process.waitFor()).isEqualTo(3);
    }

    /** The text of function {@code name} of the wrapper. */
    private static String function(String name) throws IOException {
        try (InputStream base = WrapperSignalTest.class.getResourceAsStream("base.sh")) {
            String text = new String(base.readAllBytes(), UTF_8);
            int start = text.indexOf("\n" + name + "() {");
            return text.substring(start, text.indexOf("\n}", start) + 2);
        }
    }

    @Test
    void payloadMayTidyUp() throws Exception {
        Running running = started("trap \"sleep 0.3; echo tidied; exit 0\" TERM; echo $$ > '" + ready + "';"
                + " while :; do sleep 0.1; done");
        signal("TERM", running.process);
        signal("TERM", running.process);
        running.end();
        assertThat(job.output("out")).contains("tidied\n");
        assertThat(job.spooled().get(2).reason()).isEqualTo("Job has been terminated (got SIGTERM)");
    }

    @Test
    void payloadThatWillNotEndIsKilled() throws Exception {
        job.environment.put("GELATO_KILL_DELAY", "0.2");
        Running running = started("trap \"\" TERM; echo $$ > '" + ready + "'; while :; do sleep 300; done");
        signal("TERM", running.process);
        assertThat(running.end().status()).isEqualTo(1);
        gone();
        assertThat(job.spooled()).hasSize(3);
    }

    /** Bash may sleep through the end of the child it waits for, until another ends: so there is no other. */
    @Test
    void payloadIsTheOnlyChild() throws Exception {
        job.environment.put("GELATO_KILL_DELAY", "60");
        String text = "trap \"rm '" + ready + "'\" TERM; echo $$ > '" + ready + "'; while :; do sleep 0.1; done";
        Running running = started(text);
        List<Long> payload = processes();
        assertThat(children(running)).isEqualTo(payload);
        signal("TERM", running.process);
        await().until(() -> Files.notExists(ready));
        await().untilAsserted(() -> assertThat(children(running)).isEqualTo(payload));
        ProcessHandle.of(payload.get(0)).orElseThrow().destroyForcibly();
        assertThat(running.end().status()).isEqualTo(1);
    }

    private static List<Long> children(Running running) {
        return running.process.children().map(ProcessHandle::pid).toList();
    }

    @Test
    void payloadKilledFromOutsideHasTheShellsExitCode() throws Exception {
        Running running = started("echo $$ > '" + ready + "'; sleep 300");
        ProcessHandle.of(processes().get(0)).orElseThrow().destroyForcibly();
        assertThat(running.end().status()).isZero();
        assertThat(job.spooled().get(2).exitCode()).isEqualTo(137);
    }

    @Test
    void signalWhileInputIsStagedEndsTheJob() throws Exception {
        job.upload("big", "x");
        Path go = directory.resolve("go");
        job.command("cp", "echo $$ > '" + ready + "'; until [ -e '" + go + "' ]; do sleep 0.05; done");
        Running running = job.start(WrapperRun.jdl("Executable = \"/bin/true\"; InputSandbox = \"big\";"));
        awaitReady();
        signal("TERM", running.process);
        Files.createFile(go);
        assertThat(running.end().status()).isEqualTo(1);
        assertThat(job.spooled())
                .extracting(WrapperEvent::kind)
                .containsExactly(WrapperEvent.Kind.RUNNING, WrapperEvent.Kind.DONE);
        assertThat(job.spooled().get(1).reason()).isEqualTo("Job has been terminated (got SIGTERM)");
    }

    private Ended broken(String attributes) throws Exception {
        Running running = job.start(shell("echo ran", attributes));
        awaitReady();
        signal("TERM", running.process);
        Ended ended = running.end();
        gone();
        assertThat(ended.status()).isEqualTo(1);
        WrapperEvent done = WrapperRun.read(job.sandbox.resolve("exit"));
        assertThat(done.reason()).isEqualTo("Job has been terminated (got SIGTERM)");
        assertThat(done.exitCode()).isNull();
        return ended;
    }

    private String hanging() {
        return "/bin/sleep 300 & { echo $$; echo $!; } > '" + ready + ".new'; mv '" + ready + ".new' '" + ready
                + "'; wait";
    }

    @Test
    void downloadIsBrokenOff() throws Exception {
        job.command("globus-url-copy", hanging());
        broken("InputSandbox = \"gsiftp://h/in\";");
        assertThat(job.spooled()).hasSize(2);
    }

    @Test
    void waitForTheNextTryIsBrokenOff() throws Exception {
        job.command("globus-url-copy", "exit 1");
        job.command("sleep", hanging());
        broken("InputSandbox = \"gsiftp://h/in\";");
        assertThat(job.spooled()).hasSize(2);
    }

    @Test
    void prologueIsBrokenOff() throws Exception {
        job.upload("pro", hanging());
        broken("Prologue = \"pro\"; InputSandbox = \"pro\";");
        assertThat(job.spooled()).hasSize(2);
    }

    @Test
    void epilogueIsBrokenOffAndOutputKept() throws Exception {
        job.upload("epi", hanging());
        broken("Epilogue = \"epi\"; InputSandbox = \"epi\";");
        assertThat(job.output("out")).isEqualTo("ran\n");
    }

    @Test
    void uploadIsBrokenOffAndOtherOutputKept() throws Exception {
        job.command("globus-url-copy", hanging());
        broken("OutputSandbox = \"out\"; OutputSandboxBaseDestURI = \"gsiftp://h\";");
        assertThat(job.output("out")).isEqualTo("ran\n");
    }

    @Test
    void outputOfATerminatedJobIsTriedOnce() throws Exception {
        job.command("globus-url-copy", "echo \"$@\" >> '" + directory + "/copies'; exit 1");
        job.command("timeout", "echo \"$2\" >> '" + directory + "/limits'; shift 2; exec \"$@\"");
        Running running = job.start(shell(
                "echo $$ > '" + ready + "'; sleep 300",
                "OutputSandbox = \"out\"; OutputSandboxBaseDestURI = \"gsiftp://h\";"));
        awaitReady();
        signal("TERM", running.process);
        running.end();
        assertThat(directory.resolve("limits")).hasContent("20");
        assertThat(Files.readAllLines(directory.resolve("copies"))).hasSize(1);
        assertThat(job.spooled().get(2).reason()).isEqualTo("Job has been terminated (got SIGTERM)");
    }

    private WrapperEvent reported() throws IOException {
        WrapperEvent done = WrapperRun.read(job.sandbox.resolve("exit"));
        assertThat(done.kind()).isEqualTo(WrapperEvent.Kind.DONE);
        assertThat(job.spooled().get(2)).isEqualTo(done);
        return done;
    }

    /** Slurm signals each process: the payload's child dies, the script ends well, and then the wrapper is signalled. */
    @Test
    void aSignalAfterThePayloadsEndIsReportedBesideItsExitCode() throws Exception {
        job.environment.put("GLITE_LOCAL_CUSTOMIZATION_DIR", directory.toString());
        Files.writeString(directory.resolve("cp_2.sh"), "kill -TERM $$");
        assertThat(job.run(shell("echo ran", "")).status()).isZero();
        assertThat(reported().signal()).isEqualTo("TERM");
        assertThat(reported().exitCode()).isZero();
        assertThat(job.output("out")).isEqualTo("ran\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "__gelato_compose DONE \"$1\" \"$2\"",
                "__gelato_event+=$__gelato_used${__gelato_messages-}",
                "__gelato_phase=ended"
            })
    void aSignalWhileTheEndIsComposedIsReported(String line) throws Exception {
        job.replaced.put(line, "kill -TERM $$\n" + line);
        job.run(shell("echo ran", ""));
        assertThat(reported().signal()).isEqualTo("TERM");
        assertThat(reported().exitCode()).isZero();
    }

    @Test
    void aSignalAfterTheEndWasComposedChangesNothing() throws Exception {
        String line = "[[ -z $signal ]] || __gelato_event+=signal=$signal$'\\n'";
        job.replaced.put(line, "kill -TERM $$\n" + line);
        assertThat(job.run(shell("exit 4", "")).status()).isZero();
        assertThat(reported().signal()).isNull();
        assertThat(reported().exitCode()).isEqualTo(4);
    }

    @Test
    void aSignalThatAPayloadTrapsIsReported() throws Exception {
        Running running = started("trap \"exit 0\" TERM; echo $$ > '" + ready + "'; while :; do sleep 0.1; done");
        signal("TERM", running.process);
        running.end();
        assertThat(reported().signal()).isEqualTo("TERM");
        assertThat(reported().exitCode()).isNull();
    }

    @Test
    void anEndWithoutASignalReportsNone() throws Exception {
        job.run(shell("exit 0", ""));
        assertThat(reported().signal()).isNull();
        assertThat(Files.readString(job.sandbox.resolve("exit"))).doesNotContain("signal=");
    }
}
