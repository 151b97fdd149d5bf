package org.gelato.ce.blahbridge.fork;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.blahbridge.fork.ForkJob.Phase;
import org.gelato.ce.core.account.UnusedAccounts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the fork batch system kills, by a table of processes the test writes: no real number can be given away in time. */
class ForkCancellerTest {
    private static final int PID = 4711;

    @TempDir
    Path proc;

    private final List<Long> signalled = new ArrayList<>();
    private ForkCanceller canceller;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot\n");
        process(1, 1);
        UnusedAccounts accounts = new UnusedAccounts() {
            @Override
            public CompletableFuture<Void> signal(String account, long pid, int signal) {
                signalled.add(pid);
                return CompletableFuture.completedFuture(null);
            }
        };
        canceller = new ForkCanceller(
                null, accounts, new ProcessTable(proc), Clock.systemUTC(), Runnable::run, Duration.ofSeconds(10));
    }

    private void process(long pid, long start) throws IOException {
        Path directory = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                directory.resolve("stat"), pid + " (bash) S 1 " + pid + " 0".repeat(16) + " " + start + " 0 0\n");
    }

    private static ForkJob job() {
        Path at = Path.of("/sandbox");
        return new ForkJob(
                1,
                "cream_000000001",
                1,
                "dteam001",
                at,
                at,
                at,
                at,
                Phase.RUNNING,
                1,
                new ProcessMark(PID, 100, "boot"),
                false,
                null,
                false,
                Instant.EPOCH,
                null);
    }

    @Test
    void aGroupWhoseNumberIsAnothersIsNotKilled() throws IOException {
        process(PID, 200);
        canceller.kill(job());
        assertThat(signalled).isEmpty();
    }

    @Test
    void whatAWrapperThatEndedLeftIsKilled() throws IOException {
        canceller.kill(job());
        process(PID, 100);
        canceller.kill(job());
        assertThat(signalled).containsExactly((long) PID, (long) PID);
    }
}
