package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hooks of the site that do not end. */
@Timeout(120)
class WrapperHookTimeTest {
    private static final String PROGRAM = "bash -c 'trap \"\" TERM; echo $$ > ready; sleep 600; sleep 600'";
    private static final String LOOP = "echo $BASHPID > ready; while :; do :; done";

    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        job.environment.put("GLITE_LOCAL_CUSTOMIZATION_DIR", directory.toString());
        limit(Duration.ofSeconds(1));
    }

    private void limit(Duration hook) {
        job.patience = new WrapperPatience(Duration.ofMinutes(1), Duration.ofHours(1), null, 0, hook);
    }

    private void hook(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), "cd '" + directory + "'; " + text);
    }

    private WrapperEvent last() {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    private void assertProgramIsGone() throws IOException {
        long pid = Long.parseLong(Files.readString(directory.resolve("ready")).strip());
        await().until(() -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {PROGRAM, LOOP})
    void aHookThatHangsBeforeThePayloadFailsTheJob(String text) throws IOException {
        hook("cp_1.sh", text);
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(ended.status()).as(ended.stderr()).isEqualTo(1);
        assertThat(last().reason()).isEqualTo("Hook " + directory + "/cp_1.sh did not end within 1 s");
        assertThat(last().exitCode()).isNull();
        assertThat(directory.resolve("ran")).doesNotExist();
        assertProgramIsGone();
        assertThat(WrapperRun.names(job.sandbox)).containsExactlyInAnyOrder("wrapper.sh", "claim", "exit");
    }

    @ParameterizedTest
    @ValueSource(strings = {PROGRAM, LOOP})
    void outputOfAJobWhoseHookHangsAfterItIsKept(String text) throws IOException {
        hook("cp_2.sh", text);
        job.run(shell("echo made", ""));
        assertThat(last().reason()).isEqualTo("Hook " + directory + "/cp_2.sh did not end within 1 s");
        assertThat(job.output("out")).isEqualTo("made\n");
        assertProgramIsGone();
    }

    @ParameterizedTest
    @ValueSource(strings = {PROGRAM, LOOP})
    void theLastHookThatHangsChangesNothing(String text) throws IOException {
        hook("cp_3.sh", text);
        assertThat(job.run(shell("exit 4", "")).status()).isZero();
        assertThat(last().exitCode()).isEqualTo(4);
        assertProgramIsGone();
    }

    @Test
    void aHookInTimeIsLeftAlone() throws IOException {
        limit(Duration.ofMinutes(10));
        hook("cp_2.sh", "sleep 1; touch done");
        assertThat(job.run(shell("true", "")).status()).isZero();
        assertThat(directory.resolve("done")).exists();
        assertThat(last().reason()).isNull();
    }

    /** The batch system signals the group, the session or the control group; the trap of the shell waits for the program. */
    @ParameterizedTest
    @ValueSource(strings = {"cp_1.sh", "cp_2.sh"})
    void aSignalEndsAHookLongBeforeItsTime(String name) throws Exception {
        limit(Duration.ofHours(1));
        hook(name, PROGRAM);
        Path script = job.write(shell("echo made", ""));
        Path leader = Files.writeString(
                directory.resolve("leader"), "exec setsid bash " + BashQuote.quote(script.toString()));
        Running running = job.start(leader);
        Path ready = directory.resolve("ready");
        await().until(() -> Files.exists(ready) && Files.size(ready) > 0);
        assertThat(new ProcessBuilder("kill", "-TERM", "--", "-" + running.process.pid())
                        .start()
                        .waitFor())
                .isZero();
        running.end();
        assertProgramIsGone();
        assertThat(last().signal()).isEqualTo("TERM");
        if (name.equals("cp_1.sh")) {
            assertThat(last().reason()).isEqualTo("Job has been terminated (got SIGTERM)");
        } else {
            assertThat(last().exitCode()).isZero();
            assertThat(job.output("out")).isEqualTo("made\n");
        }
    }
}
