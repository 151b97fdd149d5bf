package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;

/** A batch system keeps ended jobs until it is given them as stored, whichever process stored their ends. */
class EndsStillShownTest extends EndedJobs {
    private static LrmsJob ended(String lrmsId, JobId id) {
        return new LrmsJob(lrmsId, id.tag(), LrmsJob.State.DONE, 0, null, "wn1");
    }

    @Test
    void jobsWhoseEndsAnEarlierProcessStoredAreTakenOutAndNoOthers() throws Exception {
        JobId id = running();
        JobId purged = running();
        JobId alive = running();
        List<LrmsJob> jobs =
                List.of(ended(shown(id).lrmsId(), id), ended(shown(purged).lrmsId(), purged));
        List<String> theirs = jobs.stream().map(LrmsJob::lrmsId).toList();
        done(id, 0, null);
        done(purged, 0, null);
        becomes(id, JobState.DONE_OK);
        becomes(purged, JobState.DONE_OK);
        DB.database().inTransaction(h -> h.execute("DELETE FROM job WHERE id = ?", ce.numbers.row(purged)));
        FakeLrms later = new FakeLrms();
        jobs.forEach(later::show);
        later.show(shown(alive));
        later.show(ended("999999", id));
        later.show(ended("888888", new JobId(7)));
        try (Database own = new Database(DB.config());
                TestCe after = new TestCe(own, later, "host3")) {
            after.poller.round();
            List<String> taken = later.keepEnded();
            after.poller.round();
            assertThat(taken).containsExactlyInAnyOrderElementsOf(theirs);
            after.poller.round();
            assertThat(taken).as("once").hasSize(2);
        }
    }

    /** Without jobs that are followed the poller rests, and what is to be taken out would stay. */
    @Test
    void aRestingPollerPollsOnceAMinuteWhileThereAreSome() throws Exception {
        JobId id = running();
        FakeLrms later = new FakeLrms();
        later.show(ended(shown(id).lrmsId(), id));
        done(id, 0, null);
        becomes(id, JobState.DONE_OK);
        later.keepEnded();
        try (Database own = new Database(DB.config());
                TestCe after = new TestCe(own, later, "host3")) {
            for (int i = 0; i < 6; i++) {
                after.poller.round();
            }
            int before = later.polls();
            after.poller.round();
            assertThat(later.polls()).isEqualTo(before);
            after.ahead = EndsStillShown.PAUSE;
            after.poller.round();
            after.poller.round();
            assertThat(later.polls()).isEqualTo(before + 1);
            later.forget(id.tag());
            after.ahead = EndsStillShown.PAUSE.multipliedBy(2);
            after.poller.round();
            after.ahead = EndsStillShown.PAUSE.multipliedBy(3);
            after.poller.round();
            assertThat(later.polls()).as("they are gone").isEqualTo(before + 2);
        }
    }
}
