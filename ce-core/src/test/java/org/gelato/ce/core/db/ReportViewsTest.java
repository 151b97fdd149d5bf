package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The views with which administrators query the database. */
class ReportViewsTest {
    private static final int JOBS = 2000;

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @BeforeAll
    static void fill() {
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "h")) {
            for (int i = 0; i < JOBS / 100; i++) {
                ce.jobs
                        .registration()
                        .register(
                                TestCe.caller("Alice"),
                                Stream.generate(() -> TestCe.description(false))
                                        .limit(100)
                                        .toList(),
                                null);
            }
        }
        DB.database().inTransaction(h -> {
            h.execute("UPDATE job SET state = 7 WHERE MOD(id, 100) <> 0");
            h.execute("UPDATE job SET state = 8, failure_reason = 'killed' WHERE MOD(id, 200) = 1");
            h.execute("UPDATE job SET state = 10, failure_reason = 'no proxy' WHERE MOD(id, 400) = 2");
            h.execute("UPDATE job SET failure_reason = 'of a job that went on' WHERE MOD(id, 100) = 3");
            return null;
        });
        DB.database().inTransaction(h -> h.execute("OPTIMIZE TABLE job"));
    }

    private static List<Map<String, Object>> rows(String sql) {
        return DB.database().read(h -> h.createQuery(sql).mapToMap().list());
    }

    private static long number(Object value) {
        return ((Number) value).longValue();
    }

    @Test
    void everyStateIsCounted() {
        Map<String, Long> jobs = rows("SELECT state, jobs FROM job_state_counts").stream()
                .collect(Collectors.toMap(row -> (String) row.get("state"), row -> number(row.get("jobs"))));
        assertThat(jobs).hasSize(JobState.values().length);
        assertThat(jobs)
                .contains(
                        entry("REGISTERED", 20L),
                        entry("DONE-FAILED", 10L),
                        entry("ABORTED", 5L),
                        entry("DONE-OK", 1965L),
                        entry("RUNNING", 0L));
        assertThat(rows("SELECT state FROM job_state_counts WHERE is_final")).hasSize(JobState.FINAL.size());
    }

    @Test
    void reasonsAreThoseOfJobsThatFailed() {
        assertThat(rows("SELECT state, reason, jobs FROM failure_reasons ORDER BY jobs DESC").stream()
                        .map(row -> row.get("state") + " " + row.get("reason") + " " + row.get("jobs")))
                .containsExactly("DONE-FAILED killed 10", "ABORTED no proxy 5");
    }

    @Test
    void bothReadJobsByTheirState() {
        for (String view : List.of("job_state_counts", "failure_reasons")) {
            List<Map<String, Object>> plan = rows("EXPLAIN FORMAT = TRADITIONAL SELECT * FROM " + view);
            assertThat(plan).as("%s: %s", view, plan).anySatisfy(row -> {
                assertThat(row.get("table")).isEqualTo("j");
                assertThat(row.get("key")).isEqualTo("job_state");
                assertThat(String.valueOf(row.get("type"))).isIn("ref", "range");
            });
        }
    }
}
