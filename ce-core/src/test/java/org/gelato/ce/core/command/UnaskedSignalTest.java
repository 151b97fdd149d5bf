package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A wrapper that gets a signal knows nothing of who sent it and why; the batch system does. */
class UnaskedSignalTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final String SIGTERM = "Job has been terminated (got SIGTERM)";

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private JobId running() {
        JobId id = ce.submit(ALICE);
        await().until(() -> ce.state(ALICE, id) == JobState.IDLE);
        ce.lrms.run(id.tag(), "wn1");
        ce.events.apply(List.of(ce.event(id, Kind.REALLY_RUNNING, null, null)));
        return id;
    }

    private List<JobStatus> history(JobId id) {
        return ce.jobs
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info()
                .history();
    }

    private JobStatus last(JobId id) {
        List<JobStatus> all = history(id);
        return all.get(all.size() - 1);
    }

    @Test
    void theBatchSystemsReasonStandsBesideTheWrappersReport() {
        JobId id = running();
        ce.events.apply(List.of(ce.event(id, Kind.DONE, null, SIGTERM)));
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM);
        int records = history(id).size();
        // it shows the job as running for a while
        await().until(() -> ce.lrms.lookUps() >= 2);
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM);

        ce.lrms.move(id.tag(), LrmsJob.State.FAILED, null, "wall time limit exceeded (exit status -11)");

        await().untilAsserted(() -> assertThat(last(id).failureReason())
                .isEqualTo(SIGTERM + "; fake says: wall time limit exceeded (exit status -11)"));
        assertThat(last(id).state()).isEqualTo(JobState.DONE_FAILED);
        assertThat(history(id)).hasSize(records);
    }

    @Test
    void aSignalOfARequestedCancelIsNotLookedUp() {
        JobId id = running();
        ce.jobs.cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        await().until(() -> ce.lrms.cancels() > 0);
        ce.events.apply(List.of(ce.event(id, Kind.DONE, null, SIGTERM)));
        await().until(() -> ce.state(ALICE, id) == JobState.CANCELLED);
        assertThat(ce.events.signalled().take(List.of(0, 1, 2, 3))).isEmpty();
    }

    @Test
    void anotherFailureIsNotLookedInto() {
        JobId id = running();
        int before = ce.lrms.lookUps();
        ce.events.apply(List.of(ce.event(id, Kind.DONE, null, "no such file")));
        JobId second = running();
        ce.events.apply(List.of(ce.event(second, Kind.DONE, null, SIGTERM)));
        ce.lrms.move(second.tag(), LrmsJob.State.CANCELLED, null, "deleted");
        await().untilAsserted(
                        () -> assertThat(last(second).failureReason()).isEqualTo(SIGTERM + "; fake says: deleted"));
        assertThat(last(id).failureReason()).isEqualTo("no such file");
        assertThat(ce.lrms.lookUps()).isGreaterThan(before);
    }
}
