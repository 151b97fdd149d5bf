package org.gelato.ce.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RecentJobsTest {
    private static final int EACH = 1500;
    private static final Instant LATE = Instant.parse("2026-03-01T00:00:00Z");

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static TestCe ce;
    private static RecentJobs recent;

    @BeforeAll
    static void fill() {
        ce = new TestCe(DB.database(), new FakeLrms(), "h");
        for (String user : List.of("ann", "ben")) {
            ce.jobs
                    .registration()
                    .register(
                            TestCe.caller(user),
                            Stream.generate(() -> TestCe.description(false))
                                    .limit(EACH)
                                    .toList(),
                            null);
        }
        DB.database().inTransaction(h -> {
            // Most ended long ago; of the rest ben's failed on one node, half of them with another number in the
            // reason.
            h.execute("UPDATE job SET state = 7, state_since = '2026-01-01', ended_at = '2026-01-01'");
            h.execute("UPDATE job SET state = IF(owner_id = 1, 7, 8), worker_node = IF(owner_id = 1, 'wn1', 'wn2'),"
                    + " registered_at = '2026-03-01 00:00:00', handed_over_at = '2026-03-01 00:00:10',"
                    + " state_since = '2026-03-01 00:01:00', running_at = '2026-03-01 00:00:30',"
                    + " ended_at = '2026-03-01 00:01:00',"
                    + " failure_reason = IF(owner_id = 1, NULL, CONCAT('killed <b>process</b> ', 10000 + id))"
                    + " WHERE MOD(id, 100) = 0");
            h.execute("INSERT INTO usage_record (job_number, owner_id, account_id, queue_id, worker_node, state,"
                    + " registered_at, running_at, ended_at, cpu_seconds) SELECT id, owner_id, account_id, queue_id,"
                    + " worker_node, state, registered_at, running_at, ended_at, 2 FROM job");
            return null;
        });
        DB.database().inTransaction(h -> h.execute("OPTIMIZE TABLE job, usage_record"));
        recent = new RecentJobs(DB.database());
    }

    @AfterAll
    static void stop() {
        ce.close();
    }

    @Test
    void tablesAreOfTheJobsThatEndedSince() {
        long before = DB.database().statements();
        RecentJobs.Tables tables = recent.read(LATE, List.of());
        assertThat(DB.database().statements() - before)
                .as("none for names that are known")
                .isEqualTo(4);
        assertThat(tables.jobs()).isEqualTo(2 * EACH / 100);
        assertThat(tables.oldest()).isEqualTo("2026-03-01T00:01:00Z");
        assertThat(tables.nodes())
                .containsExactly(
                        new RecentJobs.Share("wn1", null, 15, 0, 0, 30, 30),
                        new RecentJobs.Share("wn2", null, 15, 15, 0, 30, 30));
        assertThat(tables.ownerShares())
                .extracting(RecentJobs.Share::name)
                .containsExactlyInAnyOrder(dn("ann"), dn("ben"));
        assertThat(tables.vos())
                .singleElement()
                .satisfies(vo -> assertThat(vo.ended()).isEqualTo(30));
        assertThat(tables.queues()).extracting(RecentJobs.Share::name).containsExactly("fake-long");
        assertThat(tables.failures())
                .containsExactly(new RecentJobs.Failure(
                        "DONE-FAILED", "killed <b>process</b> N", 15, Instant.parse("2026-03-01T00:01:00Z"), 1));
        assertThat(tables.owners().get(1).subject())
                .as("an owner with a row of the table")
                .isEqualTo(dn("ann"));
        assertThat(tables.endedFailed()).isEqualTo(15);
        assertThat(tables.endedNonZero()).isZero();
        assertThat(recent.read(Instant.parse("2026-04-01T00:00:00Z"), List.of(2))
                        .owners())
                .containsOnlyKeys(2);
        assertThat(tables.failed()).isEqualTo(15);
        assertThat(tables.failedSince()).isNull();
        assertThat(tables.stages()).isEqualTo(new RecentJobs.Stages(30, 10, 20, 30));
        assertThat(tables.suspects()).containsExactly(new RecentJobs.Suspect("wn2", 15, 15, 0));
        assertThat(recent.read(Instant.parse("2026-04-01T00:00:00Z"), List.of())
                        .stages()
                        .jobs())
                .isZero();
    }

    /** One node of two jobs that failed proves nothing, nor do failures that are everywhere. */
    @Test
    void aNodeIsSuspectByManyFailuresAlone() {
        try {
            of("UPDATE usage_record SET state = 7 WHERE worker_node = 'wn2' AND MOD(id, 1000) <> 0");
            assertThat(recent.read(LATE, List.of()).suspects()).isEmpty();
            of("UPDATE usage_record SET state = 8 WHERE worker_node IN ('wn1', 'wn2')");
            assertThat(recent.read(LATE, List.of()).suspects()).isEmpty();
        } finally {
            of("UPDATE usage_record SET state = IF(worker_node = 'wn1', 7, 8) WHERE worker_node IN ('wn1', 'wn2')");
        }
    }

    /** It takes jobs faster than others, and each ends well by its wrapper's word. */
    @Test
    void aNodeWhereJobsExitWithAnotherCodeThanZeroIsSuspect() {
        try {
            of("UPDATE usage_record SET state = 7, exit_code = IF(worker_node = 'wn1', '0', '127') WHERE worker_node IN"
                    + " ('wn1', 'wn2')");
            RecentJobs.Tables tables = recent.read(LATE, List.of());
            assertThat(tables.suspects()).containsExactly(new RecentJobs.Suspect("wn2", 15, 15, 0));
            assertThat(tables.nodes())
                    .extracting(RecentJobs.Share::name, RecentJobs.Share::failed, RecentJobs.Share::nonZero)
                    .containsExactly(tuple("wn1", 0, 0), tuple("wn2", 0, 15));
            assertThat(tables.endedNonZero()).isEqualTo(15);
        } finally {
            of("UPDATE usage_record SET state = IF(worker_node = 'wn1', 7, 8), exit_code = NULL WHERE worker_node IN"
                    + " ('wn1', 'wn2')");
        }
    }

    /** Pilot factories purge what failed at once. */
    @Test
    void howManyFailedIsOfTheJobsThatEndedWhetherTheyAreStoredOrNot() {
        try {
            of("UPDATE job SET state_since = '2026-01-01' WHERE state = 8");
            RecentJobs.Tables tables = recent.read(LATE, List.of());
            assertThat(tables.failed()).isZero();
            assertThat(tables.endedFailed()).isEqualTo(15);
            assertThat(tables.jobs()).isEqualTo(30);
        } finally {
            of("UPDATE job SET state_since = '2026-03-01 00:01:00' WHERE state = 8");
        }
    }

    @Test
    void theJobsOfAReasonAreFound() {
        JobSearch search = new JobSearch(DB.database(), JobNumbers.of(DB.database()));
        RecentJobs.Failure group = recent.read(LATE, List.of()).failures().get(0);
        assertThat(search.failed(JobState.DONE_FAILED, group.reason(), LATE))
                .hasSize(group.jobs())
                .allSatisfy(f -> assertThat(f.reason()).startsWith("killed <b>process</b> 1"));
        assertThat(search.failed(JobState.DONE_FAILED, "killed", LATE)).isEmpty();
        assertThat(search.failed(JobState.ABORTED, group.reason(), LATE)).isEmpty();
        assertThat(search.failed(JobState.DONE_FAILED, group.reason(), Instant.parse("2026-04-01T00:00:00Z")))
                .isEmpty();
    }

    @Test
    void theOldestWaitIsThatOfTheJobLongestInItsState() {
        JobNumbers numbers = JobNumbers.of(DB.database());
        assertThat(oldest(numbers)).isEmpty();
        try {
            of("UPDATE job SET state = " + JobState.PENDING.code() + ", state_since = '2026-02-02' WHERE id = 1");
            of("UPDATE job SET state = " + JobState.IDLE.code()
                    + ", state_since = '2026-02-01', description = 'Priority' WHERE id = 2");
            of("UPDATE job SET state = " + JobState.IDLE.code() + ", state_since = '2026-02-03' WHERE id = 3");
            assertThat(oldest(numbers))
                    .contains(new OldestJob(
                            numbers.id(2), JobState.IDLE, Instant.parse("2026-02-01T00:00:00Z"), "Priority"));
        } finally {
            of("UPDATE job SET state = 7, state_since = '2026-01-01', description = NULL WHERE id <= 3");
        }
    }

    private static Optional<OldestJob> oldest(JobNumbers numbers) {
        return DB.database().read(h -> OldestJob.read(h, numbers));
    }

    private static void of(String sql) {
        DB.database().inTransaction(h -> h.execute(sql));
    }

    /** Of ben's jobs more fail than are counted, each a second later. */
    @Test
    void failuresThatAreNotCountedAreReported() {
        Instant first = Instant.parse("2026-05-01T00:00:00Z");
        DB.database()
                .inTransaction(h -> h.execute("UPDATE job SET state = 10, failure_reason = 'no such queue',"
                        + " state_since = '2026-05-01' + INTERVAL id SECOND WHERE owner_id = 2 AND MOD(id, 100) <> 0"));
        try {
            RecentJobs.Tables tables = recent.read(first, List.of());
            assertThat(tables.failed()).isEqualTo(RecentJobs.MAX_FAILED);
            long left = DB.database()
                    .read(h -> h.createQuery("SELECT COUNT(*) FROM job WHERE state = 10 AND state_since < :since")
                            .bind("since", tables.failedSince())
                            .mapTo(Long.class)
                            .one());
            assertThat(left).isEqualTo(EACH - EACH / 100 - RecentJobs.MAX_FAILED);
            assertThat(tables.failures())
                    .singleElement()
                    .satisfies(f -> assertThat(f.jobs()).isEqualTo(RecentJobs.MAX_FAILED));
        } finally {
            DB.database()
                    .inTransaction(
                            h -> h.execute("UPDATE job SET state = 7, failure_reason = NULL, state_since = '2026-01-01'"
                                    + " WHERE owner_id = 2 AND MOD(id, 100) <> 0"));
        }
    }

    @Test
    void aTableIsOfSoManyJobsWhateverEnded() {
        RecentJobs.Tables tables = recent.read(Instant.EPOCH, List.of());
        assertThat(tables.jobs()).isEqualTo(RecentJobs.MAX);
        assertThat(tables.failures())
                .singleElement()
                .satisfies(f -> assertThat(f.jobs()).isEqualTo(15));
    }

    @Test
    void readsByIndexesAlone() {
        String since = "'2026-03-01'";
        Plans.readsBy(DB.database(), RecentJobs.ENDED.replace(":since", since), Set.of("PRIMARY", "usage_record_end"));
        for (String arm : (RecentJobs.FAILED + "UNION ALL" + RecentJobs.STAGES)
                .replace(":since", since)
                .split("UNION ALL")) {
            Plans.readsBy(DB.database(), arm.strip().replaceAll("^\\(|\\)$", ""), Set.of("job_state"));
        }
        Plans.readsBy(DB.database(), RecentJobs.OWNERS.replace("<ids>", "1, 2"), Set.of("PRIMARY"));
    }

    private static String dn(String user) {
        return TestCe.caller(user).certificate().dn();
    }
}
