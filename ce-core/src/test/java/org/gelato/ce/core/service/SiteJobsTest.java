package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.json.SiteJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SiteJobsTest {
    private static final int EACH = 1500;
    private static final SiteJobs.Filter ALL = SiteJobs.Filter.ANY;

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static TestCe ce;
    private static SiteJobs jobs;

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
        jobs = new SiteJobs(DB.database(), JobNumbers.of(DB.database()));
    }

    @AfterAll
    static void stop() {
        ce.close();
    }

    private static List<SiteJob> read(SiteJobs.Filter filter) {
        List<SiteJob> all = new ArrayList<>();
        Integer after = 0;
        while (after != null) {
            SiteJob.Page page = jobs.page(filter, after);
            assertThat(page.jobs()).hasSizeLessThanOrEqualTo(SiteJobs.WINDOW);
            all.addAll(page.jobs());
            after = page.next() == null ? null : page.next().intValue();
        }
        return all;
    }

    @Test
    void allJobsOfAllUsersAreReadOnceOldestFirst() {
        List<SiteJob> all = read(ALL);
        assertThat(all).hasSize(2 * EACH).extracting(SiteJob::id).doesNotHaveDuplicates();
        assertThat(all).extracting(SiteJob::dn).containsOnly(dn("ann"), dn("ben"));
    }

    @Test
    void eachCriterionHolds() {
        SiteJob one = read(ALL).get(0);
        assertThat(read(new SiteJobs.Filter(dn("ben"), null, null, Set.of(), null, null, null, null)))
                .hasSize(EACH)
                .allSatisfy(job -> assertThat(job.dn()).isEqualTo(dn("ben")));
        assertThat(read(new SiteJobs.Filter(
                        null,
                        one.vo(),
                        one.account(),
                        Set.of(JobState.ofWireName(one.state()).orElseThrow()),
                        one.queue(),
                        null,
                        null,
                        null)))
                .contains(one);
        assertThat(read(new SiteJobs.Filter(null, "no", null, Set.of(), null, null, null, null)))
                .isEmpty();
        assertThat(read(new SiteJobs.Filter(null, null, "no", Set.of(), null, null, null, null)))
                .isEmpty();
        assertThat(read(new SiteJobs.Filter(null, null, null, Set.of(), "no", null, null, null)))
                .isEmpty();
        assertThat(read(new SiteJobs.Filter(null, null, null, Set.of(JobState.HELD), null, null, null, null)))
                .isEmpty();
        assertThat(read(new SiteJobs.Filter(null, null, null, Set.of(), null, one.registered(), null, null)))
                .doesNotContain(one);
        assertThat(read(new SiteJobs.Filter(
                        null, null, null, Set.of(), null, Instant.parse("9999-12-31T23:59:59Z"), null, null)))
                .hasSize(2 * EACH);
    }

    @Test
    void aJobIsFoundByItsIdItsBatchIdAndItsTime() {
        SiteJob one = read(ALL).get(7);
        JobId id = JobId.parse(one.id()).orElseThrow();
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET lrms_id = '4711.pbs.example.org', ended_at = '2026-01-02 03:04:05',"
                                + " registered_at = '2026-01-02 03:00:00' WHERE id = ?",
                        JobNumbers.of(DB.database()).row(id)));
        assertThat(jobs.job(id).orElseThrow().lrmsJobId()).isEqualTo("4711.pbs.example.org");
        assertThat(jobs.job(new JobId((id.number() + 1) % JobId.SPACE))).isEmpty();
        for (String batch : List.of("4711", "4711.pbs.example.org")) {
            assertThat(read(new SiteJobs.Filter(null, null, null, Set.of(), null, null, batch, null)))
                    .extracting(SiteJob::id)
                    .containsExactly(one.id());
        }
        assertThat(read(new SiteJobs.Filter(null, null, null, Set.of(), null, null, "471", null)))
                .isEmpty();
        for (String at : List.of("2026-01-02T03:00:00Z", "2026-01-02T03:04:05Z")) {
            assertThat(read(new SiteJobs.Filter(
                            null, null, one.account(), Set.of(), null, null, null, Instant.parse(at))))
                    .extracting(SiteJob::id)
                    .containsExactly(one.id());
        }
        assertThat(read(new SiteJobs.Filter(
                        null, null, null, Set.of(), null, null, null, Instant.parse("2026-01-02T03:04:06Z"))))
                .isEmpty();
    }

    @Test
    void aPageReadsByKeysAlone() {
        String last = SiteJobs.LAST_OF_WINDOW.replace(":after", "10").replace(":window", "100");
        String rows = SiteJobs.OF_WINDOW.replace(":after", "10").replace(":last", "110") + " ORDER BY j.id";
        for (String sql : List.of(last, rows)) {
            List<Map<String, Object>> plan = DB.database()
                    .read(h -> h.createQuery("EXPLAIN FORMAT = TRADITIONAL " + sql)
                            .mapToMap()
                            .list());
            assertThat(plan.stream()
                            .filter(row -> !String.valueOf(row.get("table")).startsWith("<")))
                    .isNotEmpty()
                    .allSatisfy(row -> {
                        assertThat(String.valueOf(row.get("key")))
                                .as("%s", plan)
                                .isEqualTo("PRIMARY");
                        assertThat(String.valueOf(row.get("extra")))
                                .as("%s", plan)
                                .doesNotContain("filesort");
                    });
        }
    }

    private static String dn(String user) {
        return TestCe.caller(user).certificate().dn();
    }
}
