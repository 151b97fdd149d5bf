package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job leaves running when its program has ended (docs/developer/decisions/0093). */
@Timeout(120)
class WrapperLeftoversTest {
    private static final String SAID = "The job has left processes running, they were ended: ";
    private static final Duration REAPED = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private WrapperRun job;
    private Path pids;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        pids = directory.resolve("pids");
    }

    private boolean isAlive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid.strip()))
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }

    private void assertAllEnded(int count) throws IOException {
        List<String> all = Files.readAllLines(pids);
        assertThat(all).hasSize(count);
        await().atMost(REAPED).until(() -> all.stream().noneMatch(this::isAlive)); // until it is reaped
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 600 & echo $! >> PIDS",
                "env -i /bin/sleep 600 & echo $! >> PIDS",
                "setsid bash -c \"echo \\$\\$ >> PIDS; sleep 600; :\" & until [ -s PIDS ]; do sleep 0.05; done"
            })
    void aProcessInTheBackgroundIsEnded(String text) throws IOException {
        Ended ended = job.run(shell(text.replace("PIDS", pids.toString()) + "; exit 3", ""));
        assertAllEnded(1);
        assertThat(ended.stderr()).contains(SAID);
        assertThat(ended.status()).isZero();
        assertThat(WrapperRun.read(job.sandbox.resolve("exit")).exitCode()).isEqualTo(3);
    }

    /** As what a program with setuid starts. */
    @Test
    void aProcessOfAnotherAccountInItsGroupIsEnded() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("switching accounts needs root")
                .isEqualTo("root");
        job.run(shell(
                "setpriv --reuid=65534 --clear-groups sleep 600 & echo $! >> " + pids
                        + "; until [ \"$(stat -c %u /proc/$!)\" = 65534 ]; do sleep 0.05; done",
                ""));
        assertAllEnded(1);
    }

    @Test
    void itMayTidyUpAndItsOutputIsBrought() throws IOException {
        job.run(shell(
                "bash -c \"trap \\\"echo tidied; exit\\\" TERM; echo begun; while :; do sleep 0.05; done\" &"
                        + " until grep -q begun out; do sleep 0.05; done",
                ""));
        assertThat(job.output("out")).isEqualTo("begun\ntidied\n");
    }

    @Test
    void whatWillNotEndIsKilled() throws IOException {
        job.run(shell(
                "bash -c \"trap : TERM; echo \\$\\$ >> " + pids + "; while :; do sleep 0.05; done\" &" + " until [ -s "
                        + pids + " ]; do sleep 0.05; done",
                ""));
        assertAllEnded(1);
    }

    @Test
    void whatTheEpilogueLeavesIsEnded() throws IOException {
        job.upload("epi", "#!/bin/bash\nsleep 600 &\necho $! >> " + pids + "\n");
        job.run(shell("true", "Epilogue = \"epi\"; InputSandbox = \"epi\";"));
        assertAllEnded(1);
    }

    /** Processes of this test, by their environment. */
    private List<ProcessHandle> daemons() {
        return ProcessHandle.allProcesses().filter(this::isDaemon).toList();
    }

    private boolean isDaemon(ProcessHandle one) {
        try {
            return Files.readString(Path.of("/proc/" + one.pid() + "/environ"), StandardCharsets.ISO_8859_1)
                    .contains("DAEMON=" + directory);
        } catch (IOException e) {
            return false; // of another account, or it has ended
        }
    }

    /** A daemon is no child of the job, and of no process that is there for long; what forks again and again is never met twice. */
    @ParameterizedTest
    @CsvSource({"3, setsid()", "20000, getsid(0)"})
    void whatIsJustBeingStartedIsEnded(int forks, String session) throws Exception {
        Path source = directory.resolve("daemon.c");
        Files.writeString(source, """
                #include <unistd.h>
                int main(void) {
                    for (int i = 0; i < FORKS; i++) {
                        usleep(1000);
                        if (i == 1) { SESSION; }
                        if (fork()) { _exit(0); }
                    }
                    for (int i = 0; i < 3; i++) { close(i); }
                    sleep(600);
                    return 0;
                }
                """);
        Path daemon = directory.resolve("daemon");
        assertThat(new ProcessBuilder(
                                "cc",
                                "-DFORKS=" + forks,
                                "-DSESSION=" + session,
                                "-o",
                                daemon.toString(),
                                source.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        for (int i = 0; i < 3; i++) {
            Path root = Files.createDirectory(directory.resolve("run" + i));
            WrapperRun one = new WrapperRun(root);
            one.environment.put("DAEMON", directory.toString());
            Ended ended = one.run(shell(daemon + " & exit 0", ""));
            assertThat(ended.stderr()).contains(SAID).doesNotContain("cannot be ended");
            try {
                await().atMost(REAPED).until(() -> daemons().isEmpty());
            } finally {
                daemons().forEach(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** As sbatch and qsub -V hand the whole environment over, and another job's daemon starts what they submitted, on this node. */
    @ParameterizedTest
    @ValueSource(strings = {"4711", "4712"})
    void aJobThatItSubmittedIsLeftAlone(String id) throws Exception {
        Path environment = directory.resolve("environment");
        // the one with this job's number has a daemon for its parent; the other one's has left it an orphan
        String orphan = "( SLURM_JOB_ID=4712 setsid bash -c \"echo \\$\\$ > PIDS; exec sleep 600\" & );";
        Running running = job.start(shell(
                "env -0 > E.new; mv E.new E; ".replace("E", environment.toString())
                        + (id.equals("4712") ? orphan.replace("PIDS", pids.toString()) : "")
                        + " until [ -s " + pids + " ]; do sleep 0.05; done",
                ""));
        await().until(() -> Files.exists(environment));
        if (id.equals("4711")) {
            ProcessBuilder daemon = new ProcessBuilder("setsid", "sleep", "600");
            daemon.environment().clear();
            for (String one : Files.readString(environment).split("\0")) {
                daemon.environment().put(one.split("=", 2)[0], one.split("=", 2)[1]);
            }
            Files.writeString(pids, daemon.start().pid() + "\n");
        }
        Ended ended = running.end();
        String child = Files.readString(pids);
        try {
            assertThat(isAlive(child)).isTrue();
            assertThat(ended.stderr()).doesNotContain(SAID);
        } finally {
            ProcessHandle.of(Long.parseLong(child.strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void othersAreLeftAlone() throws Exception {
        ProcessBuilder before = new ProcessBuilder("sleep", "600");
        before.environment().put("GELATO_PAYLOAD", "1.1.");
        Process other = before.start();
        try {
            Ended ended = job.run(shell("true", ""));
            assertThat(ended.stderr()).doesNotContain(SAID);
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }
}
