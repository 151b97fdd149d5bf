package org.gelato.ce.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.AccountingSettings.Records;
import org.gelato.ce.core.accounting.UsageQueries.By;
import org.gelato.ce.core.accounting.UsageQueries.Selection;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.json.ExitCodeComparison;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sum is that of the jobs it names, and of no others. */
class UsageSumsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Instant FROM = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-04-01T00:00:00Z");
    private static final Selection ALL = Selection.of(null, FROM, TO);
    /** Equal by a collation each with another, and none by its bytes. */
    private static final List<String> VALUES =
            List.of("Prod", "prod", "prôd", "prod ", "\uD83D\uDE00", "\uD83D\uDE01", "a\"b\\c/d");

    private UsageQueries queries;

    @BeforeEach
    void fill() {
        sql("DELETE FROM usage_record");
        UsageRows.ended(DB.database(), VALUES.size(), "long", "/dteam", Instant.parse("2026-03-15T12:00:00Z"));
        queries = new UsageQueries(
                DB.database(),
                new OwnerStore(DB.database()),
                UsageRows.settings(Path.of("none"), Publishing.SSM, Records.JOBS));
    }

    private static void sql(String text) {
        DB.database().inTransaction(h -> h.execute(text));
    }

    @Test
    void labelsThatDifferInAByteAreSummedAndChosenApart() {
        DB.database().inTransaction(h -> {
            int first = h.select("SELECT MIN(job_number) FROM usage_record")
                    .mapTo(Integer.class)
                    .one();
            for (int i = 0; i < VALUES.size(); i++) {
                h.execute(
                        "UPDATE usage_record SET labels = JSON_OBJECT('k', ?) WHERE job_number = ?",
                        VALUES.get(i),
                        first + i);
            }
            return null;
        });
        assertThat(queries.sums(ALL, List.of(By.of("label:k"), By.VO)))
                .allSatisfy(sum -> assertThat(sum.jobs()).isOne())
                .extracting(sum -> sum.values().get(0))
                .containsExactlyInAnyOrderElementsOf(VALUES);
        for (String value : VALUES) {
            Selection one =
                    new Selection(null, FROM, TO, new JobLabels(null, Map.of("k", value)), UsageQueries.Ending.ANY);
            assertThat(queries.page(one, 0, 100).records()).as(value).hasSize(1);
        }
        assertThat(queries.sums(ALL, List.of(By.of("label:other"))))
                .as("no job has this label")
                .singleElement()
                .satisfies(sum -> assertThat(sum.values()).containsExactly(""));
    }

    @Test
    void jobsAreChosenByTheirEnd() {
        List<String> ends = List.of("DONE_OK 0", "DONE_OK 3", "DONE_FAILED 137", "DONE_FAILED W", "ABORTED W");
        for (String end : ends) {
            String[] words = end.split(" ");
            sql("UPDATE usage_record SET labels = '{}', state = "
                    + JobState.valueOf(words[0]).code() + ", exit_code = '" + words[1]
                    + "' WHERE labels IS NULL ORDER BY id LIMIT 1");
        }
        sql("UPDATE usage_record SET state = " + JobState.CANCELLED.code() + ", exit_code = NULL WHERE labels IS NULL");
        assertThat(chosen(true, null)).isEqualTo(4);
        assertThat(chosen(false, "!=0")).isEqualTo(2);
        assertThat(chosen(false, "0")).isOne();
        assertThat(chosen(false, ">3")).isOne();
        assertThat(chosen(true, "<=3")).isOne();
        assertThat(chosen(false, null)).isEqualTo(VALUES.size());
    }

    private long chosen(boolean failed, String exitCode) {
        Selection selection = new Selection(
                null,
                FROM,
                TO,
                JobLabels.NONE,
                new UsageQueries.Ending(failed, exitCode == null ? null : ExitCodeComparison.of(exitCode)));
        assertThat(queries.page(selection, 0, 100).records())
                .hasSize((int) queries.sums(selection, List.of()).get(0).jobs());
        return queries.sums(selection, List.of()).get(0).jobs();
    }

    /** The worker node's clock is ahead, and nobody measured the job. */
    @Test
    void noJobTakesTimeOffASum() {
        sql("UPDATE usage_record SET wall_seconds = NULL, running_at = DATE_ADD(ended_at, INTERVAL 10 MINUTE) LIMIT 1");
        BigDecimal jobs = queries.page(ALL, 0, 100).records().stream()
                .map(UsageEntry::wall)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(queries.sums(ALL, List.of()))
                .singleElement()
                .satisfies(sum -> assertThat(sum.wallSeconds()).isEqualByComparingTo(jobs));
    }

    /** One was published as ended in February and corrected to March. */
    @Test
    void aMonthIsThatByWhichJobsAreChosen() {
        sql("UPDATE usage_record SET published_end = '2026-02-28 23:59:00', message_id = 1 LIMIT 1");
        assertThat(queries.sums(ALL, List.of(By.MONTH)))
                .singleElement()
                .satisfies(sum -> assertThat(sum.values()).containsExactly("2026-03"));
        assertThat(queries.standings(FROM, TO))
                .singleElement()
                .satisfies(standing -> assertThat(standing.month()).isEqualTo("2026-03"));
    }

    @Test
    void aRecordThatNoMessageCanCarryIsUnsent() {
        sql("UPDATE usage_record SET message_id = 0, published_end = ended_at LIMIT 1");
        assertThat(queries.standings(FROM, TO)).singleElement().satisfies(standing -> {
            assertThat(standing.published() + standing.unsent()).isEqualTo(standing.jobs());
            assertThat(standing.unwritable()).isOne();
        });
    }
}
