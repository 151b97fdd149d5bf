package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.get;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ChannelLostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelperDeathTest {
    @TempDir
    Path temporary;

    private RunningHelper helper;

    @BeforeEach
    void start() throws IOException {
        helper = new RunningHelper(temporary);
        helper.run(":");
    }

    @AfterEach
    void stop() {
        helper.close();
    }

    private CompletableFuture<Completed> startLongRun() {
        CompletableFuture<Completed> run =
                helper.commands.run(helper.account, helper.bash("echo $$ > pid; exec sleep 600"));
        await().until(() -> helper.text(helper.home.resolve("pid")).endsWith("\n"));
        return run;
    }

    private long pidFile() {
        return Long.parseLong(helper.text(helper.home.resolve("pid")).trim());
    }

    @Test
    void aKilledWorkerLosesItsRequestsAndTheNextOneGetsANewWorker() {
        helper.put(helper.home.resolve("pid"), "");
        CompletableFuture<Completed> run = startLongRun();

        helper.workers().get(0).destroyForcibly();

        assertThatThrownBy(() -> get(run))
                .isInstanceOf(ChannelLostException.class)
                .hasMessageContaining("died");
        assertThat(helper.run("echo again").stdout()).isEqualTo("again\n");
        assertThat(helper.stats()).containsEntry("lost", 1L).containsEntry("forks", 2L);
        assertThat(helper.channel.alive()).isTrue();
    }

    /** Otherwise a command could reach the batch system after a look-up whether it had. */
    @Test
    void whenAWorkersLossIsReportedOnlySpawnedJobsStillRun() {
        long job = get(helper.commands.spawn(helper.account, helper.spawnOf("exec sleep 600")));
        String script = "sleep 600 & c=$!; (set -m; sleep 600 & echo $$ $c $! > pids.new); mv pids.new pids; wait";
        CompletableFuture<Completed> run = helper.commands.run(helper.account, helper.bash(script));
        await().until(() -> get(helper.commands.list(helper.account, helper.home, 100)).stream()
                .anyMatch(f -> f.name().equals("pids")));
        String[] pids = helper.text(helper.home.resolve("pids")).trim().split(" ");

        helper.workers().get(0).destroyForcibly();

        assertThatThrownBy(() -> get(run)).isInstanceOf(ChannelLostException.class);
        assertThat(pids).hasSize(3).noneMatch(pid -> runs(Long.parseLong(pid)));
        assertThat(runs(job)).isTrue();
        get(helper.commands.signal(helper.account, job, 9));
    }

    /**
     * Busy is tried again and lost is looked up by the callers; any other failure would count as the job's own, and a
     * command that had begun but is called busy would run twice.
     */
    @Test
    void aWorkerKilledAtAnyInstantIsNeverTakenForAFailureOfTheWork() {
        AtomicBoolean go = new AtomicBoolean(true);
        List<String> never = new ArrayList<>();
        List<String> atLeastOnce = new ArrayList<>();
        CompletableFuture<Set<ProcessHandle>> killer = CompletableFuture.supplyAsync(() -> {
            Set<ProcessHandle> killed = new HashSet<>();
            while (go.get()) {
                helper.workers().stream().filter(ProcessHandle::destroyForcibly).forEach(killed::add);
            }
            return killed;
        });
        try {
            for (int i = 0; i < 200; i++) {
                try {
                    assertThat(helper.run("echo " + i + " >> begun; echo well").stdout())
                            .isEqualTo("well\n");
                    atLeastOnce.add(Integer.toString(i));
                } catch (ChannelLostException e) {
                    assertThat(e).hasMessageContaining("died");
                } catch (AccountCommandException e) {
                    assertThat(e.code()).as(e.getMessage()).isEqualTo(AccountCommandException.Code.BUSY);
                    never.add(Integer.toString(i));
                }
            }
        } finally {
            go.set(false);
        }
        Set<ProcessHandle> killed = get(killer);
        assertThat(killed).isNotEmpty();
        assertThat(helper.channel.alive()).isTrue();
        // The last one killed may still be ending: a request to it would be lost like the others.
        await().until(() -> helper.workers().stream().noneMatch(killed::contains));
        helper.run("echo last >> begun");
        List<String> begun = helper.text(helper.home.resolve("begun")).lines().toList();
        assertThat(begun).doesNotHaveDuplicates();
        // Either may be empty: none was busy, or none came through.
        assertThat(never).noneMatch(begun::contains);
        assertThat(atLeastOnce).allMatch(begun::contains);
    }

    /** Its account may signal the worker as it likes; what waits for the worker would wait for ever. */
    @Test
    void aWorkerThatItsAccountStopsIsKilledAndReplaced() {
        helper.put(helper.home.resolve("pid"), "");
        CompletableFuture<Completed> run = startLongRun();
        CompletableFuture<Completed> stop = helper.commands.run(helper.account, helper.bash("kill -STOP $PPID"));

        assertThatThrownBy(() -> get(stop)).isInstanceOf(ChannelLostException.class);
        assertThatThrownBy(() -> get(run)).isInstanceOf(ChannelLostException.class);
        assertThat(helper.run("echo again").stdout()).isEqualTo("again\n");
        assertThat(helper.stats()).containsEntry("lost", 1L);
    }

    @Test
    void helperAndWorkerKilledTogetherTakeTheCommandAlong() {
        helper.put(helper.home.resolve("pid"), "");
        CompletableFuture<Completed> run = startLongRun();
        long command = pidFile();
        ProcessHandle worker = helper.workers().get(0);

        worker.destroyForcibly();
        ProcessHandle.of(helper.channel.pid()).orElseThrow().destroyForcibly();

        assertThatThrownBy(() -> get(run)).isInstanceOf(ChannelLostException.class);
        await().until(() -> !runs(command));
    }

    @Test
    void aKilledHelperLosesTheChannelForEver() {
        helper.put(helper.home.resolve("pid"), "");
        CompletableFuture<Completed> run = startLongRun();
        long command = pidFile();
        List<ProcessHandle> workers = helper.workers();

        ProcessHandle.of(helper.channel.pid()).orElseThrow().destroyForcibly();

        assertThatThrownBy(() -> get(run)).isInstanceOf(ChannelLostException.class);
        assertThat(helper.channel.alive()).isFalse();
        assertThatThrownBy(() -> get(helper.commands.ping())).isInstanceOf(ChannelLostException.class);
        await().until(() -> workers.stream().noneMatch(HelperDeathTest::runs) && !runs(command));
    }

    @Test
    void theEndOfInputEndsHelperWorkersAndCommandsButNoSpawnedJob() throws IOException {
        helper.put(helper.home.resolve("pid"), "");
        CompletableFuture<Completed> run = startLongRun();
        long command = pidFile();
        long job = get(helper.commands.spawn(helper.account, helper.spawnOf("exec sleep 600")));
        List<ProcessHandle> workers = helper.workers();
        long pid = helper.channel.pid();

        helper.close();

        assertThatThrownBy(() -> get(run)).isInstanceOf(ChannelLostException.class);
        await().until(() -> !runs(pid) && workers.stream().noneMatch(HelperDeathTest::runs) && !runs(command));
        assertThat(runs(job)).isTrue();
        try (RunningHelper next = new RunningHelper(temporary)) {
            get(next.commands.signal(next.account, job, 9));
        }
        await().until(() -> !runs(job));
    }

    private static boolean runs(ProcessHandle process) {
        return runs(process.pid());
    }

    /** Alive and no zombie: a process orphaned by the test is reaped by the process that adopts it, or never. */
    private static boolean runs(long pid) {
        try {
            String stat = java.nio.file.Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }
}
