package org.gelato.ce.core.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases and purge policies hold for jobs that have no delegation, beside others that have one. */
class WithoutProxyTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller TOKEN = TestCe.tokenCaller("ann of sweeps");

    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    /** One without a delegation, and one with. */
    private List<JobId> register(String lease, boolean start) {
        return ce
                .jobs
                .registration()
                .register(
                        TOKEN,
                        Stream.of((String) null, "d1")
                                .map(d -> new JobDescription("r", Jdl.LANGUAGE, TestCe.JDL, d, null, lease, start))
                                .toList(),
                        null)
                .stream()
                .map(RegisterResult::id)
                .toList();
    }

    private void awaitState(List<JobId> ids, JobState state) {
        await(ids + " become " + state).until(() -> ids.stream().allMatch(id -> ce.state(TOKEN, id) == state));
    }

    private JobPurger purger() {
        return new JobPurger(
                new PurgeQueue(DB.database(), ce.jobStore, ce.commands, Clock.systemUTC(), ce.dispatcher::wake),
                PurgePolicy.parse("DONE-FAILED 10 days; CANCELLED 10 days; REGISTERED 2 days"),
                Clock.systemUTC());
    }

    private static void age(int days) {
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state_since = state_since - INTERVAL ? DAY", days));
    }

    @Test
    void theyAreCancelledWithTheirLease() {
        ce.leases.set(TOKEN, "L1", Instant.now().plus(Duration.ofMinutes(10)));
        List<JobId> ids = register("L1", true);
        awaitState(ids, JobState.IDLE);
        DB.database().inTransaction(h -> h.execute("UPDATE lease SET expires_at = UTC_TIMESTAMP(6)"));
        LeaseSweeper sweeper = ce.leaseSweeper(DB.database(), Clock.systemUTC(), Duration.ofMinutes(30));
        assertThat(sweeper.sweep()).isEqualTo(2);
        awaitState(ids, JobState.CANCELLED);
        assertThat(ce.jobs.queries().info(TOKEN, JobFilter.all()))
                .allSatisfy(job -> assertThat(job.info().history())
                        .last()
                        .satisfies(end ->
                                assertThat(end.description()).startsWith("Job cancelled by Lease Manager! (try 1/3)")));
    }

    @Test
    void theyArePurgedByPolicyHoweverTheyEnded() {
        List<JobId> registered = register(null, false);
        List<JobId> done = register(null, true);
        List<JobId> cancelled = register(null, false);
        ce.jobs
                .commands()
                .cancel(
                        TOKEN,
                        JobFilter.ofIds(cancelled.stream().map(JobId::toString).toList()));
        awaitState(done, JobState.IDLE);
        done.forEach(id -> ce.lrms.move(id.tag(), LrmsJob.State.FAILED, 1, "TimeLimit"));
        awaitState(done, JobState.DONE_FAILED);
        age(1);
        assertThat(purger().sweep()).isZero();
        age(1);
        assertThat(purger().sweep()).isEqualTo(2);
        await("the registered ones go")
                .until(() -> ce.jobs.queries().list(TOKEN).stream().noneMatch(registered::contains));
        assertThat(ce.jobs.queries().list(TOKEN)).containsAll(done).containsAll(cancelled);
        age(9);
        assertThat(purger().sweep()).isEqualTo(4);
        await("all go").until(() -> ce.jobs.queries().list(TOKEN).isEmpty());
    }
}
