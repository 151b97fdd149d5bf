package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import org.awaitility.Awaitility;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls whose response was lost come again, also at the same time: what is done is done once. */
class RepeatedCommandsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final int CALLS = 8;

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), lrms, "host1");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private static JobFilter only(JobId id) {
        return JobFilter.ofIds(List.of(id.toString()));
    }

    private JobInfo info(JobId id) {
        return ce.jobs.queries().info(ALICE, only(id)).get(0).info();
    }

    private void await(JobId id, JobState state) {
        Awaitility.await(id + " becomes " + state).until(() -> ce.state(ALICE, id) == state);
    }

    private long rows(String table) {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM " + table)
                        .mapTo(Long.class)
                        .one());
    }

    /** The faults of calls made at once; null for each that was accepted. */
    private List<JobFault> atOnce(JobId id, BiFunction<Caller, JobFilter, List<CommandResult>> call) throws Exception {
        CyclicBarrier start = new CyclicBarrier(CALLS);
        ExecutorService pool = Executors.newFixedThreadPool(CALLS);
        try {
            List<Callable<JobFault>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(() -> {
                    start.await();
                    return call.apply(ALICE, only(id)).get(0).fault();
                });
            }
            List<JobFault> faults = new ArrayList<>();
            for (Future<JobFault> response : pool.invokeAll(calls)) {
                faults.add(response.get());
            }
            return faults;
        } finally {
            pool.shutdownNow();
        }
    }

    private JobId registered() {
        return ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
    }

    @Test
    void ofManyStartsOneIsAccepted() throws Exception {
        JobId id = registered();
        List<JobFault> faults = atOnce(id, ce.jobs.commands()::start);
        assertThat(faults.stream().filter(f -> f == null)).hasSize(1);
        assertThat(faults.stream().filter(f -> f != null).map(JobFault::code)).containsOnly(FaultCode.STATUS_INVALID);
        ce.start();
        await(id, JobState.IDLE);
        assertThat(lrms.submissions()).hasSize(1);
        assertThat(info(id).commands()).extracting(CommandRecord::name).containsExactly("JOB_REGISTER", "JOB_START");
    }

    @Test
    void aCancelThatIsRepeatedEndsTheJobOnce() throws Exception {
        ce.start();
        JobId id = ce.submit(ALICE);
        await(id, JobState.IDLE);
        for (JobFault fault : atOnce(id, ce.jobs.commands()::cancel)) {
            // Accepted until the job is cancelled, refused from then on.
            assertThat(fault == null || fault.code() == FaultCode.STATUS_INVALID)
                    .isTrue();
        }
        await(id, JobState.CANCELLED);
        Awaitility.await("no command is left")
                .until(() -> info(id).commands().stream()
                        .noneMatch(
                                c -> List.of("QUEUED", "PROCESSING", "CREATED").contains(c.status())));
        assertThat(info(id).commands()).extracting(CommandRecord::status).doesNotContain("ABORTED");
        assertThat(rows("job_state_history WHERE state = 5 AND job_id = " + ce.numbers.row(id)))
                .isEqualTo(1);
        assertThat(ce.jobs.commands().cancel(ALICE, only(id)).get(0).fault().code())
                .isEqualTo(FaultCode.STATUS_INVALID);
    }

    @Test
    void aPurgeThatIsRepeatedRemovesTheJobAndThenKnowsNoJob() throws Exception {
        JobId id = registered();
        assertThat(atOnce(id, ce.jobs.commands()::purge)).containsOnlyNulls();
        ce.start();
        Awaitility.await("purged")
                .until(() -> ce.jobs.queries().status(ALICE, only(id)).get(0).fault() != null);
        assertThat(ce.jobs.commands().purge(ALICE, only(id)).get(0).fault().code())
                .isEqualTo(FaultCode.JOB_UNKNOWN);
        assertThat(rows("command WHERE job_id = " + ce.numbers.row(id))).isZero();
        assertThat(ce.accounts.log().stream().filter(l -> l.startsWith("rename ")))
                .as("renamed away")
                .hasSizeGreaterThanOrEqualTo(1);
    }

    @Test
    void aSuspendThatIsRepeatedHoldsTheJobAndOneResumeReleasesIt() throws Exception {
        ce.start();
        JobId id = ce.submit(ALICE);
        await(id, JobState.IDLE);
        atOnce(id, ce.jobs.commands()::suspend);
        await(id, JobState.HELD);
        Awaitility.await("no command is left")
                .until(() -> info(id).commands().stream()
                        .noneMatch(
                                c -> List.of("QUEUED", "PROCESSING", "CREATED").contains(c.status())));
        ce.jobs.commands().resume(ALICE, only(id));
        await(id, JobState.IDLE);
    }

    @Test
    void askingForTheStatusStoresNothing() {
        JobId id = registered();
        long commits = DB.database().commits();
        long commands = rows("command");
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REGISTERED);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REGISTERED);
        assertThat(DB.database().commits()).isEqualTo(commits);
        assertThat(rows("command")).isEqualTo(commands);
    }
}
