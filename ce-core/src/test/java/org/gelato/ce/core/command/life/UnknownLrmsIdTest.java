package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A batch system whose wrappers do not know their own id, and jobs that report before the CE knows it. */
class UnknownLrmsIdTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), lrms, "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    /** A job whose hand-over got no clear result while the batch system did {@code there} about it. */
    private JobId unclear(boolean there) {
        lrms.answer(s -> {
            if (there) {
                lrms.accept(s);
                lrms.run(s.id().tag(), "wn1");
            }
            return new SubmitResult.Unclear("the result was lost");
        });
        JobId id = ce.submit(ALICE);
        await("the result was unclear")
                .until(() -> number("SELECT COUNT(*) FROM command WHERE run_after IS NOT NULL") == 1);
        return id;
    }

    private static int number(String query) {
        return DB.database().read(h -> h.select(query).mapTo(Integer.class).one());
    }

    /** The wrapper says so, as every event of these tests, without an id. */
    private void runs(JobId id) {
        ce.events.apply(List.of(ce.event(id, Kind.RUNNING, null, null)));
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.RUNNING);
    }

    private void awaitId(JobId id, String lrmsId) {
        await("the id of " + id + " is known")
                .until(() -> lrmsId.equals(DB.database()
                        .read(h -> h.select("SELECT lrms_id FROM job WHERE id = ?", ce.numbers.row(id))
                                .mapTo(String.class)
                                .one())));
    }

    private void dueNow() {
        DB.database()
                .inTransaction(
                        h -> h.execute("UPDATE command SET state = 1, run_after = NULL WHERE run_after IS NOT NULL"));
        ce.dispatcher.wake();
    }

    private void awaitCommand(JobId id, String name, String status) {
        await(name + " is " + status).until(() -> {
            dueNow();
            return ce
                    .jobs
                    .queries()
                    .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                    .get(0)
                    .info()
                    .commands()
                    .stream()
                    .filter(c -> c.name().equals(name))
                    .map(CommandRecord::status)
                    .toList()
                    .equals(List.of(status));
        });
    }

    private void cancel(JobId id) {
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        awaitCommand(id, "JOB_CANCEL", "SUCCESSFULL");
        await(id + " is cancelled").until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        assertThat(lrms.jobs()).extracting(LrmsJob::state).containsOnly(State.CANCELLED);
    }

    @Test
    void aJobThatReportsBeforeItsUnclearHandOverIsLookedUpWasStartedAndCanBeCancelled() {
        JobId id = unclear(true);
        runs(id);
        awaitCommand(id, "JOB_START", "SUCCESSFULL");
        awaitId(id, lrms.jobs().iterator().next().lrmsId());
        cancel(id);
        assertThat(lrms.submissions()).hasSize(1);
    }

    @Test
    void aJobThatMayBeThereUnreadablyIsNeitherBoundNorHandedOverAgainAndDelaysNoOther() {
        JobId id = unclear(true);
        lrms.unreadable().add(id.tag());
        JobId other = ce.submit(ALICE);
        awaitCommand(other, "JOB_START", "SUCCESSFULL");
        int before = lrms.lookUps();
        await("it was sought again").until(() -> {
            dueNow();
            return lrms.lookUps() > before + 1;
        });
        assertThat(lrms.submissions()).hasSize(2);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.PENDING);
        lrms.unreadable().clear();
        awaitCommand(id, "JOB_START", "SUCCESSFULL");
        awaitId(id, ofTag(id));
        assertThat(lrms.submissions()).hasSize(2);
    }

    private String ofTag(JobId id) {
        return lrms.jobs().stream()
                .filter(job -> job.tag().equals(id.tag()))
                .map(LrmsJob::lrmsId)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCancelThatComesBeforeTheIdIsKnownWaitsForIt() {
        JobId id = unclear(true);
        lrms.lookUpFails(true);
        runs(id);
        awaitCommand(id, "JOB_START", "SUCCESSFULL");
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        int before = lrms.lookUps();
        await("the id was sought").until(() -> lrms.lookUps() > before);
        assertThat(lrms.cancels()).as("blind cancels").isZero();
        lrms.lookUpFails(false);
        awaitCommand(id, "JOB_CANCEL", "SUCCESSFULL");
        assertThat(lrms.cancels()).isEqualTo(1);
    }

    @Test
    void aCancelIsNotDoneWhileTheJobMayRunThoughItsIdIsNotShown() {
        JobId id = ce.submit(ALICE);
        awaitCommand(id, "JOB_START", "SUCCESSFULL");
        runs(id);
        lrms.unreadable().add(id.tag());
        lrms.forget(id.tag());
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        await("the cancel is put off")
                .until(() -> number("SELECT COUNT(*) FROM command WHERE run_after IS NOT NULL") == 1);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.RUNNING);
        lrms.unreadable().clear();
        awaitCommand(id, "JOB_CANCEL", "SUCCESSFULL");
        assertThat(lrms.cancels()).isZero();
    }

    /** The look-up came too early, so the mark of the hand-over was taken back. */
    @Test
    void aJobThatArrivesAfterItsLookUpWasStartedAndIsNotSubmittedAgain() {
        JobId id = unclear(false);
        DB.database().inTransaction(h -> h.execute("UPDATE job SET hand_over = 0"));
        lrms.show(new LrmsJob("77", id.tag(), State.RUNNING, null, null, "wn1"));
        runs(id);
        awaitCommand(id, "JOB_START", "SUCCESSFULL");
        awaitId(id, "77");
        cancel(id);
        assertThat(lrms.submissions()).hasSize(1);
    }

    /** As after a backup was restored: the start came after it, so that no command and no hand-over is known. */
    @Test
    void aJobThatWasStartedAfterABackupCanBeCancelled() {
        JobId id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        lrms.show(new LrmsJob("78", id.tag(), State.RUNNING, null, null, "wn1"));
        runs(id);
        awaitId(id, "78");
        cancel(id);
    }

    @Test
    void aJobWithoutIdThatTheBatchSystemHasNotGotEnds() {
        JobId id = unclear(false);
        runs(id);
        await(id + " is given up").until(() -> ce.state(ALICE, id) == JobState.DONE_FAILED);
        assertThat(ce.jobs
                        .queries()
                        .status(ALICE, JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .status()
                        .failureReason())
                .startsWith("the job vanished from fake");
        awaitCommand(id, "JOB_START", "SUCCESSFULL");
        assertThat(lrms.submissions()).hasSize(1);
    }

    /** Another's job may have the name of ours, but a job that nobody has seen handed over can vanish like any other. */
    @Test
    void aJobWhoseHandOverNobodySawIsMissedWhenItVanishes() {
        JobId id = unclear(false);
        lrms.show(new LrmsJob("79", id.tag(), State.RUNNING, null, null, "wn1"));
        runs(id);
        awaitId(id, "79");
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET handed_over_at = NULL, state_since = ?",
                        Instant.now()
                                .minusSeconds(60)
                                .toString()
                                .replace("T", " ")
                                .replace("Z", "")));
        lrms.forget(id.tag());
        await(id + " is given up").until(() -> ce.state(ALICE, id) == JobState.DONE_FAILED);
    }
}
