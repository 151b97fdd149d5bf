package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A CE on a scripted batch system, and what tests of the ends of its jobs do and read. */
abstract class EndedJobs {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    static final Caller ALICE = TestCe.caller("Alice");
    static final String SIGTERM = "Job has been terminated (got SIGTERM)";

    final FakeLrms lrms = new FakeLrms();
    final AtomicLong passed = new AtomicLong();
    /** What passes by the poller's clock with each reading of it, two in a round. */
    final AtomicLong perReading = new AtomicLong();

    TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job") + h.execute("DELETE FROM usage_record"));
        ce = new TestCe(DB.database(), lrms, "host1", this::ticks).start();
    }

    private long ticks() {
        return System.nanoTime() + passed.addAndGet(perReading.get());
    }

    @AfterEach
    void close() {
        ce.close();
    }

    void restart() {
        ce.close();
        ce = new TestCe(DB.database(), lrms, "host1", this::ticks).start();
    }

    JobId running() {
        JobId id = ce.submit(ALICE);
        await().until(() -> ce.state(ALICE, id) == JobState.IDLE);
        lrms.run(id.tag(), "wn1");
        ce.events.apply(List.of(ce.event(id, Kind.REALLY_RUNNING, null, null)));
        return id;
    }

    void done(JobId id, Integer exit, String reason) {
        ce.events.apply(List.of(ce.event(id, Kind.DONE, exit, reason)));
    }

    void signalled(JobId id) {
        WrapperEvent e = ce.event(id, Kind.DONE, 0, null);
        ce.events.apply(List.of(
                new WrapperEvent(id, 1, Kind.DONE, e.time(), "wn1", 0, null, null, e.token(), null, 0, "TERM", null)));
    }

    void cancelRequested(JobId id) {
        lrms.forgetsCancels(true);
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        await().until(() -> lrms.cancels() > 0);
    }

    JobInfo info(JobId id) {
        return ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info();
    }

    List<JobState> history(JobId id) {
        return info(id).history().stream().map(JobStatus::state).toList();
    }

    JobStatus last(JobId id) {
        List<JobStatus> all = info(id).history();
        return all.get(all.size() - 1);
    }

    void becomes(JobId id, JobState state) {
        await().untilAsserted(() -> assertThat(last(id).state()).isEqualTo(state));
    }

    static JobState usageRecord(JobId id) {
        return JobState.ofCode(DB.database()
                .read(h -> h.select("SELECT state FROM usage_record WHERE job_number = ?", id.number())
                        .mapTo(Integer.class)
                        .one()));
    }

    static int kept() {
        return count("SELECT COUNT(*) FROM reported_end");
    }

    static int count(String sql) {
        return DB.database().read(h -> h.select(sql).mapTo(Integer.class).one());
    }

    void end(JobId id, LrmsJob.State state, String reason) {
        lrms.move(id.tag(), state, state == LrmsJob.State.DONE ? 0 : null, reason);
    }

    LrmsJob shown(JobId id) {
        lrms.move(id.tag(), LrmsJob.State.RUNNING, null, null);
        LrmsJob job = lrms.jobs().stream()
                .filter(one -> one.tag().equals(id.tag()))
                .findFirst()
                .orElseThrow();
        return new LrmsJob(job.lrmsId(), job.tag(), LrmsJob.State.CANCELLED, null, null, "wn1");
    }

    void keptForLong() {
        perReading.set(Duration.ofMinutes(1).toNanos());
        keptForLongByTheClock();
    }

    static void keptForLongByTheClock() {
        DB.database().inTransaction(h -> h.execute("UPDATE reported_end SET reported_at = '2020-01-01'"));
    }

    /** Rounds of another node, with a connection of its own. */
    void rounds(int number, FakeLrms shown) throws Exception {
        try (Database own = new Database(DB.config());
                TestCe other = new TestCe(own, shown, "host3")) {
            for (int round = 0; round < number; round++) {
                other.poller.round();
            }
        }
    }
}
