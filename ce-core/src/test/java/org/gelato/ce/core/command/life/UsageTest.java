package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.job.Usage.Source;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.json.JobDetail;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a job used: who is believed, in any order of words, and that it outlives the job. */
class UsageTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final String LRMS_ID = "101";
    private static final Usage OF_WRAPPER = usage(Source.WRAPPER, 1500L, 2000L, 8, 4096L);
    /** As Slurm without accounting. */
    private static final Usage OF_BATCH = usage(Source.BATCH_SYSTEM, null, 3000L, 4, null);

    private static final Usage MERGED = usage(Source.BOTH, 1500L, 3000L, 4, 4096L);

    private final UsageRecords records = new UsageRecords();
    private Database own;
    private TestCe ce;
    private JobId id;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "host1");
        id = running();
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
    }

    private JobId running() {
        JobId job = ce.submit(ALICE);
        own.inTransaction(h -> h.execute(
                "UPDATE job SET lrms_id = ?, state = 3, hand_over = 2, registered_at = registered_at - INTERVAL 1 DAY"
                        + " WHERE id = ?",
                LRMS_ID,
                ce.numbers.row(job)));
        return job;
    }

    private static Usage usage(Source source, Long cpuMillis, Long wallMillis, Integer cores, Long memory) {
        return new Usage(
                cpuMillis == null ? null : Duration.ofMillis(cpuMillis),
                wallMillis == null ? null : Duration.ofMillis(wallMillis),
                cores,
                memory,
                source);
    }

    private WrapperEvent end(Integer exit, String reason, Usage usage) {
        WrapperEvent e = ce.event(id, Kind.DONE, exit, reason);
        return new WrapperEvent(
                id, 1, Kind.DONE, Instant.now(), "wn1", exit, reason, LRMS_ID, e.token(), usage, 0, null, null);
    }

    private int batchSystemSays(String lrmsId, Usage usage) {
        return own.inTransaction(h -> records.merge(h, List.of(new UsageRecords.Report(id, lrmsId, usage))));
    }

    private Usage stored() {
        return own.read(h -> records.of(h, List.of(id))).get(id);
    }

    private Map<JobDetail, String> shown() {
        Map<JobDetail, String> shown = new EnumMap<>(ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info()
                .details());
        shown.keySet().retainAll(JobDetail.USAGE);
        return shown;
    }

    @Test
    void isStoredWithTheEndAndShown() {
        assertThat(shown()).isEmpty();
        ce.events.apply(List.of(end(0, null, OF_WRAPPER)));
        assertThat(stored()).isEqualTo(OF_WRAPPER);
        assertThat(shown()).isEqualTo(OF_WRAPPER.details());
    }

    @Test
    void theBatchSystemWinsWhereItMeasuredAndTheWrapperFillsTheRest() {
        ce.events.apply(List.of(end(0, null, OF_WRAPPER)));
        assertThat(batchSystemSays(LRMS_ID, OF_BATCH)).isEqualTo(1);
        assertThat(stored()).isEqualTo(MERGED);
        assertThat(batchSystemSays(LRMS_ID, OF_BATCH))
                .as("counted when nothing changes")
                .isEqualTo(1);
        assertThat(stored()).isEqualTo(MERGED);
        batchSystemSays(LRMS_ID, usage(Source.BATCH_SYSTEM, 1600L, null, null, null));
        assertThat(stored()).isEqualTo(usage(Source.BOTH, 1600L, 3000L, 4, 4096L));
    }

    @Test
    void aWrapperThatIsHeardLateFillsTheRestToo() {
        ce.events.apply(List.of(end(null, "killed", null)));
        batchSystemSays(LRMS_ID, OF_BATCH);
        assertThat(stored()).isEqualTo(OF_BATCH);
        ce.events.apply(List.of(end(0, null, OF_WRAPPER)));
        assertThat(stored()).isEqualTo(MERGED);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.DONE_FAILED);
    }

    /** A job knows its secret, and may send an end of its own after the wrapper's. */
    @Test
    void theFirstWordOfAWrapperCounts() {
        ce.events.apply(List.of(end(0, null, OF_WRAPPER)));
        ce.events.apply(List.of(end(0, null, usage(Source.WRAPPER, 1L, 1L, 1, 1L))));
        assertThat(stored()).isEqualTo(OF_WRAPPER);
        ce.events.apply(List.of(end(0, null, OF_WRAPPER), end(0, null, usage(Source.WRAPPER, 1L, 1L, 1, 1L))));
        assertThat(stored()).isEqualTo(OF_WRAPPER);
    }

    @Test
    void whatAnotherBatchJobUsedIsNotThisJobs() {
        ce.events.apply(List.of(end(0, null, OF_WRAPPER)));
        assertThat(batchSystemSays("102", OF_BATCH)).isZero();
        assertThat(stored()).isEqualTo(OF_WRAPPER);
    }

    @Test
    void anEndWithoutUsageIsAnEnd() {
        ce.events.apply(List.of(end(0, null, null)));
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.DONE_OK);
        assertThat(stored()).isNull();
        assertThat(shown()).isEmpty();
    }

    @Test
    void noJobRanLongerThanItIsKnown() {
        Usage impossible = usage(Source.WRAPPER, 1500L, Duration.ofDays(2).toMillis(), 8, 4096L);
        ce.events.apply(List.of(end(0, null, impossible)));
        assertThat(stored()).isEqualTo(usage(Source.WRAPPER, 1500L, null, 8, 4096L));
    }

    @Test
    void theLargestAndTheSmallestAreStored() {
        Usage largest = new Usage(
                Duration.ofMillis(9_999_999_999_999L), Duration.ofMillis(1), 10_000_000, 1L << 40, Source.WRAPPER);
        ce.events.apply(List.of(end(0, null, largest)));
        assertThat(stored()).isEqualTo(largest);
    }

    @Test
    void valuesThatCannotBeAreUnknown() {
        Usage none = new Usage(
                Duration.ofMillis(10_000_000_000_000L),
                Duration.ofMillis(-1),
                10_000_001,
                (1L << 40) + 1,
                Source.WRAPPER);
        assertThat(none.orNull()).isNull();
        assertThat(new Usage(Duration.ofNanos(1), Duration.ZERO, 0, 0L, Source.WRAPPER).isEmpty())
                .isTrue();
        assertThat(new Usage(Duration.ofSeconds(Long.MAX_VALUE), null, -1, -1L, Source.WRAPPER).isEmpty())
                .isTrue();
    }

    /** The group under which it is accounted is the job's, and a job that never ran is in no message. */
    @Test
    void takesTheGroupOverAndWhetherTheJobRan() {
        JobId queued = ce.submit(ALICE);
        own.inTransaction(h -> h.execute("UPDATE job SET accounting_group_id = 17 WHERE id = ?", ce.numbers.row(id)));
        ce.events.apply(List.of(ce.event(id, Kind.RUNNING, null, null), end(0, null, OF_WRAPPER)));
        assertThat(column("accounting_group_id", id)).isEqualTo(17);
        assertThat(column("message_id", id)).isNull();
        own.inTransaction(h -> h.execute(
                "UPDATE job SET lrms_id = ?, state = 2, hand_over = 2 WHERE id = ?", LRMS_ID, ce.numbers.row(queued)));
        ce.events.apply(List.of(ce.event(queued, Kind.DONE, null, "cancelled")));
        assertThat(column("message_id", queued)).isZero();
        own.inTransaction(h -> records.merge(h, List.of(new UsageRecords.Report(queued, LRMS_ID, OF_BATCH))));
        assertThat(column("message_id", queued)).as("it ran").isNull();
    }

    private Integer column(String name, JobId job) {
        return own.read(h -> h.select("SELECT " + name + " FROM usage_record WHERE job_number = ?", job.number())
                .mapTo(Integer.class)
                .one());
    }

    @Test
    void keepsNameAndLabelsOfTheJob() {
        JobId plain = running();
        own.inTransaction(h -> h.execute(
                "INSERT INTO job_label (job_id, name, owner_id, value)"
                        + " SELECT j.id, l.name, j.owner_id, l.value FROM job j JOIN (SELECT '' AS name, 'fit \"7\"' AS value"
                        + " UNION SELECT 'run', '42') l WHERE j.id = ?",
                ce.numbers.row(id)));
        ce.events.apply(List.of(end(0, null, OF_WRAPPER), ce.event(plain, Kind.DONE, 0, null)));
        own.inTransaction(h -> h.execute("DELETE FROM job WHERE id = ?", ce.numbers.row(id)));
        List<String> kept = own.read(h -> h.select(
                        "SELECT CONCAT_WS('|', JSON_LENGTH(labels), JSON_UNQUOTE(JSON_EXTRACT(labels, '$.\"=\"')),"
                                + " JSON_UNQUOTE(JSON_EXTRACT(labels, '$.\"run\"'))) FROM usage_record"
                                + " WHERE job_number IN (?, ?) ORDER BY labels IS NULL",
                        id.number(),
                        plain.number())
                .mapTo(String.class)
                .list());
        assertThat(kept).containsExactly("2|fit \"7\"|42", "");
    }

    /** Accounting reads it then. */
    @Test
    void outlivesTheJob() {
        ce.events.apply(List.of(end(0, null, OF_WRAPPER)));
        own.inTransaction(h -> h.execute("DELETE FROM job WHERE id = ?", ce.numbers.row(id)));
        assertThat(stored()).isEqualTo(OF_WRAPPER);
        batchSystemSays(LRMS_ID, OF_BATCH);
        assertThat(stored()).isEqualTo(MERGED);
    }

    @Test
    void manyEndsHaveEachTheirOwn() {
        List<JobId> more = List.of(running(), running(), running());
        ce.events.apply(List.of(
                end(0, null, OF_WRAPPER),
                ce.event(more.get(0), Kind.DONE, 0, null),
                ce.event(more.get(1), Kind.DONE, 0, null)));
        Map<JobId, Usage> all = own.read(h -> records.of(h, List.of(id, more.get(0), more.get(1), more.get(2))));
        assertThat(all).containsOnlyKeys(id);
        int ended = own.read(h -> h.select(
                        "SELECT COUNT(*) FROM usage_record WHERE job_number IN (?, ?, ?)",
                        more.get(0).number(),
                        more.get(1).number(),
                        more.get(2).number())
                .mapTo(Integer.class)
                .one());
        assertThat(ended).isEqualTo(2);
    }
}
