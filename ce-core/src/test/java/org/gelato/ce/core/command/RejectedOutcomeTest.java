package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An outcome that the database never takes holds up its own job alone. */
class RejectedOutcomeTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");
    private static final Duration SOON = Duration.ofSeconds(40);
    /** Of a Torque server in a cluster of containers. */
    private static final String OF_TORQUE = "1234567.torque-server-0.torque.my-namespace.svc.cluster.example.local";

    private final FakeLrms lrms = new FakeLrms();

    @AfterEach
    void cleanUp() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    /** The batch system takes the job under an id, its submission does not say so, and the look-up finds it. */
    private Function<Submission, SubmitResult> foundAs(String lrmsId) {
        return s -> {
            lrms.show(new LrmsJob(lrmsId, s.id().tag(), LrmsJob.State.QUEUED, null, null, null));
            return new SubmitResult.Unclear("no id was printed");
        };
    }

    private static CommandRecord start(TestCe ce, JobId id) {
        return ce.jobs.queries().info(ALICE, JobFilter.ofIds(List.of(id.toString()))).get(0).info().commands().stream()
                .filter(c -> c.name().equals("JOB_START"))
                .findFirst()
                .orElseThrow();
    }

    private static String startsReason(TestCe ce, JobId id) {
        String reason = start(ce, id).failureReason();
        return reason == null ? "" : reason;
    }

    private static void awaitIdle(TestCe ce, Caller caller, JobId id) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ce.state(caller, id)).isEqualTo(JobState.IDLE));
    }

    @Test
    void anIdOfARealServerIsStored() {
        assertThat(OF_TORQUE).hasSizeGreaterThan(64);
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            lrms.answer(foundAs(OF_TORQUE));
            awaitIdle(ce, ALICE, ce.submit(ALICE));
        }
    }

    @Test
    void oneIdThatCannotBeStoredHoldsUpItsOwnJobAlone() {
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            lrms.answer(foundAs("1.".concat("x".repeat(LrmsJob.LONGEST_ID))));
            JobId poison = ce.submit(ALICE);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(startsReason(ce, poison)).contains("lrms_id"));
            assertThat(ce.state(ALICE, poison)).isEqualTo(JobState.PENDING);
            assertThat(DB.database().batches().rejected()).isPositive();

            lrms.answer(lrms::accept);
            awaitIdle(ce, BOB, ce.submit(BOB));
            assertThat(ce.dispatcher.inFlight())
                    .as("places of commands that are put off")
                    .isZero();
        }
    }

    @Test
    void whatWasPutOffGoesOnWhenTheDatabaseTakesIt() {
        DB.database()
                .inTransaction(h -> h.execute("ALTER TABLE job ADD CONSTRAINT not_taken CHECK (lrms_id <> '666')"));
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            lrms.answer(s -> {
                lrms.show(new LrmsJob("666", s.id().tag(), LrmsJob.State.QUEUED, null, null, null));
                return new SubmitResult.Accepted("666");
            });
            JobId job = ce.submit(ALICE);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(startsReason(ce, job)).contains("not_taken"));
            DB.database().inTransaction(h -> h.execute("ALTER TABLE job DROP CONSTRAINT not_taken"));
            DB.database()
                    .inTransaction(h ->
                            h.execute("UPDATE command SET run_after = UTC_TIMESTAMP(6) WHERE run_after IS NOT NULL"));
            ce.dispatcher.wake();
            awaitIdle(ce, ALICE, job);
            assertThat(lrms.submissions()).as("handed over").hasSize(1);
            assertThat(start(ce, job).failureReason()).isNull();
        }
    }

    @Test
    void oneBatchIsWrittenButForItsMemberThatIsRejected() throws InterruptedException {
        List<JobId> jobs = new ArrayList<>();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1")) {
            for (int i = 0; i < 7; i++) {
                jobs.add(ce.submit(ALICE));
            }
            Clock clock = Clock.systemUTC();
            NodeClaims node =
                    new NodeClaims(DB.database(), new NodeStore(), ce.commands, clock, new NodeClaims.Work("h1", null));
            List<ClaimedCommand> claimed = DB.database()
                    .inTransaction(h -> ce.commands
                            .claim(h, node.node(), TestCommands.room(10), clock.instant(), Duration.ofHours(1))
                            .commands());
            CommandCompleter completer =
                    new CommandCompleter(DB.database(), ce.commands, ce.jobStore, ce.machine, clock);
            JobId poison = claimed.get(4).jobId();
            claimed.forEach(c -> completer.accept(new CommandOutcome.HandedOver(
                    c, c.jobId().equals(poison) ? "x".repeat(LrmsJob.LONGEST_ID + 1) : "id" + c.id())));
            List<CommandOutcome> committed = new ArrayList<>();
            completer.runOnce(committed::addAll, () -> {});
            assertThat(completer.waiting()).as("the one that is put off").isOne();
            completer.runOnce(committed::addAll, () -> {});
            assertThat(committed)
                    .hasSize(7)
                    .filteredOn(o -> o instanceof CommandOutcome.Parked)
                    .hasSize(1);
            for (JobId id : jobs) {
                assertThat(ce.state(ALICE, id)).isEqualTo(id.equals(poison) ? JobState.PENDING : JobState.IDLE);
            }
            assertThat(startsReason(ce, poison)).contains("can't be stored", "lrms_id");
        }
    }
}
