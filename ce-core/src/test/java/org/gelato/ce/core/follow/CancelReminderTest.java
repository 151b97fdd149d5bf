package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A batch system that took a cancel and forgot it, as slurmctld does when it is killed before it saves. */
class CancelReminderTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;
    private JobId job;

    @BeforeEach
    void aCancelIsForgotten() {
        ce = new TestCe(DB.database(), lrms, "host1").start();
        job = ce.submit(ALICE);
        await("the job is queued").until(() -> ce.state(ALICE, job) == JobState.IDLE);
        lrms.forgetsCancels(true);
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(job.toString())));
        await("the cancel is carried out").until(() -> cancels() == 1 && openCancels() == 0);
    }

    @AfterEach
    void close() {
        ce.close();
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    private static long cancels() {
        return count("SELECT COUNT(*) FROM command WHERE kind = " + CommandKind.JOB_CANCEL.code());
    }

    private static long openCancels() {
        return count(
                "SELECT COUNT(*) FROM command WHERE state IN (0, 1, 2) AND kind = " + CommandKind.JOB_CANCEL.code());
    }

    private static long count(String sql) {
        return DB.database().read(h -> h.createQuery(sql).mapTo(Long.class).one());
    }

    @Test
    void theJobIsCancelledAgainUntilItIs() {
        await("a second cancel").until(() -> lrms.cancels() >= 2);
        assertThat(ce.state(ALICE, job)).isEqualTo(JobState.IDLE);
        lrms.forgetsCancels(false);
        await("the job is cancelled").until(() -> ce.state(ALICE, job) == JobState.CANCELLED);
    }

    @Test
    void aCancelUnderWayIsEnoughAndEachPauseIsTwiceTheLast() {
        ce.close();
        Duration grace = Duration.ofMinutes(1);
        CancelReminder reminder = new CancelReminder(DB.database(), ce.jobStore, ce.commands, grace);
        List<JobRow> living = living();
        long before = cancels();
        Instant seen = Instant.now();
        reminder.remind(living, seen);
        reminder.remind(living, seen.plusSeconds(59));
        assertThat(cancels()).as("in its grace").isEqualTo(before);
        reminder.remind(List.of(), seen.plusSeconds(60));
        reminder.remind(living, seen.plusSeconds(60));
        assertThat(cancels()).as("seen living again: a grace of its own").isEqualTo(before);
        Instant due = seen.plusSeconds(120);
        reminder.remind(living, due);
        assertThat(cancels()).isEqualTo(before + 1);
        reminder.remind(living, due.plusSeconds(120));
        assertThat(cancels()).as("beside one under way").isEqualTo(before + 1);
        DB.database().inTransaction(h -> h.execute("UPDATE command SET state = 3"));
        reminder.remind(living, due.plusSeconds(120 + 239));
        assertThat(cancels()).as("in the second pause").isEqualTo(before + 1);
        reminder.remind(living, due.plusSeconds(120 + 240));
        assertThat(cancels()).isEqualTo(before + 2);
    }

    private static List<JobRow> living() {
        return DB.database()
                .inTransaction(h -> new JobStore()
                        .lock(
                                h,
                                h.createQuery("SELECT id FROM job")
                                        .mapTo(Integer.class)
                                        .list()));
    }
}
