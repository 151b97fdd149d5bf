package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.OutputLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelperStreamTest {
    private static final int ROWS = 100_000;
    private static final int ROW = 1950;
    private static final int PIECE = 256 * 1024;
    private static final Duration MINUTES = Duration.ofMinutes(4);
    /** Prints for ever. */
    private static final String ENDLESS = "exec /usr/bin/yes";

    @TempDir
    Path temporary;

    private final ExecutorService work = Executors.newSingleThreadExecutor();
    private RunningHelper helper;

    private RunningHelper start(String... options) throws IOException {
        helper = new RunningHelper(temporary, options);
        return helper;
    }

    @AfterEach
    void stop() {
        helper.close();
        work.shutdownNow();
    }

    private CompletableFuture<Completed> stream(Run run, Consumer<byte[]> pieces) {
        return helper.commands.stream(helper.account, run, work, pieces);
    }

    private boolean nothingRuns() {
        return helper.workers().stream().flatMap(ProcessHandle::descendants).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void aListingOfAHundredThousandJobsPassesThroughAWorkerOfSixtyFourMegabytes() throws IOException {
        Path limits = temporary.resolve("helper.conf");
        java.nio.file.Files.write(
                limits,
                List.of(
                        "sandbox_root=" + temporary.toRealPath().resolve("sandbox"),
                        "min_uid=1000",
                        "executable=/bin/bash",
                        "executable=/usr/bin/",
                        "worker_memory=64"));
        start();
        try (GahpChannel small = GahpChannel.start(List.of(
                HelperBinary.extract(temporary.toRealPath().resolve("bin")).toString(), "-c", limits.toString()))) {
            AtomicInteger rows = new AtomicInteger();
            AtomicInteger longest = new AtomicInteger();
            OutputLines lines = new OutputLines(ROW, line -> rows.addAndGet(line.length() == ROW - 1 ? 1 : 0));

            Completed end = get(new HelperAccountCommands(small)
                    .stream(
                            helper.account,
                            helper.bash(
                                    "/usr/bin/yes \"$(/usr/bin/printf '%0" + (ROW - 1) + "d' 0)\" | /usr/bin/head -n "
                                            + ROWS + "; echo done >&2; exit 3",
                                    MINUTES),
                            work,
                            piece -> {
                                longest.accumulateAndGet(piece.length, Math::max);
                                lines.take(piece);
                            }));

            assertThat(rows).hasValue(ROWS);
            assertThat(longest.get()).isLessThanOrEqualTo(PIECE);
            assertThat(end).isEqualTo(new Completed(3, false, "", "done\n"));
        }
    }

    /** Between two pieces nothing is pending; what the worker runs would end with it. */
    @Test
    void aWorkerWithAnOpenStreamIsNeitherPutOutNorRetired() throws Exception {
        assumeTrue(RunningHelper.ROOT, "a second worker needs another account");
        Path limits = temporary.resolve("helper.conf");
        String base = "sandbox_root=" + temporary.toRealPath().resolve("sandbox")
                + "\nexecutable=/bin/bash\nself_executable=/usr/bin/true\nidle_seconds=1\n";
        start();
        String program =
                HelperBinary.extract(temporary.toRealPath().resolve("bin")).toString();
        Run byRoot = new Run(List.of("/usr/bin/true"), null, Map.of(), new byte[0], List.of(), MINUTES, 10);
        for (String more : List.of("max_workers=1\n", "")) {
            java.nio.file.Files.writeString(limits, base + more);
            try (GahpChannel channel = GahpChannel.start(List.of(program, "-c", limits.toString()))) {
                HelperAccountCommands commands = new HelperAccountCommands(channel);
                CountDownLatch came = new CountDownLatch(1);
                CountDownLatch taken = new CountDownLatch(1);
                CompletableFuture<Completed> end = commands.stream(
                        helper.account,
                        helper.bash("/usr/bin/head -c 2000000 /dev/zero; echo done >&2", MINUTES),
                        work,
                        piece -> {
                            came.countDown();
                            try {
                                taken.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
                assertThat(came.await(MINUTES.toSeconds(), TimeUnit.SECONDS)).isTrue();
                ProcessHandle worker = ProcessHandle.of(channel.pid())
                        .orElseThrow()
                        .children()
                        .findFirst()
                        .orElseThrow();
                if (more.isEmpty()) {
                    get(commands.run(AccountCommands.SELF, byRoot));
                    // Root's was used later, so the other one would have retired before it.
                    await().atMost(MINUTES)
                            .until(
                                    () -> ProcessHandle.of(channel.pid())
                                            .orElseThrow()
                                            .children()
                                            .toList(),
                                    List.of(worker)::equals);
                } else {
                    assertThat(failure(commands.run(AccountCommands.SELF, byRoot)))
                            .hasMessageContaining("all workers are busy");
                }
                taken.countDown();
                assertThat(get(end)).isEqualTo(new Completed(0, false, "", "done\n"));
                await().atMost(MINUTES).until(() -> !worker.isAlive());
            }
        }
    }

    @Test
    void aCommandWaitsForWhoTakesItsOutput() throws IOException {
        start();
        AtomicLong taken = new AtomicLong();
        AtomicInteger held = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Executor watched = task -> work.execute(() -> {
            most.accumulateAndGet(held.incrementAndGet(), Math::max);
            task.run();
            held.decrementAndGet();
        });

        Completed end = get(helper.commands.stream(
                helper.account,
                helper.bash("for i in {1..200}; do /usr/bin/printf '%065536d' 0; done", MINUTES),
                watched,
                piece -> taken.addAndGet(piece.length)));

        assertThat(end.exit()).isZero();
        assertThat(taken).hasValue(200L * 65536);
        assertThat(most).hasValue(1);
    }

    @Test
    void aReaderThatGivesUpEndsTheCommand() throws IOException {
        start();
        IllegalStateException enough = new IllegalStateException("enough");

        assertThat(stream(helper.bash(ENDLESS, MINUTES), piece -> {
                    throw enough;
                }))
                .failsWithin(MINUTES)
                .withThrowableThat()
                .withCause(enough);

        await().atMost(MINUTES).until(this::nothingRuns);
        assertThat(helper.run("echo on").stdout()).isEqualTo("on\n");
    }

    @Test
    void aCommandWhoseTimeIsOverIsKilledThoughItWaitsForItsReader() throws IOException {
        start();
        Completed end = get(stream(helper.bash(ENDLESS, Duration.ofMillis(500)), piece -> {}));

        assertThat(end.timedOut()).isTrue();
        await().atMost(MINUTES).until(this::nothingRuns);
    }

    @Test
    void aReaderThatIsGoneHoldsNoPlace() throws IOException {
        start("-j", "1");
        // starts it and requests nothing more, as a JVM in error would
        List<String> args = List.of(
                helper.account,
                "/",
                GahpValues.list(List.of("/usr/bin/yes")),
                GahpValues.list(List.of("PATH=/usr/bin")),
                "-",
                "300",
                "1000000000");
        assertThat(get(helper.channel.request("GELATO_STREAM", args)).get(0)).isEqualTo("0");

        assertThat(helper.run("echo on").stdout()).isEqualTo("on\n");
    }

    @Test
    void truncatedOutputIsReportedWithTheKeyToRaise() throws IOException {
        start("-l", "1");
        AtomicLong taken = new AtomicLong();

        AccountCommandException cut =
                failure(stream(helper.bash(ENDLESS, MINUTES), piece -> taken.addAndGet(piece.length)));

        assertThat(cut).hasMessageContaining("/bin/bash was cut after 1048576 bytes: raise max_listing");
        assertThat(taken).hasValue(1 << 20);
        await().atMost(MINUTES).until(this::nothingRuns);
    }

    @Test
    void whatARunDroppedIsCounted() throws IOException {
        start("-o", "1024");
        Completed end = helper.run("/usr/bin/printf '%03000d' 0; exit 0");
        assertThat(end.stdout()).hasSize(1024);
        assertThat(end.dropped()).isEqualTo(3000 - 1024);
    }

    @Test
    void nothingIsLeftWhenTheHelperIsKilled() throws IOException {
        start();
        CompletableFuture<Completed> end = stream(helper.bash(ENDLESS, MINUTES), piece -> {});
        await().atMost(MINUTES).until(() -> !nothingRuns());
        List<ProcessHandle> all = ProcessHandle.of(helper.channel.pid())
                .orElseThrow()
                .descendants()
                .toList();

        ProcessHandle.of(helper.channel.pid()).orElseThrow().destroyForcibly();

        assertThat(end).failsWithin(MINUTES);
        await().atMost(MINUTES).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void aStreamIsNotReadTwiceAtOnceAndNotUnderAnotherNumber() throws IOException {
        start();
        Run sleeps = new Run(List.of("/usr/bin/sleep", "100"), null, Map.of(), new byte[0], List.of(), MINUTES, 0);
        List<String> args = List.of(helper.account, "/", GahpValues.list(sleeps.argv()), "-", "-", "100000", "1000");
        String number = get(helper.channel.request("GELATO_STREAM", args)).get(2);
        CompletableFuture<List<String>> first = helper.channel.request("GELATO_READ", List.of(helper.account, number));

        assertThat(get(helper.channel.request("GELATO_READ", List.of(helper.account, number)))
                        .get(0))
                .isEqualTo("3");
        assertThat(get(helper.channel.request("GELATO_READ", List.of(helper.account, "1")))
                        .get(0))
                .isEqualTo("1");
        assertThat(get(helper.channel.request("GELATO_CLOSE", List.of(helper.account, number)))
                        .get(0))
                .isEqualTo("0");
        assertThat(get(first).subList(0, 2)).containsExactly("1", "the stream was closed");
        await().atMost(MINUTES).until(this::nothingRuns);
    }
}
