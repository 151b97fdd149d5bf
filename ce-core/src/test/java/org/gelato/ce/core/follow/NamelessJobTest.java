package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;

/** A site's plugin replaced all that has the CE's name: id, account and time of submission show whose job it is. */
class NamelessJobTest extends EndedJobs {
    private void shown(String lrmsId, String account, Instant at) {
        lrms.show(new LrmsJob(lrmsId, null, LrmsJob.State.RUNNING, null, null, "wn1")
                .submitted(new LrmsJob.Submitted(account, at)));
    }

    @Test
    void isFollowedWithAWarningAndOneThatGotItsIdIsNot() {
        JobId id = running();
        String lrmsId = lrms.jobs().iterator().next().lrmsId();
        shown(lrmsId, "dteam001", Instant.now());
        await().untilAsserted(() -> assertThat(ce.poller.history().warning())
                .contains(id + " as " + lrmsId)
                .contains("leave the name or the comment"));
        int polls = lrms.polls();
        await("it is not taken as vanished").until(() -> lrms.polls() > polls + 3);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REALLY_RUNNING);
        shown(lrmsId, "dteam001", Instant.now().plusSeconds(3600));
        DB.database()
                .inTransaction(h -> h.execute("UPDATE job SET handed_over_at = registered_at - INTERVAL 1 MINUTE"));
        becomes(id, JobState.DONE_FAILED);
        await().untilAsserted(() -> assertThat(ce.poller.history().warning()).isNull());
    }
}
