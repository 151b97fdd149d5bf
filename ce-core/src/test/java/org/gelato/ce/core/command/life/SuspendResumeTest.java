package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SuspendResumeTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), lrms, "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private void awaitState(JobId id, JobState state) {
        await(id + " becomes " + state).until(() -> ce.state(ALICE, id) == state);
    }

    private JobId queued() {
        JobId id = ce.submit(ALICE);
        awaitState(id, JobState.IDLE);
        return id;
    }

    private static JobFilter only(JobId id) {
        return JobFilter.ofIds(List.of(id.toString()));
    }

    private CommandRecord last(JobId id) {
        List<CommandRecord> commands =
                ce.jobs.queries().info(ALICE, only(id)).get(0).info().commands();
        return commands.get(commands.size() - 1);
    }

    private void awaitLast(JobId id, String name, String status) {
        await(name + " is " + status)
                .until(() -> last(id).name().equals(name) && last(id).status().equals(status));
    }

    @Test
    void aQueuedJobIsHeldAndReleased() {
        JobId id = queued();
        assertThat(ce.jobs.commands().suspend(ALICE, only(id))).containsExactly(new CommandResult(id.toString(), null));
        awaitState(id, JobState.HELD);
        awaitLast(id, "JOB_SUSPEND", "SUCCESSFULL");

        assertThat(ce.jobs.commands().resume(ALICE, only(id))).containsExactly(new CommandResult(id.toString(), null));
        awaitState(id, JobState.IDLE);
        awaitLast(id, "JOB_RESUME", "SUCCESSFULL");
    }

    @Test
    void aJobIsResumedAsOursUnlessTheSiteSuspendedIt() {
        JobId ours = queued();
        String lrmsId = lrms.jobs().iterator().next().lrmsId();
        JobId sites = queued();
        ce.jobs.commands().suspend(ALICE, only(ours));
        lrms.move(sites.tag(), LrmsJob.State.HELD, null, null);
        for (JobId id : List.of(ours, sites)) {
            awaitState(id, JobState.HELD);
            ce.jobs.commands().resume(ALICE, only(id));
            awaitState(id, JobState.IDLE);
        }
        assertThat(lrms.resumed()).containsExactly(lrmsId);
        // The site holds again what we suspended and resumed.
        lrms.move(ours.tag(), LrmsJob.State.HELD, null, null);
        awaitState(ours, JobState.HELD);
        ce.jobs.commands().resume(ALICE, only(ours));
        awaitState(ours, JobState.IDLE);
        assertThat(lrms.resumed()).hasSize(1);
    }

    @Test
    void aJobThatIsHeldWhileItsPayloadRunsComesBackToThat() {
        JobId id = queued();
        ce.events.apply(List.of(ce.event(id, Kind.RUNNING, null, null)));
        ce.events.apply(List.of(ce.event(id, Kind.REALLY_RUNNING, null, null)));
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REALLY_RUNNING);
        lrms.move(id.tag(), LrmsJob.State.HELD, null, null);
        awaitState(id, JobState.HELD);
        lrms.move(id.tag(), LrmsJob.State.RUNNING, null, null);
        awaitState(id, JobState.REALLY_RUNNING);
    }

    @Test
    void whatTheBatchSystemRefusesEndsInErrorWithItsMessage() {
        JobId id = queued();
        lrms.run(id.tag(), "wn1");
        awaitState(id, JobState.RUNNING);
        assertThat(ce.jobs.commands().suspend(ALICE, only(id)).get(0).fault()).isNull();
        awaitLast(id, "JOB_SUSPEND", "ERROR");
        assertThat(last(id).failureReason()).contains("is RUNNING and stays so");
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void jobsInOtherStatesAreRefused() {
        JobId registered = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        assertThat(ce.jobs.commands().suspend(ALICE, only(registered)).get(0).fault())
                .isEqualTo(new JobFault(FaultCode.STATUS_INVALID, null));
        assertThat(ce.jobs.commands().resume(ALICE, only(queued())).get(0).fault())
                .isEqualTo(new JobFault(FaultCode.STATUS_INVALID, null));
        assertThat(ce.jobs
                        .commands()
                        .suspend(TestCe.caller("Bob"), only(queued()))
                        .get(0)
                        .fault())
                .isEqualTo(new JobFault(FaultCode.JOB_UNKNOWN, null));
    }

    @Test
    void withoutIdsAllThatMatchAreHeldAndTheAnswerIsEmpty() {
        Caller carol = TestCe.caller("Carol");
        JobId first = ce.submit(carol);
        JobId second = ce.submit(carol);
        await().until(() -> ce.state(carol, first) == JobState.IDLE && ce.state(carol, second) == JobState.IDLE);
        assertThat(ce.jobs.commands().suspend(carol, JobFilter.all())).isEmpty();
        await().until(() -> ce.state(carol, first) == JobState.HELD && ce.state(carol, second) == JobState.HELD);
    }

    @Test
    void aSuspendOutlivesItsProcess() {
        JobId id = queued();
        ce.close();
        try (TestCe dying = new TestCe(DB.database(), lrms, "host1")) {
            assertThat(dying.jobs.commands().suspend(ALICE, only(id)).get(0).fault())
                    .isNull();
        }
        ce = new TestCe(DB.database(), lrms, "host1").start();
        awaitState(id, JobState.HELD);
    }

    @Test
    void aSuspendThatWasCutOffAfterItsEffectIsNoError() {
        JobId id = queued();
        ce.jobs.commands().suspend(ALICE, only(id));
        awaitState(id, JobState.HELD);
        awaitLast(id, "JOB_SUSPEND", "SUCCESSFULL");
        ce.close();
        // As a claim returns whose outcome was never written.
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE command SET state = 1, completed_at = NULL WHERE kind = 4 AND job_id = ?",
                        ce.numbers.row(id)));
        ce = new TestCe(DB.database(), lrms, "host1").start();
        awaitLast(id, "JOB_SUSPEND", "SUCCESSFULL");
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.HELD);
    }
}
