package org.gelato.ce.core.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaseSweeperTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Duration INTERVAL = Duration.ofMinutes(30);
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static int owners;

    private final Caller alice = TestCe.caller("Alice" + ++owners);
    private TestCe ce;
    private Instant end;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        DB.database().inTransaction(h -> h.execute("DELETE FROM lease"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        end = ce.leases.set(alice, "L1", Instant.now().plus(LEASE)).until();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private LeaseSweeper sweeper(Database database, Duration later) {
        Clock clock = Clock.tick(Clock.offset(Clock.systemUTC(), later), Duration.ofNanos(1000));
        return ce.leaseSweeper(database, clock, INTERVAL);
    }

    private int sweep(Duration later) {
        return sweeper(DB.database(), later).sweep();
    }

    private List<JobId> register(int count, boolean start) {
        return results(count, start).stream().map(RegisterResult::id).toList();
    }

    private List<RegisterResult> results(int count, boolean start) {
        return ce.jobs
                .registration()
                .register(
                        alice,
                        IntStream.range(0, count)
                                .mapToObj(
                                        i -> new JobDescription("r", Jdl.LANGUAGE, TestCe.JDL, "d1", null, "L1", start))
                                .toList(),
                        null);
    }

    private JobInfo info(JobId id) {
        return ce.jobs
                .queries()
                .info(alice, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info();
    }

    private List<String> cancels(JobId id) {
        return info(id).commands().stream()
                .filter(c -> c.name().equals("JOB_CANCEL"))
                .map(CommandRecord::description)
                .toList();
    }

    /** Lets the lease end now, for commands that are to be executed now. */
    private static void runOut() {
        DB.database().inTransaction(h -> h.execute("UPDATE lease SET expires_at = UTC_TIMESTAMP(6)"));
    }

    /** As if the batch system had the jobs: a cancel is its matter then. */
    private static void handOver() {
        DB.database()
                .inTransaction(h -> h.execute(
                                "UPDATE job SET state = ?, hand_over = 2, attempt = 1, lrms_id = id",
                                JobState.IDLE.code())
                        + h.execute("UPDATE command SET state = 3"));
    }

    private static int count(String table) {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM " + table)
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aRunningLeaseIsLeftAlone() {
        JobId id = register(1, true).get(0);
        assertThat(sweep(Duration.ZERO)).isZero();
        assertThat(cancels(id)).isEmpty();
        assertThat(info(id).leaseTime()).isEqualTo(end);
    }

    @Test
    void aJobIsCancelledInTheBatchSystemWhenItsLeaseRunsOut() {
        ce.start();
        JobId id = register(1, true).get(0);
        await().until(() -> ce.state(alice, id) == JobState.IDLE);
        runOut();
        assertThat(sweep(Duration.ZERO)).isEqualTo(1);
        assertThat(count("lease")).isZero();
        await().until(() -> ce.state(alice, id) == JobState.CANCELLED);
        JobInfo info = info(id);
        assertThat(info.history().get(info.history().size() - 1).description())
                .isEqualTo("Job cancelled by Lease Manager! (try 1/3)!");
        assertThat(info.leaseId()).isEqualTo("L1");
        assertThat(info.leaseTime()).isBefore(Instant.now());
        assertThat(sweep(LEASE.plus(INTERVAL.multipliedBy(2))))
                .as("an ended job is not tried again")
                .isZero();
    }

    @Test
    void itIsTriedThreeTimesAndNoMore() {
        JobId id = register(1, true).get(0);
        handOver();
        for (int i = 1; i <= 5; i++) {
            sweep(LEASE.plus(INTERVAL.multipliedBy(i)));
            sweep(LEASE.plus(INTERVAL.multipliedBy(i)));
        }
        assertThat(cancels(id))
                .containsExactly(
                        "Job cancelled by Lease Manager! (try 1/3)!",
                        "Job cancelled by Lease Manager! (try 2/3)!",
                        "Job cancelled by Lease Manager! (try 3/3)!");
        assertThat(ce.jobs.queries().status(alice, new JobFilter(List.of(), List.of(), null, null, null, "L1")))
                .as("the filter still finds it")
                .hasSize(1);
    }

    @Test
    void aJobThatWasNotStartedIsCancelledOnceItIs() {
        JobId id = register(1, false).get(0);
        assertThat(sweep(LEASE.plusSeconds(1))).isZero();
        ce.jobs.commands().start(alice, JobFilter.ofIds(List.of(id.toString())));
        assertThat(sweep(LEASE.plusSeconds(2))).as("not before its next turn").isZero();
        assertThat(sweep(LEASE.plus(INTERVAL).plusSeconds(2))).isEqualTo(1);
    }

    @Test
    void aLeaseRenewedLateGetsItsJobsBack() {
        JobId id = register(1, true).get(0);
        handOver();
        sweep(LEASE.plusSeconds(1));
        assertThat(cancels(id)).hasSize(1);
        Instant renewed = ce.leases
                .set(alice, "L1", Instant.now().plus(Duration.ofHours(5)))
                .until();
        assertThat(info(id).leaseTime()).isEqualTo(renewed);
        assertThat(sweep(LEASE.plus(INTERVAL.multipliedBy(2)))).isZero();
        assertThat(cancels(id)).hasSize(1);
    }

    @Test
    void jobsOfADeletedLeaseGoOnWithout() {
        JobId id = register(1, true).get(0);
        ce.leases.delete(alice, "L1");
        assertThat(info(id).leaseId()).isNull();
        assertThat(sweep(LEASE.plus(INTERVAL.multipliedBy(2)))).isZero();
    }

    /** It is there when it is looked up, and gone when the job is stored, which would have no lease then, and no end. */
    @Test
    void aLeaseSweptWhileItsJobIsRegisteredIsUnknown() {
        CompletableFuture<List<RegisterResult>> registered = DB.database().inTransaction(h -> {
            h.execute("DELETE FROM lease");
            CompletableFuture<List<RegisterResult>> call = CompletableFuture.supplyAsync(() -> results(1, true));
            await().until(() ->
                    count("information_schema.processlist WHERE info LIKE 'SELECT id FROM lease WHERE%'") == 1);
            return call;
        });
        assertThat(registered.join())
                .extracting(RegisterResult::fault)
                .containsExactly(new JobFault(FaultCode.LEASE_UNKNOWN, "L1"));
    }

    @Test
    void anEndedJobKeepsTheLeaseItHad() {
        ce.start();
        JobId id = register(1, true).get(0);
        await().until(() -> ce.state(alice, id) == JobState.IDLE);
        ce.jobs.commands().cancel(alice, JobFilter.ofIds(List.of(id.toString())));
        await().until(() -> ce.state(alice, id) == JobState.CANCELLED);
        ce.leases.set(alice, "L1", Instant.now().plus(Duration.ofHours(5)));
        assertThat(info(id).leaseTime()).as("as it was when the job ended").isEqualTo(end);
    }

    @Test
    void twoSweepersShareThousandsOfJobsWithoutDoubles() {
        List<JobId> ids = new ArrayList<>();
        IntStream.range(0, 3).forEach(i -> ids.addAll(register(900, true)));
        handOver();
        try (Database one = new Database(DB.config());
                Database two = new Database(DB.config())) {
            List<CompletableFuture<Integer>> sweeps = List.of(
                    CompletableFuture.supplyAsync(
                            () -> sweeper(one, LEASE.plusSeconds(1)).sweep()),
                    CompletableFuture.supplyAsync(
                            () -> sweeper(two, LEASE.plusSeconds(1)).sweep()));
            int queued = sweeps.stream().mapToInt(CompletableFuture::join).sum();
            // One that skipped what the other had locked leaves nothing behind for the next.
            queued += sweeper(one, LEASE.plusSeconds(1)).sweep();
            assertThat(queued).isEqualTo(ids.size());
            assertThat(one.statements() + two.statements()).as("sets, not rows").isLessThan(60);
        }
        assertThat(count("command WHERE kind = 2")).isEqualTo(ids.size());
        assertThat(count("lease")).isZero();
    }

    @Test
    void aRenewalAmidTheSweepIsNeverLost() {
        List<JobId> ids = register(1500, true);
        handOver();
        LeaseSweeper sweeper = sweeper(DB.database(), LEASE.plusSeconds(1));
        CompletableFuture<Integer> sweep = CompletableFuture.supplyAsync(sweeper::sweep);
        Instant renewed = ce.leases
                .set(alice, "L1", Instant.now().plus(Duration.ofHours(5)))
                .until();
        sweep.join();
        assertThat(ce.leases.get(alice, "L1").until()).isEqualTo(renewed);
        assertThat(ce.jobs.queries().info(alice, JobFilter.all()))
                .hasSize(ids.size())
                .allMatch(r -> renewed.equals(r.info().leaseTime()));
    }
}
