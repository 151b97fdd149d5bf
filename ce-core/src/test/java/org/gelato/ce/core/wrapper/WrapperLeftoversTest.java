package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job leaves running when its program has ended (docs/decisions/0098). */
@Timeout(120)
class WrapperLeftoversTest {
    private static final String SAID = "The job has left processes running, they were ended: ";

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
        await().until(() -> all.stream().noneMatch(this::isAlive)); // until it is reaped
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
