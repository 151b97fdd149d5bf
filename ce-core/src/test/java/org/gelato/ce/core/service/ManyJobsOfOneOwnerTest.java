package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.HotJobStatements;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** 50 000 jobs of one owner beside those of others: its list, which clients call as a ping, reads the index of its jobs once. */
class ManyJobsOfOneOwnerTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final int JOBS = 50_000;
    /** Of one slice and the next; what the server reads to find them is no more. */
    private static final int FEW = 2000;

    private static final Caller ALICE = TestCe.caller("Alice");
    private static Database own;
    private static TestCe ce;

    @BeforeAll
    static void fill() {
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "h");
        ce.jobs.registration().register(ALICE, List.of(TestCe.description(false)), null);
        ce.jobs.registration().register(TestCe.caller("Bob"), List.of(TestCe.description(false)), null);
        copy("Alice", JOBS - 1);
        copy("Bob", JOBS / 10);
        own.inTransaction(h -> h.execute("ANALYZE TABLE job"));
        ce.jobs.queries().list(ALICE);
    }

    /** Some have ended, and each has its row alone, as the list reads nothing else. */
    private static void copy(String name, int jobs) {
        own.inTransaction(h -> h.execute(
                "INSERT INTO job (owner_id, account_id, queue_id, state, state_since, hand_over, attempt, registered_at)"
                        + " WITH RECURSIVE s AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 299)"
                        + " SELECT j.owner_id, j.account_id, j.queue_id, IF(a.n % 3 = 0, 7, 4), j.state_since, 2, 1,"
                        + " j.registered_at FROM job j JOIN s a JOIN s b WHERE j.owner_id = ? LIMIT ?",
                new OwnerStore(own).owner(TestCe.caller(name).identity()), jobs));
    }

    @AfterAll
    static void close() {
        ce.close();
        own.close();
    }

    private static long read(Iterator<? extends List<?>> slices) {
        long read = 0;
        while (slices.hasNext()) {
            read += slices.next().size();
        }
        return read;
    }

    /** Entries of indexes and rows that the server has read since it started; nobody else uses it meanwhile. */
    private static long entries() {
        return DB.database()
                .read(
                        h -> h
                                .createQuery("SHOW GLOBAL STATUS LIKE 'Handler_read%'")
                                .map((r, c) -> r.getLong(2))
                                .list()
                                .stream()
                                .mapToLong(n -> n)
                                .sum());
    }

    private static void costs(Supplier<Iterator<? extends List<?>>> response, int statements, long most) {
        long before = own.statements();
        long entries = entries();
        assertThat(read(response.get())).isEqualTo(JOBS);
        assertThat(entries() - entries).as("entries read").isBetween((long) JOBS, most);
        assertThat(own.statements() - before).as("statements").isEqualTo(statements);
    }

    @Test
    void theListIsOneStatementThatReadsEachEntryOnce() {
        costs(() -> ce.jobs.queries().lists(ALICE), 1, JOBS + FEW);
    }

    @Test
    void itReadsTheIndexAlone() {
        int owner = new OwnerStore(own).owner(ALICE.identity());
        List<Map<String, Object>> plan = DB.database()
                .read(h -> h.createQuery("EXPLAIN FORMAT = TRADITIONAL " + HotJobStatements.pageOf(owner))
                        .mapToMap()
                        .list());
        assertThat(plan).hasSize(1);
        assertThat(plan.get(0)).containsEntry("key", "job_owner");
        assertThat(String.valueOf(plan.get(0).get("extra")))
                .contains("Using index")
                .doesNotContain("filesort", "temporary");
    }

    @Test
    void theFirstSliceIsThereBeforeTheRestIsRead() {
        Iterator<List<JobId>> slices = ce.jobs.queries().lists(ALICE);
        assertThat(slices.next()).hasSizeBetween(1, FEW);
        assertThat(slices.hasNext()).isTrue();
    }
}
