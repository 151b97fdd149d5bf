package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.blahbridge.RestartingChannel.Pace;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.fault.Backoff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of requests, of counts and of orphans when the helper is killed. */
class RestartingChannelTest {
    private static final Pace PACE = new Pace(
            new Backoff(Duration.ofMillis(1), Duration.ofSeconds(1)), Duration.ofMinutes(1), Duration.ofSeconds(60));
    private static final Pace IMPATIENT = new Pace(
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)), Duration.ofMillis(1), Duration.ofMinutes(1));

    @TempDir
    Path temporary;

    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger tries = new AtomicInteger();
    private final String account = RunningHelper.ROOT ? "nobody" : AccountCommands.SELF;
    private List<String> line;
    private RestartingChannel channel;
    private AccountCommands commands;

    @BeforeEach
    void prepare() throws IOException {
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        line = List.of(
                HelperBinary.extract(base.resolve("bin")).toString(),
                "-s",
                base.resolve("sandbox").toString(),
                "-m",
                "1000",
                "-x",
                "/bin/bash");
    }

    private void start(Pace pace) throws IOException {
        channel = new RestartingChannel(
                () -> {
                    tries.incrementAndGet();
                    if (refusals.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                        throw new IOException("no helper today");
                    }
                    return GahpChannel.start(line);
                },
                pace,
                Clock.systemUTC());
        commands = new HelperAccountCommands(channel);
    }

    @AfterEach
    void stop() {
        channel.close();
    }

    private Run bash(String script) {
        return new Run(
                List.of("/bin/bash", "-c", script),
                null,
                Map.of("PATH", "/usr/bin:/bin"),
                new byte[0],
                List.of(),
                Duration.ofMinutes(10),
                1000);
    }

    private ProcessHandle helper() {
        return ProcessHandle.of(channel.channel().pid()).orElseThrow();
    }

    private CompletableFuture<Completed> startLongRun() {
        CompletableFuture<Completed> run = commands.run(account, bash("exec sleep 600"));
        await().until(() -> helper().descendants().count() == 2);
        return run;
    }

    @Test
    void aKilledHelperIsReplacedAndOnlyWhatWasUnderWayIsUnknown() throws IOException {
        start(PACE);
        CompletableFuture<Completed> run = startLongRun();
        ProcessHandle former = helper();
        former.destroyForcibly();

        assertThatThrownBy(() -> get(run)).isInstanceOf(ChannelLostException.class);
        List<CompletableFuture<Completed>> next = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            next.add(commands.run(account, bash("echo again")));
        }
        next.forEach(response -> assertThat(get(response).stdout()).isEqualTo("again\n"));
        assertThat(helper().pid()).isNotEqualTo(former.pid());
        assertThat(channel.restarts()).isEqualTo(1);
    }

    @Test
    void inTheGapRequestsAreBusyAndSayWhyAndTriesGoOn() throws IOException {
        start(IMPATIENT);
        refusals.set(Integer.MAX_VALUE);
        helper().destroyForcibly();
        await().until(() -> tries.get() > 3);
        assertThat(failure(commands.ping()).code()).isEqualTo(Code.BUSY);
        assertThat(failure(commands.run(account, bash(":")))).hasMessageContaining("no helper today");
        refusals.set(0);
        // A ping in the gap is refused at once, for a request is given no time to wait.
        await().ignoreExceptionsInstanceOf(AccountCommandException.class).untilAsserted(() -> get(commands.ping()));
        assertThat(channel.starts()).isEqualTo(2);
    }

    @Test
    void aHelperThatCannotRestartIsReportedAndABoundedNumberOfRequestsWaits() throws IOException {
        start(PACE);
        refusals.set(Integer.MAX_VALUE);
        helper().destroyForcibly();
        await().untilAsserted(() -> assertThat(failure(commands.ping()))
                .hasMessageContaining("cannot be started again")
                .hasMessageContaining("no helper today"));
        List<CompletableFuture<Completed>> waiting = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            waiting.add(commands.run(account, bash(":")));
        }
        assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(100);
        refusals.set(0);
        long done = waiting.stream()
                .filter(f -> {
                    try {
                        return get(f).exit() == 0;
                    } catch (AccountCommandException e) {
                        return false;
                    }
                })
                .count();
        assertThat(done).isEqualTo(200);
    }

    /** A worker that lives on could still submit after the next helper was queried whether it had. */
    @Test
    void theNextHelperComesWhenTheWorkersOfTheFormerAreGone() throws IOException {
        start(PACE);
        get(commands.run(account, bash(":")));
        ProcessHandle former = helper();
        ProcessHandle worker = former.children().findFirst().orElseThrow();
        signal("STOP", worker);
        former.destroyForcibly();
        await().until(() -> channel.channel() == null);
        CompletableFuture<Completed> next = commands.run(account, bash("echo now"));
        assertThat(tries).hasValue(1);
        assertThat(next).isNotDone();
        signal("CONT", worker);
        assertThat(get(next).stdout()).isEqualTo("now\n");
        assertThat(worker.isAlive() && !isZombie(worker)).isFalse();
    }

    private static boolean isZombie(ProcessHandle process) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/stat")).contains(") Z ");
    }

    private static void signal(String name, ProcessHandle process) throws IOException {
        Process kill = new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.onExit().join().exitValue()).isZero();
    }

    @Test
    void countsNeverGoBack() throws IOException {
        start(PACE);
        HelperCounters counters = new HelperCounters(channel);
        get(commands.run(account, bash(":")));
        get(commands.run(account, bash(":")));
        get(counters.refresh());
        assertThat(List.of(counters.workers(), counters.commands())).containsExactly(1L, 2L);
        assertThat(counters.runningWorkers()).isEqualTo(1);
        helper().destroyForcibly();
        await().until(() -> channel.channel() == null || channel.restarts() == 1);
        assertThat(List.of(counters.workers(), counters.commands())).containsExactly(1L, 2L);
        get(commands.run(account, bash(":")));
        get(counters.refresh());
        assertThat(List.of(counters.workers(), counters.commands())).containsExactly(2L, 3L);
        assertThat(channel.starts()).isEqualTo(2);
    }

    @Test
    void aClosedChannelStartsNothingAndRefusesAsBusy() throws IOException {
        start(PACE);
        ProcessHandle former = helper();
        channel.close();
        assertThat(former.isAlive()).isFalse();
        assertThat(failure(commands.run(account, bash(":"))))
                .hasMessage("the CE is stopping")
                .extracting("code")
                .isEqualTo(Code.BUSY);
        assertThat(tries).hasValue(1);
    }
}
