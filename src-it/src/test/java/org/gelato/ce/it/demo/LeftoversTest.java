package org.gelato.ce.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo ends when it stops, and what it must not touch. */
class LeftoversTest {
    @TempDir
    Path temp;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private Process sleeper(Path directory, String marker, String... before) throws IOException {
        List<String> command = new ArrayList<>(List.of(before));
        command.addAll(List.of("/bin/sleep", "600"));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put(Leftovers.MARKER, marker);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    @Test
    void marksAndSandboxesAreFoundAndNothingElse() throws Exception {
        Path job = Files.createDirectories(temp.resolve("sandbox/dteam/CREAM000000001"));
        Process marked = sleeper(temp, "ours");
        // In a session of its own there is no terminal, as for a batch job.
        Process inSandbox = sleeper(job, "another", "/usr/bin/setsid");
        Process other = sleeper(temp, "ours-too");
        new Leftovers("ours", temp.resolve("sandbox"), Set.of(LocalAccount.ownUid())).end(null, List.of());
        assertEnded(marked);
        assertEnded(inSandbox);
        assertThat(other.isAlive()).isTrue();
    }

    /** What looks like the demo's, of an account it does not use. */
    @Test
    void lookAlikesOfOtherAccountsChangeNothing() throws Exception {
        assumeTrue(LocalAccount.ownUid() == 0, "another account's process needs root");
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path job = Files.createDirectories(temp.resolve("sandbox"));
        Process stranger = sleeper(job, "ours", "/usr/bin/setpriv", "--reuid=61238", "--clear-groups");
        await().until(() -> Leftovers.uid(Path.of("/proc/" + stranger.pid())) == 61_238);
        new Leftovers("ours", job, Set.of(0, 65_534)).end(null, List.of());
        assertThat(stranger.isAlive()).isTrue();
        new Leftovers("ours", job, Set.of(0, 61_238)).end(null, List.of());
        assertEnded(stranger);
    }

    @Test
    void processesThatIgnoreTheRequestAreKilled() throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done");
        builder.environment().put(Leftovers.MARKER, "stubborn");
        Process stubborn = builder.start();
        started.add(stubborn);
        assertThat(stubborn.getInputStream().read()).isEqualTo('r');
        new Leftovers("stubborn", temp.resolve("sandbox"), Set.of(LocalAccount.ownUid()))
                .end(stubborn.toHandle(), List.of());
        assertEnded(stubborn);
    }

    /** The process is gone already; this JVM's own note of it may come a moment later. */
    private static void assertEnded(Process process) throws InterruptedException {
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
}
