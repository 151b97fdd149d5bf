package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the hand-over does when the batch system, a node or the response between them fails. */
class HandOverOnceTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    /** Each test stands alone: jobs another one left would be handed over here. */
    @BeforeEach
    void noJobs() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    /** It accepts each job and returns no result. */
    private static FakeLrms losingResults() {
        FakeLrms lrms = new FakeLrms();
        lrms.answer(s -> {
            lrms.accept(s);
            return new SubmitResult.Unclear("the result was lost");
        });
        return lrms;
    }

    private static void due() {
        DB.database()
                .inTransaction(
                        h -> h.execute("UPDATE command SET state = 1, run_after = NULL WHERE run_after IS NOT NULL"));
    }

    @Test
    void anAnswerThatWasLostIsLookedUpAndNotRepeated() {
        FakeLrms lrms = losingResults();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobId id = ce.submit(ALICE);
            await().until(() -> {
                due();
                ce.dispatcher.wake();
                return ce.state(ALICE, id) == JobState.IDLE;
            });
            assertThat(lrms.submissions()).hasSize(1);
            assertThat(lrms.jobs()).hasSize(1);
        }
    }

    @Test
    void aJobThatEndedBeforeItsAnswerWasStoredWasHandedOver() {
        FakeLrms lrms = losingResults();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobId id = ce.submit(ALICE);
            await().until(() -> lrms.jobs().size() == 1 && !putOff().isEmpty());
            WrapperEvent end = ce.event(id, WrapperEvent.Kind.DONE, 0, null);
            ce.events.apply(List.of(new WrapperEvent(
                    id, end.attempt(), end.kind(), end.time(), end.node(), end.exitCode(), null, "4711", end.token())));
            assertThat(ce.state(ALICE, id)).isEqualTo(JobState.DONE_OK);
            await().until(() -> {
                due();
                ce.dispatcher.wake();
                return DB.database()
                        .read(h -> h.select(
                                        "SELECT CONCAT(c.state, j.hand_over) FROM command c JOIN job j ON j.id = c.job_id")
                                .mapTo(String.class)
                                .list())
                        .equals(List.of("32"));
            });
            assertThat(ce.state(ALICE, id)).isEqualTo(JobState.DONE_OK);
            assertThat(lrms.submissions()).hasSize(1);
        }
    }

    private static List<Long> putOff() {
        return DB.database()
                .read(h -> h.select("SELECT id FROM command WHERE run_after IS NOT NULL")
                        .mapTo(Long.class)
                        .list());
    }

    @Test
    void aJobThatSurelyDidNotArriveIsSubmittedAgainAsTheNextAttempt() {
        FakeLrms lrms = new FakeLrms();
        lrms.answer(s -> {
            lrms.answer(lrms::accept);
            return new SubmitResult.Unclear("connection refused half way");
        });
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobId id = ce.submit(ALICE);
            await().until(() -> {
                due();
                ce.dispatcher.wake();
                return ce.state(ALICE, id) == JobState.IDLE;
            });
            assertThat(lrms.submissions()).extracting(s -> s.attempt()).containsExactly(1, 2);
            assertThat(lrms.jobs()).hasSize(1);
        }
    }

    @Test
    void whileTheLookUpFailsNothingIsSubmitted() {
        FakeLrms lrms = new FakeLrms();
        AtomicInteger lookedUp = new AtomicInteger();
        lrms.lookUpFails(true);
        lrms.answer(s -> {
            lookedUp.incrementAndGet();
            return new SubmitResult.Unclear("timeout");
        });
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobId id = ce.submit(ALICE);
            await().until(() -> {
                due();
                ce.dispatcher.wake();
                return lrms.lookUps() >= 4;
            });
            assertThat(lookedUp).hasValue(1);
            assertThat(ce.state(ALICE, id)).isEqualTo(JobState.PENDING);
            lrms.lookUpFails(false);
            lrms.answer(lrms::accept);
            await().until(() -> {
                due();
                ce.dispatcher.wake();
                return ce.state(ALICE, id) == JobState.IDLE;
            });
            assertThat(lrms.jobs()).hasSize(1);
        }
    }

    @Test
    void anExecutionThatBreaksPutsItsCommandsBack() {
        FakeLrms lrms = new FakeLrms();
        lrms.breaks(true);
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobId id = ce.submit(ALICE);
            await().until(() -> DB.database()
                    .read(h -> h.select(
                                    "SELECT COUNT(*) FROM command WHERE job_id = ? AND state = 0 AND tries = 1",
                                    ce.numbers.row(id))
                            .mapTo(Integer.class)
                            .one()
                            .equals(1)));
            lrms.breaks(false);
            await().until(() -> {
                due();
                ce.dispatcher.wake();
                return ce.state(ALICE, id) == JobState.IDLE;
            });
            assertThat(lrms.jobs()).hasSize(1);
            await().until(() -> ce.dispatcher.inFlight() == 0);
        }
    }

    @Test
    void aRefusalAbortsWithTheBatchSystemsMessage() {
        FakeLrms lrms = new FakeLrms();
        lrms.answer(s -> new SubmitResult.Refused("Invalid partition name specified"));
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobId id = ce.submit(ALICE);
            await().until(() -> ce.state(ALICE, id) == JobState.ABORTED);
            JobStatus status = ce.jobs
                    .queries()
                    .status(ALICE, JobFilter.ofIds(List.of(id.toString())))
                    .get(0)
                    .status();
            assertThat(status.failureReason()).isEqualTo("Invalid partition name specified");
        }
    }

    @Test
    void anUnavailableBatchSystemIsTriedAgain() {
        FakeLrms lrms = new FakeLrms();
        lrms.answer(s -> new SubmitResult.Unavailable("slurmctld is down"));
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobId id = ce.submit(ALICE);
            await().until(() -> lrms.submissions().size() == 1);
            lrms.answer(lrms::accept);
            await().until(() -> {
                due();
                ce.dispatcher.wake();
                return ce.state(ALICE, id) == JobState.IDLE;
            });
            assertThat(lrms.jobs()).hasSize(1);
        }
    }

    /** To one of its name, which takes its claims over, and to one beside it when they have expired. */
    @ParameterizedTest
    @ValueSource(strings = {"dead-host", "survivor"})
    void aNodeThatDiesBetweenClaimAndAnswerLeavesItsJobsToTheNext(String host) {
        FakeLrms lrms = new FakeLrms();
        List<JobId> ids;
        try (TestCe dead = new TestCe(DB.database(), lrms, "dead-host")) {
            ids = IntStream.range(0, 20).mapToObj(i -> dead.submit(ALICE)).toList();
            // Claims as a node would and dies: half of its jobs have reached the batch system.
            List<ClaimedCommand> claimed = dead.database.inTransaction(h -> {
                int node = new NodeStore()
                        .register(
                                h,
                                "dead-host",
                                new NodeStore.Running(999_999_999L, null, Instant.EPOCH),
                                Instant.now(),
                                true);
                return dead.commands
                        .claim(
                                h,
                                node,
                                TestCommands.room(100),
                                Instant.now(),
                                host.equals("survivor") ? Duration.ZERO : Duration.ofHours(1))
                        .commands();
            });
            assertThat(claimed).hasSize(20);
            claimed.stream()
                    .limit(10)
                    .forEach(c -> lrms.accept(new Submission(c.jobId(), 1, "dteam001", "long", null, "", null)));
        }
        try (TestCe next = new TestCe(DB.database(), lrms, host).start()) {
            if (host.equals("survivor")) {
                assertThat(new NodeClaims(
                                        DB.database(),
                                        new NodeStore(),
                                        next.commands,
                                        Clock.systemUTC(),
                                        new NodeClaims.Work("another", null))
                                .beat())
                        .isEqualTo(20);
                next.dispatcher.wake();
            }
            await().until(() -> ids.stream().allMatch(id -> next.state(ALICE, id) == JobState.IDLE));
            assertThat(lrms.jobs()).hasSize(20);
            assertThat(lrms.submissions()).hasSize(10);
        }
    }

    @Test
    void fortyClaimersTakeEachCommandOnce() throws Exception {
        FakeLrms lrms = new FakeLrms();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1");
                Database other = new Database(DB.config())) {
            IntStream.range(0, 10)
                    .forEach(i -> ce.jobs
                            .registration()
                            .register(
                                    ALICE,
                                    IntStream.range(0, 50)
                                            .mapToObj(j -> TestCe.description(true))
                                            .toList(),
                                    null));
            int node = DB.database()
                    .inTransaction(h -> new NodeStore()
                            .register(h, "x", new NodeStore.Running(1, null, Instant.EPOCH), Instant.now(), true));
            Map<Long, Integer> claimed = new ConcurrentHashMap<>();
            ExecutorService claimers = Executors.newFixedThreadPool(16);
            List<Future<?>> running = IntStream.range(0, 40)
                    .<Future<?>>mapToObj(i -> claimers.submit(() -> {
                        Database db = i % 2 == 0 ? DB.database() : other;
                        List<ClaimedCommand> batch;
                        do {
                            batch = db.inTransaction(h -> ce.commands
                                    .claim(h, node, TestCommands.room(7), Instant.now(), Duration.ofHours(1))
                                    .commands());
                            batch.forEach(c -> claimed.merge(c.id(), 1, Integer::sum));
                        } while (!batch.isEmpty());
                    }))
                    .toList();
            for (Future<?> f : running) {
                f.get();
            }
            claimers.shutdown();
            assertThat(claimed)
                    .hasSize(500)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            // Of the tests before, too, whose small tables a server may rather scan.
            assertThat(DB.database().deadlocks() + other.deadlocks()).isZero();
            DB.database().inTransaction(h -> h.execute("UPDATE command SET state = 5 WHERE state = 2"));
        }
    }

    @Test
    void commandsOfOneJobRunInOrder() {
        FakeLrms lrms = new FakeLrms();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1")) {
            JobId id = ce.submit(ALICE);
            // One that the batch system may have; another would be cancelled at once.
            DB.database().inTransaction(h -> h.execute("UPDATE job SET hand_over = 1"));
            ce.jobCommands.cancelJobsOf(ce.delegationRow(), "ended");
            List<Integer> states = DB.database()
                    .read(h -> h.select(
                                    "SELECT state FROM command WHERE job_id = ? AND kind > 0 ORDER BY id",
                                    ce.numbers.row(id))
                            .mapTo(Integer.class)
                            .list());
            assertThat(states).containsExactly(CommandState.QUEUED.code(), CommandState.CREATED.code());
            ce.start();
            await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        }
    }
}
