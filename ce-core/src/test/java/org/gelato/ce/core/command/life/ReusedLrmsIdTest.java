package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A batch system that was killed, forgot a job, and gave its id to the next one. */
class ReusedLrmsIdTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;
    private JobId forgotten;
    private JobId next;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), lrms, "host1").start();
        forgotten = queued();
        String id = lrms.jobs().iterator().next().lrmsId();
        lrms.forget(forgotten.tag());
        lrms.answer(s -> {
            lrms.show(new LrmsJob(id, s.id().tag(), LrmsJob.State.QUEUED, null, null, null));
            return new SubmitResult.Accepted(id);
        });
        next = queued();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private JobId queued() {
        JobId id = ce.submit(ALICE);
        await(id + " is queued").until(() -> ce.state(ALICE, id) == JobState.IDLE);
        return id;
    }

    /** Also in a poll the forgotten job is not taken for the other: it would be followed as that for ever. */
    @Test
    void aCancelOfTheForgottenJobSparesTheOther() {
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(forgotten.toString())));
        await("the forgotten job is cancelled").until(() -> ce.state(ALICE, forgotten) == JobState.CANCELLED);
        assertThat(ce.state(ALICE, next)).isEqualTo(JobState.IDLE);
        assertThat(lrms.jobs()).extracting(LrmsJob::state).containsExactly(LrmsJob.State.QUEUED);
    }
}
