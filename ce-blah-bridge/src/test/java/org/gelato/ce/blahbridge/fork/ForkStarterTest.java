package org.gelato.ce.blahbridge.fork;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gelato.ce.blahbridge.fork.ForkJob.Phase;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.account.UnusedAccounts;
import org.gelato.ce.core.fixture.TestClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Which jobs are started next. */
class ForkStarterTest {
    private static final Instant NOW = Instant.parse("2026-11-26T21:00:00Z");

    @TempDir
    Path directory;

    private final List<String> started = new ArrayList<>();

    private static ForkJob job(long number, String account) {
        Path at = Path.of("/sandbox");
        return new ForkJob(
                number,
                "cream_00000000" + number,
                1,
                account,
                at,
                at,
                at,
                at,
                Phase.QUEUED,
                0,
                null,
                false,
                null,
                false,
                NOW,
                null);
    }

    @Test
    void anAccountWhoseStartsGetNoTurnHoldsUpNoOthersJobs() throws IOException {
        UnusedAccounts accounts = new UnusedAccounts() {
            @Override
            public CompletableFuture<Long> spawn(String account, Spawn spawn) {
                started.add(account);
                return account.equals("hung")
                        ? CompletableFuture.failedFuture(new AccountCommandException(Code.BUSY, "its worker hangs"))
                        : CompletableFuture.completedFuture(
                                ProcessHandle.current().pid());
            }
        };
        try (ForkState state = new ForkState(directory)) {
            ForkJobs jobs = new ForkJobs(state);
            for (ForkJob job : List.of(job(1, "hung"), job(2, "hung"), job(3, "other"))) {
                jobs.record(job);
            }
            ForkStarter starter = new ForkStarter(
                    jobs,
                    accounts,
                    new ProcessTable(Path.of("/proc")),
                    Clock.fixed(NOW, ZoneOffset.UTC),
                    Runnable::run,
                    1);
            starter.fillSlots();
            starter.fillSlots();
            starter.fillSlots();
            assertThat(jobs.get(3).phase()).isEqualTo(Phase.RUNNING);
            assertThat(jobs.get(1).phase()).isEqualTo(Phase.QUEUED);
            assertThat(jobs.get(2).phase()).isEqualTo(Phase.QUEUED);
            assertThat(started).containsOnlyOnce("other").hasSizeLessThanOrEqualTo(3);
        }
    }

    /** As one that may not open {@code /dev/null}: its worker dies at each start, and nothing of the job has begun. */
    @Test
    void startsThatFailForOneAccountAreShownAndTriedLessAndLessAndLoggedOnce() throws IOException {
        AtomicBoolean works = new AtomicBoolean();
        TestClock clock = new TestClock(NOW);
        UnusedAccounts accounts = new UnusedAccounts() {
            @Override
            public CompletableFuture<Long> spawn(String account, Spawn spawn) {
                started.add(account);
                return account.equals("broken") && !works.get()
                        ? CompletableFuture.failedFuture(new ChannelLostException("/dev/null: Permission denied"))
                        : CompletableFuture.completedFuture(
                                ProcessHandle.current().pid());
            }

            @Override
            public CompletableFuture<FilePart> get(String name, Path file, long offset, int max) {
                return CompletableFuture.failedFuture(new AccountCommandException(Code.NO_SUCH_FILE, "no claim"));
            }
        };
        Logger logger = (Logger) LoggerFactory.getLogger(ForkStarter.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
        try (ForkState state = new ForkState(directory)) {
            ForkJobs jobs = new ForkJobs(state);
            for (ForkJob job : List.of(job(1, "broken"), job(2, "broken"), job(3, "other"))) {
                jobs.record(job);
            }
            ForkStarter starter =
                    new ForkStarter(jobs, accounts, new ProcessTable(Path.of("/proc")), clock, Runnable::run, 2);
            scan(starter, clock, 95);
            assertThat(jobs.get(3).phase()).isEqualTo(Phase.RUNNING);
            assertThat(started).filteredOn("broken"::equals).hasSizeBetween(4, 8);
            assertThat(jobs.get(1).shown("here").reason())
                    .isEqualTo("its start is tried again: /dev/null: Permission denied");
            assertThat(log.list).extracting(ILoggingEvent::getLevel).containsOnlyOnce(Level.WARN);
            works.set(true);
            scan(starter, clock, 70);
            assertThat(jobs.get(1).phase()).isEqualTo(Phase.RUNNING);
            assertThat(jobs.get(1).shown("here").reason()).isNull();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
    }

    /** As of a home that hangs: the results come late, and meanwhile each start has a slot. */
    @Test
    void anAccountWhoseStartsFailSlowlyHasOneSlot() throws IOException {
        List<CompletableFuture<Long>> slow = new ArrayList<>();
        TestClock clock = new TestClock(NOW);
        UnusedAccounts accounts = new UnusedAccounts() {
            @Override
            public CompletableFuture<Long> spawn(String account, Spawn spawn) {
                if (account.equals("other")) {
                    return CompletableFuture.completedFuture(
                            ProcessHandle.current().pid());
                }
                slow.add(new CompletableFuture<>());
                return slow.get(slow.size() - 1);
            }

            @Override
            public CompletableFuture<FilePart> get(String name, Path file, long offset, int max) {
                return CompletableFuture.failedFuture(new AccountCommandException(Code.NO_SUCH_FILE, "no claim"));
            }
        };
        try (ForkState state = new ForkState(directory)) {
            ForkJobs jobs = new ForkJobs(state);
            for (int number = 1; number <= 4; number++) {
                jobs.record(job(number, "broken"));
            }
            ForkStarter starter =
                    new ForkStarter(jobs, accounts, new ProcessTable(Path.of("/proc")), clock, Runnable::run, 3);
            starter.fillSlots();
            assertThat(slow).hasSize(3);
            List.copyOf(slow).forEach(start -> start.completeExceptionally(new ChannelLostException("hangs")));
            jobs.record(job(5, "other"));
            scan(starter, clock, 5);
            assertThat(slow).filteredOn(start -> !start.isDone()).hasSize(1);
            assertThat(jobs.get(5).phase()).isEqualTo(Phase.RUNNING);
        }
    }

    private static void scan(ForkStarter starter, TestClock clock, int seconds) {
        for (int i = 0; i < seconds * 4; i++) {
            clock.advance(Duration.ofMillis(250));
            starter.settleStarts();
            starter.fillSlots();
        }
    }

    /** A claim is the account's file, and its user can have the fate of the start unknown by a kill of the worker. */
    @Test
    void aClaimThatNamesAProcessOfAnotherAccountMakesNoJobRunForEver() throws IOException {
        ProcessTable processes = new ProcessTable(Path.of("/proc"));
        boolean root = "root".equals(System.getProperty("user.name"));
        // Process 1 is root's, and this one is when root runs the tests.
        ProcessMark stranger =
                processes.find(root ? ProcessHandle.current().pid() : 1).orElseThrow();
        String account = root ? "nobody" : AccountCommands.SELF;
        assertThat(phaseAfterClaimOf(stranger, account, processes)).isEqualTo(Phase.FAILED);
        ProcessMark own = processes.find(ProcessHandle.current().pid()).orElseThrow();
        assertThat(phaseAfterClaimOf(own, AccountCommands.SELF, processes)).isEqualTo(Phase.RUNNING);
        assertThat(phaseAfterClaimOf(own, "account-that-is-not-known", processes))
                .isEqualTo(Phase.RUNNING);
    }

    private Phase phaseAfterClaimOf(ProcessMark process, String account, ProcessTable processes) throws IOException {
        byte[] claim =
                ("pid=" + process.pid() + "\nstart=" + process.startTicks() + "\n").getBytes(StandardCharsets.UTF_8);
        UnusedAccounts accounts = new UnusedAccounts() {
            @Override
            public CompletableFuture<FilePart> get(String name, Path file, long offset, int max) {
                return CompletableFuture.completedFuture(new FilePart(claim, claim.length));
            }
        };
        try (ForkState state = new ForkState(directory)) {
            ForkJobs jobs = new ForkJobs(state);
            jobs.record(job(1, account).starting(NOW));
            new ForkStarter(jobs, accounts, processes, Clock.fixed(NOW, ZoneOffset.UTC), Runnable::run, 1)
                    .settleStarts();
            return jobs.get(1).phase();
        }
    }
}
