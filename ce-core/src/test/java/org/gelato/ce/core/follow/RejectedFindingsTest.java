package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a poll finds of one job and the database does not take, among what it finds of others. */
class RejectedFindingsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;
    private JobId rejected;
    private JobId other;

    @BeforeEach
    void twoJobsInTheBatchSystem() {
        ce = new TestCe(DB.database(), lrms, "host1");
        rejected = idle("1");
        other = idle("2");
        alter("job ADD CONSTRAINT node_taken CHECK (worker_node <> 'bad')");
        alter("job ADD CONSTRAINT words_taken CHECK (description NOT LIKE '%bad%')");
        alter("usage_record ADD CONSTRAINT cores_taken CHECK (cores <> 66)");
    }

    @AfterEach
    void close() {
        alter("job DROP CONSTRAINT node_taken");
        alter("job DROP CONSTRAINT words_taken");
        alter("usage_record DROP CONSTRAINT cores_taken");
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce.close();
    }

    private static void alter(String change) {
        DB.database().inTransaction(h -> h.execute("ALTER TABLE " + change));
    }

    private JobId idle(String lrmsId) {
        JobId id = ce.submit(ALICE);
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET state = 2, hand_over = 2, lrms_id = ?, handed_over_at = UTC_TIMESTAMP(6) WHERE id = ?",
                        lrmsId,
                        ce.numbers.row(id)));
        return id;
    }

    private void show(JobId id, String lrmsId, LrmsJob.State state, String reason, String node) {
        lrms.show(new LrmsJob(lrmsId, id.tag(), state, null, reason, node));
    }

    private JobRow row(JobId id) {
        return DB.database()
                .read(h -> ce.jobStore.byId(h, List.of(ce.numbers.row(id))))
                .get(0);
    }

    @Test
    void statesAndReasonsOfTheOthersAreStored() throws Exception {
        show(rejected, "1", LrmsJob.State.RUNNING, null, "bad");
        show(other, "2", LrmsJob.State.RUNNING, null, "wn1");
        ce.poller.round();
        assertThat(row(other).state()).isEqualTo(JobState.RUNNING);
        assertThat(row(rejected).state()).isEqualTo(JobState.IDLE);
        ce.poller.round(); // and again, without an exception
    }

    @Test
    void whyTheOthersWaitIsStored() throws Exception {
        show(rejected, "1", LrmsJob.State.QUEUED, "bad", null);
        show(other, "2", LrmsJob.State.QUEUED, "Priority", null);
        ce.poller.round();
        assertThat(row(other).status().description()).isEqualTo("fake: Priority");
        assertThat(row(rejected).status().description()).isNull();
    }

    @Test
    void theIdsOfTheOthersAreFilledIn() throws Exception {
        DB.database()
                .inTransaction(h ->
                        h.execute("UPDATE job SET lrms_id = NULL, state_since = UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE"));
        show(rejected, "1".repeat(LrmsJob.LONGEST_ID + 1), LrmsJob.State.QUEUED, null, null);
        show(other, "2", LrmsJob.State.QUEUED, null, null);
        ce.poller.round();
        assertThat(row(other).lrmsId()).isEqualTo("2");
        assertThat(row(rejected).lrmsId()).isNull();
        assertThat(row(rejected).state()).as("it is in the batch system").isEqualTo(JobState.IDLE);
    }

    @Test
    void whatTheOthersUsedIsFilledIn() {
        List.of(rejected, other).forEach(id -> ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null))));
        EndedUsage ended = new EndedUsage(DB.database());
        ended.polled(List.of(), List.of(used(rejected, "1", 66), used(other, "2", 2)));
        Instant now = Instant.now();
        ended.store(now);
        ended.store(now.plus(EndedUsage.PAUSE));
        Map<JobId, Usage> usages = DB.database().read(h -> new UsageRecords().of(h, List.of(rejected, other)));
        assertThat(usages).containsOnlyKeys(other);
        long before = DB.database().statements();
        ended.polled(List.of(), List.of(used(rejected, "1", 66), used(other, "2", 2)));
        ended.store(now.plus(EndedUsage.PAUSE.multipliedBy(3)));
        assertThat(DB.database().statements())
                .as("statements for what is settled")
                .isEqualTo(before);
    }

    private static LrmsJob used(JobId id, String lrmsId, int cores) {
        return new LrmsJob(lrmsId, id.tag(), LrmsJob.State.DONE, 0, null, "wn1")
                .using(new Usage(null, Duration.ofSeconds(7), cores, null, Usage.Source.BATCH_SYSTEM));
    }
}
