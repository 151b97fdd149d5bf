package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.AccountCommands.Spawn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resource limits of workers and of what they start, and what a flood of requests costs. */
class HelperLimitsTest {
    private static final String SHOWN = "ulimit -Hc; ulimit -Hn; ulimit -Hv; ulimit -Sc; ulimit -Sn; ulimit -Sv";

    @TempDir
    Path temporary;

    private final String account = RunningHelper.ROOT ? "nobody" : AccountCommands.SELF;
    private GahpChannel channel;
    private AccountCommands commands;
    private Path home;

    private void start(String... keys) throws IOException {
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        home = base.resolve("sandbox/vo/h1");
        List<String> lines =
                new ArrayList<>(List.of("sandbox_root=" + base.resolve("sandbox"), "executable=/bin/bash"));
        if (!RunningHelper.ROOT) {
            lines.add("self_executable=/bin/bash");
        }
        lines.addAll(List.of(keys));
        Path file = base.resolve("helper.conf");
        Files.write(file, lines);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        channel = GahpChannel.start(List.of(
                "/bin/sh",
                "-c",
                // as from a JVM, which raises the soft limit, in a unit that lets it lock memory
                "ulimit -n $(ulimit -Hn); ulimit -l unlimited 2>/dev/null; exec \"$@\"",
                "-",
                HelperBinary.extract(base.resolve("bin")).toString(),
                "-c",
                file.toString()));
        commands = new HelperAccountCommands(channel);
    }

    @AfterEach
    void stop() {
        channel.close();
    }

    private Run bash(String script, byte[] stdin) {
        return new Run(
                List.of("/bin/bash", "-c", script), home, Map.of(), stdin, List.of(), Duration.ofMinutes(1), 10_000);
    }

    private long worker() {
        return ProcessHandle.of(channel.pid())
                .orElseThrow()
                .children()
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private String worker(String limit) throws IOException {
        return limits(worker(), limit)[0];
    }

    /** Soft and hard. */
    private static String[] limits(long pid, String limit) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/limits")).stream()
                .filter(line -> line.startsWith(limit))
                .map(line -> line.substring(26).strip().split(" +"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void commandsAndJobsGetTheLimitsOfTheConfigurationAndTheWorkerItsOwn() throws IOException {
        start("command_core=0", "command_files=77", "command_memory=512", "worker_memory=128", "max_children=4");
        String limits = "0\n77\n524288\n0\n77\n524288\n";
        assertThat(get(commands.run(account, bash(SHOWN, new byte[0]))).stdout())
                .isEqualTo(limits);
        get(commands.spawn(
                account,
                new Spawn(
                        List.of("/bin/bash", "-c", SHOWN + "; echo end"),
                        home,
                        Map.of(),
                        List.of(),
                        home.resolve("out"),
                        home.resolve("err"))));
        await().until(() ->
                get(commands.get(account, home.resolve("out"), 0, 1000)).size() > limits.length());
        assertThat(new String(
                        get(commands.get(account, home.resolve("out"), 0, 1000)).content(), StandardCharsets.UTF_8))
                .isEqualTo(limits + "end\n");
        assertThat(worker("Max address space")).isEqualTo(Long.toString(128L << 20));
        assertThat(worker("Max core file size")).isEqualTo("0");
        assertThat(worker("Max open files")).isEqualTo(Integer.toString(3 * 4 + 64));
    }

    /** The JVM raises its soft limit of descriptors; the unit may let it lock memory; the helper itself writes no core files. */
    @Test
    void limitsOfTheJvmAndItsUnitDoNotReachCommands() throws IOException {
        start();
        List<String> lines = get(commands.run(account, bash(SHOWN + "; ulimit -l", new byte[0])))
                .stdout()
                .lines()
                .toList();
        String[] files = limits(channel.pid(), "Max open files");
        String[] core = limits(channel.pid(), "Max core file size");
        assertThat(lines.get(4)).as("descriptors").isEqualTo(Long.toString(Math.min(1024, Long.parseLong(files[1]))));
        assertThat(lines.get(1)).as("descriptors, hard").isEqualTo(files[1]);
        assertThat(lines.get(3)).as("core files").isEqualTo("0");
        if (core[1].equals("unlimited")) {
            assertThat(lines.get(0)).as("core files, hard").isEqualTo("unlimited");
        }
        assertThat(lines.get(5)).as("memory").isEqualTo("unlimited");
        assertThat(Long.parseLong(lines.get(6))).as("KiB of locked memory").isLessThanOrEqualTo(8192);
    }

    @Test
    void whatRunsAsAccountsIsEndedBeforeTheCeWhenMemoryIsShort() throws IOException {
        start();
        String own = Files.readString(Path.of("/proc/self/oom_score_adj"));
        assumeTrue(Integer.parseInt(own.strip()) < 500, "this JVM is among the first to be ended itself");
        Completed shown = get(commands.run(account, bash("read n < /proc/self/oom_score_adj; echo $n", new byte[0])));
        assertThat(shown.stdout()).isEqualTo("500\n");
        assertThat(Files.readString(Path.of("/proc/" + worker() + "/oom_score_adj")))
                .isEqualTo("500\n");
        assertThat(Files.readString(Path.of("/proc/" + channel.pid() + "/oom_score_adj")))
                .isEqualTo(own);
    }

    @Test
    void tooManyProcessesOfTheAccountFailTheCommandAlone() throws IOException {
        start("command_processes=1");
        Completed end = get(commands.run(account, bash("/bin/true; echo $?", new byte[0])));
        if (RunningHelper.ROOT) { // the limit does not hold for a helper whose own account is root's equal
            assertThat(end.stderr() + end.stdout()).contains("fork");
        }
        assertThat(channel.alive()).isTrue();
    }

    @Test
    void aFloodForOneAccountStaysInItsWorkersMemoryLimitAndTheHelperResponds() throws IOException {
        start("worker_memory=512", "max_children=2");
        byte[] input = new byte[4 << 20];
        List<CompletableFuture<Completed>> flood = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            flood.add(commands.run(account, bash("sleep 0.1; wc -c", input)));
        }
        get(commands.ping());
        int done = 0;
        for (CompletableFuture<Completed> run : flood) {
            try {
                assertThat(get(run).stdout().strip()).isEqualTo(Integer.toString(input.length));
                done++;
            } catch (org.gelato.ce.core.account.AccountCommandException e) {
                assertThat(e.code()).isEqualTo(org.gelato.ce.core.account.AccountCommandException.Code.BUSY);
            }
        }
        assertThat(done).isGreaterThanOrEqualTo(2);
        assertThat(get(channel.ask("GELATO_STATS"))).contains("lost=0", "forks=1");
    }
}
