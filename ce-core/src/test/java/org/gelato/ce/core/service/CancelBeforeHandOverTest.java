package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.gelato.ce.core.command.HandOverLimits;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.core.lrms.SubmitResult.Unavailable;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job that the batch system has not got is cancelled at once, whatever its start waits for; one that it may have is not. */
class CancelBeforeHandOverTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Unavailable CLOSED = new Unavailable("queue is disabled", Scope.QUEUE);

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        // The time of pauses stands still: nothing is tried.
        ce = new TestCe(DB.database(), lrms, "h1", HandOverLimits.DEFAULT, () -> 0);
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private static int count(String what) {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM " + what)
                        .mapTo(Integer.class)
                        .one());
    }

    /** What was put off is due. */
    private void triedAgain() {
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE command SET run_after = UTC_TIMESTAMP(6) WHERE run_after > UTC_TIMESTAMP(6)"));
        ce.dispatcher.wake();
    }

    private void cancel() {
        ce.jobCommands.cancelJobsOf(ce.delegationRow(), "the delegation ended");
    }

    private static List<Integer> states() {
        return DB.database()
                .read(h -> h.select("SELECT state FROM command WHERE kind > 0 ORDER BY id")
                        .mapTo(Integer.class)
                        .list());
    }

    @Test
    void jobsOfAPausedQueueAreCancelledAtOnce() {
        lrms.answer(s -> CLOSED);
        ce.start();
        List<JobId> ids = IntStream.range(0, 12).mapToObj(i -> ce.submit(ALICE)).toList();
        await().until(() -> {
            triedAgain();
            return count("command WHERE kind = 1 AND state = 1 AND lane LIKE 'paused %'") == 12;
        });
        cancel();
        for (JobId id : ids) {
            assertThat(ce.state(ALICE, id)).isEqualTo(JobState.CANCELLED);
        }
        assertThat(count("command WHERE state < 3")).isZero();
        assertThat(count("command WHERE kind = 1 AND state = 4 AND failure_reason = 'the delegation ended'"))
                .isEqualTo(12);
        assertThat(count("command WHERE kind <> 1 AND state = 3")).isEqualTo(12);
        cancel();
        assertThat(count("command WHERE kind <> 1 AND state = 3")).as("once").isEqualTo(12);
        assertThat(lrms.jobs()).isEmpty();
    }

    @Test
    void aJobWhoseStartIsPutBackIsCancelledThen() {
        lrms.hangs(true);
        ce.start();
        JobId id = ce.submit(ALICE);
        await().until(() -> lrms.unanswered().size() == 1);
        cancel();
        assertThat(ce.state(ALICE, id)).as("it may be handed over").isEqualTo(JobState.PENDING);
        lrms.unanswered().values().forEach(f -> f.complete(CLOSED));
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        await().until(() -> count("command WHERE state < 3") == 0);
        assertThat(states()).containsExactly(CommandState.ERROR.code(), CommandState.SUCCESSFULL.code());
        assertThat(lrms.submissions()).hasSize(1);
        assertThat(lrms.cancels()).isZero();
    }

    @Test
    void aJobThatTheBatchSystemMayHaveIsNot() {
        JobId id = ce.submit(ALICE);
        DB.database().inTransaction(h -> h.execute("UPDATE job SET hand_over = 1"));
        cancel();
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.PENDING);
        assertThat(states()).containsExactly(CommandState.QUEUED.code(), CommandState.CREATED.code());
        ce.start();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        assertThat(lrms.lookUps()).isEqualTo(1);
        assertThat(lrms.submissions()).isEmpty();
    }

    /** A hand-over without result is not found, the next one is not taken: nothing of the job is in the batch system that anybody sees. */
    private JobId inDoubtOnce() {
        AtomicBoolean responds = new AtomicBoolean();
        lrms.answer(s -> responds.getAndSet(true) ? CLOSED : new SubmitResult.Unclear("timed out"));
        ce.start();
        JobId id = ce.submit(ALICE);
        await().until(() -> count("command WHERE kind = 1 AND run_after IS NOT NULL") == 1);
        triedAgain();
        await().until(() -> count("command WHERE kind = 1 AND failure_reason = 'queue is disabled'") == 1);
        assertThat(count("job WHERE attempt = 1 AND hand_over = 0")).isEqualTo(1);
        return id;
    }

    private Path claim(JobId id) {
        return new SandboxStore(DB.database(), ce.numbers, ce.layout)
                .of(List.of(ce.numbers.row(id)))
                .get(ce.numbers.row(id))
                .sandbox()
                .resolve("claim");
    }

    @Test
    void aJobThatMayStillArriveIsTakenFromItsWrapperFirst() {
        JobId id = inDoubtOnce();
        cancel();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        assertThat(ce.accounts.files()).containsKey(claim(id));
        lrms.show(new LrmsJob("777", id.tag(), LrmsJob.State.QUEUED, null, null, null));
        await().until(() -> lrms.jobs().stream().allMatch(job -> job.state() == LrmsJob.State.CANCELLED));
    }

    @Test
    void itIsNotCancelledWhileThatIsNotKnown() {
        JobId id = inDoubtOnce();
        ce.accounts.broken(true);
        cancel();
        await().until(() -> count("command WHERE kind <> 1 AND failure_reason LIKE '%no space left%'") == 1);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.PENDING);
        ce.accounts.broken(false);
        triedAgain();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
    }

    @Test
    void aJobThatAWrapperHasIsFollowedAndCancelledThere() {
        JobId id = inDoubtOnce();
        ce.accounts.write(claim(id).resolve("owner"), "lrmsid=777\n".getBytes(StandardCharsets.UTF_8));
        lrms.show(new LrmsJob("777", id.tag(), LrmsJob.State.RUNNING, null, "wn1", null));
        cancel();
        await().until(() -> count("job WHERE lrms_id = '777'") == 1);
        assertThat(ce.state(ALICE, id)).isNotEqualTo(JobState.CANCELLED);
        triedAgain();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        assertThat(lrms.jobs()).extracting(LrmsJob::state).containsExactly(LrmsJob.State.CANCELLED);
    }

    @Test
    void aJobThatBeganWhileItWasTakenIsCancelledInTheBatchSystem() {
        JobId id = inDoubtOnce();
        lrms.show(new LrmsJob("777", id.tag(), LrmsJob.State.RUNNING, null, null, "wn1"));
        ce.accounts.before(
                "finish",
                () -> DB.database()
                        .inTransaction(h -> h.createUpdate("UPDATE job SET state = :state, lrms_id = '777'")
                                .bind("state", JobState.RUNNING.code())
                                .execute()));
        cancel();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        assertThat(lrms.jobs()).extracting(LrmsJob::state).containsExactly(LrmsJob.State.CANCELLED);
    }

    @Test
    void aCancelWaitsForItsClaimNoLongerThanAWrapperMayCome() {
        JobId id = inDoubtOnce();
        ce.accounts.broken(true);
        cancel();
        await().until(() -> count("command WHERE kind <> 1 AND failure_reason LIKE '%no space left%'") == 1);
        DB.database().inTransaction(h -> h.execute("UPDATE command SET tries = 360 WHERE kind <> 1"));
        triedAgain();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
    }

    /** As in a database that was restored. */
    @Test
    void aJobThatOnlySeemsToBeRegisteredIsTakenFromItsWrapperFirst() {
        JobId id = ce.submit(ALICE);
        DB.database()
                .inTransaction(h -> h.execute("DELETE FROM command")
                        + h.createUpdate("UPDATE job SET hand_over = 1, state = :state")
                                .bind("state", JobState.REGISTERED.code())
                                .execute());
        cancel();
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REGISTERED);
        ce.start();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        assertThat(ce.accounts.files()).containsKey(claim(id));
    }

    @Test
    void aJobWhoseLeaseRanOutIsCancelledThoughItsQueueTakesNothing() {
        lrms.answer(s -> CLOSED);
        ce.leases.set(ALICE, "L1", Instant.now().plusSeconds(600));
        ce.start();
        JobId id = ce.jobs
                .registration()
                .register(
                        ALICE, List.of(new JobDescription("r", Jdl.LANGUAGE, TestCe.JDL, "d1", null, "L1", true)), null)
                .get(0)
                .id();
        await().until(() -> count("command WHERE kind = 1 AND failure_reason = 'queue is disabled'") == 1);
        DB.database().inTransaction(h -> h.execute("UPDATE lease SET expires_at = UTC_TIMESTAMP(6)"));
        Clock clock = Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));
        assertThat(ce.leaseSweeper(DB.database(), clock, Duration.ofMinutes(30)).sweep())
                .isEqualTo(1);
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
    }

    /** The claimer holds the command and needs the job's row; the cancel holds the job's row. */
    @Test
    void aStartThatIsBeingClaimedIsLeftToItsClaimer() {
        JobId id = ce.submit(ALICE);
        DB.database().inTransaction(h -> {
            h.select("SELECT id FROM command WHERE kind = 1 FOR UPDATE")
                    .mapTo(Long.class)
                    .list();
            CompletableFuture.runAsync(this::cancel)
                    .orTimeout(5, TimeUnit.MINUTES)
                    .join();
            return h.execute("UPDATE job SET hand_over = hand_over");
        });
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.PENDING);
        assertThat(states()).containsExactly(CommandState.QUEUED.code(), CommandState.CREATED.code());
        ce.start();
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        await().until(() -> count("command WHERE state < 3") == 0);
        assertThat(lrms.submissions()).isEmpty();
    }
}
