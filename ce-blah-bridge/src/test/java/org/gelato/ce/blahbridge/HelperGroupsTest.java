package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker follows its account's groups. The helper has account files of its own, in a mount namespace. */
class HelperGroupsTest {
    private static final String ACCOUNT = "gelatogroups";
    private static final int GROUP = 61_235;

    @TempDir
    Path temporary;

    private final ExecutorService work = Executors.newSingleThreadExecutor();
    private GahpChannel channel;
    private AccountCommands commands;
    private Path groups;
    private Path home;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(RunningHelper.ROOT, "switching accounts needs root; this run is not root");
        assumeTrue(new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0, "this host lets nobody mount");
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        home = base.resolve("sandbox/vo/h1");
        groups = base.resolve("group");
        Path accounts = base.resolve("passwd");
        List<String> all = new ArrayList<>(Files.readAllLines(Path.of("/etc/passwd")));
        all.add(ACCOUNT + ":x:61234:65534::/:/bin/false");
        all.add("gelatoother:x:61236:65534::/:/bin/false");
        Files.write(accounts, all);
        members("serve:x:61237:" + ACCOUNT + ",gelatoother", "extra:x:" + GROUP + ":" + ACCOUNT);
        for (Path file : List.of(groups, accounts)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        Path limits = base.resolve("helper.conf");
        Files.write(
                limits,
                List.of(
                        "sandbox_root=" + base.resolve("sandbox"),
                        "allowed_group=serve",
                        "executable=/bin/bash",
                        "executable=/usr/bin/"));
        channel = GahpChannel.start(List.of(
                "unshare",
                "-m",
                "/bin/sh",
                "-c",
                "mount --bind " + accounts + " /etc/passwd && mount --bind " + groups + " /etc/group && exec \"$@\"",
                "-",
                HelperBinary.extract(base.resolve("bin")).toString(),
                "-c",
                limits.toString()));
        commands = new HelperAccountCommands(channel);
    }

    @AfterEach
    void stop() {
        if (channel != null) {
            channel.close();
        }
        work.shutdownNow();
    }

    /** In place: what is mounted is this file. */
    private void members(String... lines) throws IOException {
        List<String> all = new ArrayList<>(Files.readAllLines(Path.of("/etc/group")));
        all.addAll(List.of(lines));
        Files.write(groups, all);
    }

    private Run bash(String script) {
        return bash(script, home);
    }

    private static Run bash(String script, Path directory) {
        return new Run(
                List.of("/bin/bash", "-c", script),
                directory,
                Map.of("PATH", "/usr/bin:/bin"),
                new byte[0],
                List.of(),
                Duration.ofMinutes(4),
                10_000);
    }

    private boolean hasGroup() {
        Completed id = get(commands.run(ACCOUNT, bash("id -G")));
        return List.of(id.stdout().strip().split(" ")).contains(Integer.toString(GROUP));
    }

    private String stats() {
        return String.join(" ", get(channel.ask("GELATO_STATS")));
    }

    @Test
    void aGroupThatWasTakenAwayIsGoneWithTheRequestAfterAnIdleSecondAndAStreamGoesOn() throws IOException {
        assertThat(hasGroup()).isTrue();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch changed = new CountDownLatch(1);
        AtomicLong bytes = new AtomicLong();
        CompletableFuture<Completed> stream =
                commands.stream(ACCOUNT, bash("head -c 2000000 /dev/zero; id -G >&2"), work, piece -> {
                    bytes.addAndGet(piece.length);
                    begun.countDown();
                    await().until(() -> changed.getCount() == 0);
                });
        await().until(() -> begun.getCount() == 0);
        members("serve:x:61237:" + ACCOUNT);
        await().until(() -> !hasGroup());
        assertThat(stats()).contains("forks=2 ", "workers=2 ", "lost=0 ");
        changed.countDown();
        assertThat(get(stream).exit()).isZero();
        assertThat(bytes).hasValue(2_000_000);
        await().until(() -> stats().contains("workers=1 "));

        members("serve:x:61237:" + ACCOUNT, "extra:x:" + GROUP + ":" + ACCOUNT);
        await().until(this::hasGroup);
        assertThat(stats()).contains("forks=3 ", "lost=0 ");
    }

    @Test
    void anAccountThatLeftTheAllowedGroupIsServedNoLongerAndOthersAre() throws IOException {
        assertThat(hasGroup()).isTrue();
        assertThat(get(commands.run("gelatoother", bash("id -un", home.resolveSibling("h2"))))
                        .exit())
                .isZero();
        members("serve:x:61237:gelatoother");
        await().until(() -> {
            try {
                hasGroup();
                return false;
            } catch (AccountCommandException e) {
                assertThat(e.code()).isEqualTo(Code.REFUSED);
                return true;
            }
        });
        assertThat(failure(commands.run(ACCOUNT, bash("id")))).hasMessageContaining("in no allowed group");
        assertThat(get(commands.run("gelatoother", bash("id -un", home.resolveSibling("h2"))))
                        .exit())
                .isZero();
        assertThat(stats()).contains("forks=2 ", "workers=1 ", "lost=0 ");
    }
}
