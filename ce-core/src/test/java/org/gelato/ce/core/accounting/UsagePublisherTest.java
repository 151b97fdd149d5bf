package org.gelato.ce.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.AccountingSettings.Records;
import org.gelato.ce.core.accounting.UsagePublisher.Point;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.testkit.accounting.ApelReader;
import org.gelato.ce.testkit.accounting.BlahLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every record is published once, whatever is killed where; what cannot be published stays and is shown. */
class UsagePublisherTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Instant NOW = Instant.parse("2026-04-02T12:00:00Z");
    private static final Instant MARCH = Instant.parse("2026-03-30T10:00:00Z");
    private static final Instant APRIL = Instant.parse("2026-04-01T10:00:00Z");
    private static final Instant ALWAYS = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant NEVER = Instant.parse("2100-01-01T00:00:00Z");

    @TempDir
    private Path queue;

    private final Database database = DB.database();
    private final OwnerStore owners = new OwnerStore(database);
    private final Map<String, String> taken = new TreeMap<>();
    private final List<ApelReader.Message> totals = new ArrayList<>();

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    @BeforeEach
    void empty() {
        database.inTransaction(h -> h.execute("DELETE FROM usage_record")
                + h.execute("DELETE FROM accounting_message")
                + h.execute("UPDATE accounting_turn SET holder = NULL, totals_at = NULL"));
    }

    private AccountingSettings settings(Publishing way, Records records) {
        return UsageRows.settings(queue, way, records);
    }

    private static Clock at(Instant time) {
        return Clock.fixed(time, ZoneOffset.UTC);
    }

    private UsagePublisher publisher(Publishing way, Records records) {
        return new UsagePublisher(database, settings(way, records), at(NOW));
    }

    private void ended(int count, String queueName, String fqan, Instant end) {
        UsageRows.ended(database, count, queueName, fqan, end);
    }

    /** Takes all messages that are not locked out of the queue, as a sender does; each record must be new. */
    private void take() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(queue)) {
            all = files.filter(Files::isRegularFile)
                    .filter(f -> f.getFileName().toString().matches("[0-9a-f]{14}"))
                    .filter(f -> Files.notExists(f.resolveSibling(f.getFileName() + ".lck")))
                    .toList();
        }
        for (Path file : all) {
            ApelReader.Message message = ApelReader.read(Files.readAllBytes(file), NOW);
            Files.delete(file);
            if (message.kind() != ApelReader.Kind.JOBS) {
                totals.add(message);
                continue;
            }
            assertThat(message.records()).hasSizeBetween(1, 4);
            for (Map<String, String> r : message.records()) {
                String key = r.get("LocalJobId") + " " + r.get("EndTime");
                assertThat(taken.put(key, r.toString()))
                        .as("record %s twice", key)
                        .isNull();
            }
        }
    }

    private int count(String condition) {
        return database.read(h -> h.select("SELECT COUNT(*) FROM usage_record WHERE " + condition)
                .mapTo(Integer.class)
                .one());
    }

    @Test
    void everyRecordIsInOneMessage() throws IOException {
        ended(10, "long", "/dteam", MARCH);
        UsagePublisher.Result result = publisher(Publishing.SSM, Records.JOBS).publish(false);
        assertThat(result.records()).isEqualTo(10);
        take();
        assertThat(taken).hasSize(10);
        assertThat(publisher(Publishing.SSM, Records.JOBS).publish(false).messages())
                .isZero();
        ended(1, "long", "/dteam", APRIL);
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        assertThat(taken).hasSize(11);
    }

    /** A subject that no DN can be read from; whatever it is, it is the record's own. */
    private void unreadable(String newDn, String oldDn) {
        database.inTransaction(h -> h.execute("UPDATE subject SET dn = ? WHERE dn = ?", newDn, oldDn));
    }

    private void endedOfNobody(int count) {
        ended(count, "long", "/dteam", MARCH);
        int other = owners.owner(new GridIdentity("CN=Nobody,DC=org", List.of("/dteam"), null, false, NOW, List.of()));
        database.inTransaction(
                h -> h.execute("UPDATE usage_record SET owner_id = ? ORDER BY id DESC LIMIT " + count, other));
        unreadable("no name", "CN=Nobody,DC=org");
    }

    @ParameterizedTest
    @EnumSource(
            value = Publishing.class,
            names = {"SSM", "BLAH"})
    void aRecordThatCannotBeWrittenKeepsNoOtherBack(Publishing way) throws IOException {
        ended(3, "long", "/dteam", MARCH);
        endedOfNobody(2);
        ended(4, "long", "/dteam", MARCH);
        try {
            assertThat(publisher(way, Records.JOBS).preview().message()).isNotEmpty();
            UsagePublisher publisher = publisher(way, Records.JOBS);
            assertThat(publisher.publish(false).records()).isEqualTo(7);
            assertThat(publisher.failure()).isNull();
            assertThat(publisher.publish(false).records()).as("nothing is left").isZero();
            assertThat(count("message_id = 0")).isEqualTo(2);
        } finally {
            unreadable("CN=Nobody,DC=org", "no name");
        }
        assertThat(publisher(way, Records.JOBS).republish(ALWAYS, NEVER)).isEqualTo(9);
        assertThat(publisher(way, Records.JOBS).publish(false).records()).isEqualTo(9);
    }

    @Test
    void aSumThatCannotBeWrittenKeepsNoOtherBack() throws IOException {
        ended(3, "long", "/dteam", MARCH);
        endedOfNobody(2);
        try {
            publisher(Publishing.SSM, Records.SUMMARIES).publish(true);
        } finally {
            unreadable("CN=Nobody,DC=org", "no name");
        }
        take();
        assertThat(totals)
                .filteredOn(m -> m.kind() == ApelReader.Kind.SUMMARIES)
                .flatExtracting(ApelReader.Message::records)
                .singleElement()
                .satisfies(r -> assertThat(r).containsEntry("NumberOfJobs", "3"));
    }

    /** Killed at each point, with a sender that takes what it may, before and after the next turn. */
    @ParameterizedTest
    @EnumSource(Point.class)
    void aKillLeavesNeitherGapNorDouble(Point point) throws IOException {
        ended(10, "long", "/dteam", MARCH);
        int kills = 0;
        for (int nth = 1; nth <= 3; nth++) {
            AtomicInteger passes = new AtomicInteger();
            int fatal = nth;
            UsagePublisher dying = new UsagePublisher(
                    database, settings(Publishing.SSM, Records.JOBS), at(NOW.plusSeconds(120L * nth)), p -> {
                        if (p == point && passes.incrementAndGet() == fatal) {
                            throw new Killed();
                        }
                    });
            try {
                dying.publish(false);
            } catch (Killed e) {
                kills++;
            }
            take();
        }
        assertThat(kills).isPositive();
        new UsagePublisher(database, settings(Publishing.SSM, Records.JOBS), at(NOW.plusSeconds(600))).publish(false);
        releaseOld();
        take();
        assertThat(taken).hasSize(10);
        assertThat(count("message_id IS NULL")).isZero();
    }

    /** Readers drop locks of ten minutes. */
    private void releaseOld() throws IOException {
        List<Path> locks;
        try (Stream<Path> files = Files.walk(queue)) {
            locks = files.filter(f -> f.toString().endsWith(".lck")).toList();
        }
        for (Path lock : locks) {
            Files.delete(lock);
        }
    }

    @Test
    void nobodyElsePublishesMeanwhile() throws IOException {
        ended(5, "long", "/dteam", MARCH);
        UsagePublisher other = publisher(Publishing.SSM, Records.JOBS);
        List<UsagePublisher.Result> results = new ArrayList<>();
        new UsagePublisher(database, settings(Publishing.SSM, Records.JOBS), at(NOW), p -> {
                    if (p == Point.ASSIGNED) {
                        results.add(other.publish(false));
                    }
                })
                .publish(false);
        assertThat(results).hasSize(2).allMatch(UsagePublisher.Result::elsewhere);
        take();
        assertThat(taken).hasSize(5);
    }

    /** What a batch system reports after publishing changes the record and not its key. */
    @Test
    void aRecordThatChangedIsPublishedOnceMoreUnderItsKey() throws IOException {
        ended(2, "long", "/dteam", MARCH);
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        UsageRecords records = new UsageRecords();
        Usage same = new Usage(Duration.ofSeconds(10), Duration.ofSeconds(20), 1, null, Usage.Source.BATCH_SYSTEM);
        Usage more = new Usage(Duration.ofSeconds(15), null, null, null, Usage.Source.BATCH_SYSTEM);
        database.inTransaction(h -> {
            records.usedUntil(h, Map.of(new JobId(1), "1"), NOW.minusSeconds(3600));
            return records.merge(h, List.of(new UsageRecords.Report(new JobId(1), "1", same)));
        });
        assertThat(publisher(Publishing.SSM, Records.JOBS).publish(false).records())
                .as("what is as it was")
                .isZero();
        database.inTransaction(h -> records.merge(
                h,
                List.of(
                        new UsageRecords.Report(new JobId(1), "1", more),
                        new UsageRecords.Report(
                                new JobId(2),
                                null,
                                new Usage(Duration.ofSeconds(99), null, null, null, Usage.Source.WRAPPER)))));
        Map<String, String> before = new TreeMap<>(taken);
        taken.clear();
        assertThat(publisher(Publishing.SSM, Records.JOBS).publish(false).records())
                .isEqualTo(1);
        take();
        assertThat(taken).hasSize(1);
        assertThat(before.keySet()).containsAll(taken.keySet());
        assertThat(taken.values().iterator().next()).contains("CpuDuration=15");
    }

    @Test
    void aMonthPublishedTwiceIsTheSameMonth() throws IOException {
        ended(6, "long", "/dteam", MARCH);
        ended(3, "long", "/dteam", APRIL);
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        Map<String, String> first = new TreeMap<>(taken);
        taken.clear();
        assertThat(publisher(Publishing.SSM, Records.JOBS)
                        .republish(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-01T00:00:00Z")))
                .isEqualTo(6);
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        assertThat(taken).hasSize(6);
        assertThat(first).containsAllEntriesOf(taken);
    }

    @Test
    void whatIsNotPublishedIsShown() throws IOException {
        ended(2, "long", "/dteam", MARCH);
        ended(3, "short", "/dteam", MARCH);
        ended(1, "long", "", MARCH);
        ended(4, "long", "/atlas", MARCH);
        database.inTransaction(h -> h.execute("UPDATE usage_record SET lrms_id = NULL WHERE job_number = 10")
                + h.execute("UPDATE usage_record SET running_at = NULL, wall_seconds = NULL WHERE job_number = 9")
                + h.execute("UPDATE usage_record SET cpu_seconds = NULL, usage_sources = 1 WHERE job_number = 8"));
        UsageQueries queries = new UsageQueries(database, owners, settings(Publishing.SSM, Records.JOBS));
        assertThat(publisher(Publishing.SSM, Records.JOBS).preview().records()).isEqualTo(4);
        assertThat(count("message_id IS NOT NULL")).as("after the preview").isZero();
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        assertThat(taken).hasSize(5);
        assertThat(queries.standings(ALWAYS, NEVER))
                .containsExactlyInAnyOrder(
                        new UsageQueries.Standing("2026-03", "", 1, 1, 0, 0, 0, 0, 0, 0),
                        new UsageQueries.Standing("2026-03", "dteam", 5, 2, 3, 0, 3, 0, 0, 0),
                        new UsageQueries.Standing("2026-03", "atlas", 3, 2, 1, 0, 0, 1, 1, 1));
        database.inTransaction(h -> h.execute("DELETE FROM usage_record WHERE job_number = 10"));
    }

    /** As after a turn that broke off at a full disk. */
    @Test
    void aRecordWhoseMessageIsNotWrittenCountsAsUnsent() {
        ended(2, "long", "/dteam", MARCH);
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        UsageQueries queries = new UsageQueries(database, owners, settings(Publishing.SSM, Records.JOBS));
        assertThat(queries.standings(ALWAYS, NEVER)).singleElement().satisfies(standing -> {
            assertThat(standing.published()).isEqualTo(2);
            assertThat(standing.unsent()).isZero();
        });
        database.inTransaction(h -> h.execute("UPDATE accounting_message SET sent_at = NULL"));
        assertThat(queries.standings(ALWAYS, NEVER)).singleElement().satisfies(standing -> {
            assertThat(standing.published()).isZero();
            assertThat(standing.unsent()).isEqualTo(2);
        });
    }

    /** A record the batch system has not reported of waits, not for ever. */
    @Test
    void theBatchSystemsReportIsWaitedFor() throws IOException {
        ended(2, "long", "/dteam", NOW.minus(Duration.ofHours(23)));
        database.inTransaction(h -> h.execute("UPDATE usage_record SET usage_sources = 1 WHERE job_number = 1"));
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        assertThat(taken).hasSize(1);
        new UsagePublisher(database, settings(Publishing.SSM, Records.JOBS), at(NOW.plus(Duration.ofHours(2))))
                .publish(false);
        take();
        assertThat(taken).hasSize(2);
    }

    @Test
    void countsOfAllMonthsGoBesideTheRecords() throws IOException {
        ended(6, "long", "/dteam", MARCH);
        ended(3, "long", "/dteam", APRIL);
        publisher(Publishing.SSM, Records.JOBS).publish(true);
        take();
        assertThat(totals).hasSize(1);
        assertThat(totals.get(0).records())
                .extracting(r -> r.get("Month") + " " + r.get("NumberOfJobs"))
                .containsExactly("3 6", "4 3");
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        assertThat(totals).as("not due").hasSize(1);
        new UsagePublisher(database, settings(Publishing.SSM, Records.JOBS), at(NOW.plus(Duration.ofDays(1))))
                .publish(false);
        take();
        assertThat(totals).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Point.class,
            names = {"ASSIGNED", "TOTAL_WRITTEN"})
    void summariesAreTotalsOfWholeMonths(Point point) throws IOException {
        ended(6, "long", "/dteam", Instant.parse("2026-01-10T10:00:00Z"));
        ended(3, "long", "/dteam", APRIL);
        UsagePublisher dying = new UsagePublisher(database, settings(Publishing.SSM, Records.SUMMARIES), at(NOW), p -> {
            if (p == point) {
                throw new Killed();
            }
        });
        assertThatThrownBy(() -> dying.publish(false)).isInstanceOf(Killed.class);
        releaseOld();
        take();
        totals.clear();
        Instant later = NOW.plusSeconds(120);
        new UsagePublisher(database, settings(Publishing.SSM, Records.SUMMARIES), at(later)).publish(false);
        take();
        assertThat(taken).isEmpty();
        assertThat(totals.stream()
                        .filter(m -> m.kind() == ApelReader.Kind.SUMMARIES)
                        .flatMap(m -> m.records().stream())
                        .map(r -> r.get("Month") + " " + r.get("NumberOfJobs") + " " + r.get("WallDuration")))
                .containsExactlyInAnyOrder("1 6 120", "4 3 60");
        totals.clear();
        new UsagePublisher(database, settings(Publishing.SSM, Records.SUMMARIES), at(later)).publish(true);
        take();
        assertThat(totals.stream().flatMap(m -> m.records().stream()).map(r -> m(r)))
                .as("this month and the last, and all counts")
                .containsExactlyInAnyOrder("4 3", "1 6", "4 3");
    }

    private static String m(Map<String, String> r) {
        return r.get("Month") + " " + r.get("NumberOfJobs");
    }

    @ParameterizedTest
    @EnumSource(
            value = Point.class,
            names = {"ASSIGNED", "WRITTEN", "STORED"})
    void theBlahLogHasALineForEachJob(Point point) throws IOException {
        ended(10, "long", "/dteam", MARCH);
        UsagePublisher dying = new UsagePublisher(database, settings(Publishing.BLAH, Records.JOBS), at(NOW), p -> {
            if (p == point) {
                throw new Killed();
            }
        });
        assertThatThrownBy(() -> dying.publish(false)).isInstanceOf(Killed.class);
        Path log = queue.resolve("blahp.log-20260402");
        boolean cut = point == Point.WRITTEN;
        if (cut) {
            Files.writeString(log, Files.readString(log).substring(0, (int) Files.size(log) - 20));
        }
        new UsagePublisher(database, settings(Publishing.BLAH, Records.JOBS), at(NOW.plusSeconds(120))).publish(true);
        List<String> ids = Files.readAllLines(log).stream()
                .flatMap(line -> BlahLogReader.read(line).stream())
                .map(fields -> fields.get("lrmsID"))
                .toList();
        assertThat(ids)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 10).mapToObj(i -> "" + i).toList());
        assertThat(Files.readAllLines(log)).hasSize(cut ? 11 : 10);
        try (Stream<Path> all = Files.list(queue)) {
            assertThat(all).as("no messages beside the log").hasSize(1);
        }
    }

    @Test
    void aQueueThatIsAwayIsAFailureAndNoLoss() throws IOException {
        ended(2, "long", "/dteam", MARCH);
        Path elsewhere = queue.resolveSibling(queue.getFileName() + "-away");
        Files.move(queue, elsewhere);
        UsagePublisher publisher = publisher(Publishing.SSM, Records.JOBS);
        assertThatThrownBy(() -> publisher.publish(false)).isInstanceOf(UncheckedIOException.class);
        assertThat(publisher.failure()).contains("is not there");
        Files.move(elsewhere, queue);
        publisher.publish(false);
        assertThat(publisher.failure()).isNull();
        take();
        assertThat(taken).hasSize(2);
    }

    @Test
    void oldMonthsGoAndWhatIsUnsentStays() throws IOException {
        Instant old = Instant.parse("2025-01-10T10:00:00Z");
        ended(3, "long", "/dteam", old);
        ended(2, "short", "/dteam", old);
        ended(4, "long", "/dteam", Instant.parse("2025-02-27T10:00:00Z"));
        publisher(Publishing.SSM, Records.JOBS).publish(false);
        take();
        assertThat(new UsageRetention(database, settings(Publishing.SSM, Records.JOBS), at(NOW)).sweep())
                .isEqualTo(3);
        assertThat(count("TRUE")).isEqualTo(6);
        assertThat(new UsageRetention(database, settings(Publishing.OFF, Records.JOBS), at(NOW)).sweep())
                .isEqualTo(2);
        assertThat(count("TRUE")).isEqualTo(4);
    }

    /** Slurm shows a job that was cancelled while it waited with a core and no time. */
    @Test
    void whatCanNeverBePublishedGoesInItsTime() throws IOException {
        ended(3, "long", "/dteam", MARCH);
        database.inTransaction(h -> h.execute("UPDATE usage_record SET running_at = NULL, wall_seconds = NULL,"
                + " cpu_seconds = NULL, cores = NULL, usage_sources = 0, message_id = IF(job_number = 3, NULL, 0)"));
        Usage seen = new Usage(null, null, 1, null, Usage.Source.BATCH_SYSTEM);
        database.inTransaction(h ->
                new UsageRecords().merge(h, List.of(new UsageRecords.Report(new JobId(1), "1", seen))));
        assertThat(count("message_id = 0")).isEqualTo(2);
        ended(1, "long", "/dteam", MARCH);
        database.inTransaction(h -> h.execute("UPDATE usage_record SET lrms_id = NULL WHERE job_number = 4"));
        publisher(Publishing.SSM, Records.JOBS).publish(true);
        take();
        assertThat(taken).isEmpty();
        AccountingSettings settings = settings(Publishing.SSM, Records.JOBS);
        assertThat(new UsageRetention(database, settings, at(NOW)).sweep()).isZero();
        assertThat(new UsageRetention(database, settings, at(NOW.plus(Duration.ofDays(500)))).sweep())
                .isEqualTo(4);
    }

    /** The receiver replaces what it has of a month. */
    @Test
    void aLateRecordShrinksNoSummaryOfItsMonth() throws IOException {
        ended(5, "long", "/dteam", MARCH);
        publisher(Publishing.SSM, Records.SUMMARIES).publish(true);
        take();
        totals.clear();
        ended(1, "long", "/dteam", MARCH);
        AccountingSettings settings = settings(Publishing.SSM, Records.SUMMARIES);
        Instant later = NOW.plus(Duration.ofDays(450));
        assertThat(new UsageRetention(database, settings, at(later)).sweep()).isEqualTo(5);
        new UsagePublisher(database, settings, at(later)).publish(true);
        take();
        assertThat(taken).hasSize(1);
        assertThat(totals.stream().filter(m -> m.kind() == ApelReader.Kind.SUMMARIES))
                .isEmpty();
    }

    @Test
    void sumsAreByWhatIsRequested() {
        ended(2, "long", "/dteam/Role=production", MARCH);
        ended(3, "short", "/dteam", APRIL);
        ended(1, "long", "", APRIL);
        UsageQueries queries = new UsageQueries(database, owners, settings(Publishing.SSM, Records.JOBS));
        assertThat(queries.sums(UsageQueries.Selection.of(null, ALWAYS, NEVER), List.of(UsageQueries.By.VO)))
                .extracting(s -> s.values() + " " + s.jobs() + " "
                        + s.wallSeconds().intValue() + " " + s.cpuSeconds().intValue())
                .containsExactly("[] 1 20 10", "[dteam] 5 100 50");
        assertThat(queries.sums(
                        UsageQueries.Selection.of(null, ALWAYS, NEVER),
                        List.of(UsageQueries.By.MONTH, UsageQueries.By.QUEUE)))
                .extracting(s -> s.values() + " " + s.jobs())
                .containsExactly("[2026-03, long] 2", "[2026-04, long] 1", "[2026-04, short] 3");
        GridIdentity other = new GridIdentity("CN=Bob,DC=org", List.of(), null, false, NOW, List.of());
        assertThat(queries.sums(UsageQueries.Selection.of(other, ALWAYS, NEVER), List.of()))
                .extracting(UsageQueries.Sum::jobs)
                .containsExactly(0L);
        UsageQueries.Page page = queries.page(UsageQueries.Selection.of(null, ALWAYS, NEVER), 0, 4);
        assertThat(page.records()).hasSize(4);
        assertThat(queries.page(UsageQueries.Selection.of(null, ALWAYS, NEVER), page.next(), 4)
                        .records())
                .hasSize(2);
        assertThat(queries.page(UsageQueries.Selection.of(other, ALWAYS, NEVER), 0, 4)
                        .records())
                .isEmpty();
    }

    @Test
    void sumsAreOfJobsWithALabelAndByIt() throws DescriptionException {
        ended(4, "long", "/dteam", MARCH);
        database.inTransaction(h -> {
            h.execute("UPDATE usage_record SET labels = '{\"=\":\"fit\",\"run\":\"42\"}' ORDER BY id LIMIT 1");
            h.execute(
                    "UPDATE usage_record SET labels = ? WHERE labels IS NULL ORDER BY id LIMIT 2",
                    "{\"run\":\"43\",\"a.b-c\":\"\\\\\\\"x\"}");
            return null;
        });
        UsageQueries queries = new UsageQueries(database, owners, settings(Publishing.SSM, Records.JOBS));
        UsageQueries.By run = UsageQueries.By.of("label:run");
        assertThat(queries.sums(UsageQueries.Selection.of(null, ALWAYS, NEVER), List.of(UsageQueries.By.NAME, run)))
                .extracting(s -> s.values() + " " + s.jobs())
                .containsExactly("[, ] 1", "[, 43] 2", "[fit, 42] 1");
        JobLabels wanted = JobLabels.check("name", null, "label", List.of("run=43", "a.b-c=\\\"x"));
        UsageQueries.Selection labelled =
                new UsageQueries.Selection(null, ALWAYS, NEVER, wanted, UsageQueries.Ending.ANY);
        assertThat(queries.sums(labelled, List.of()))
                .extracting(UsageQueries.Sum::jobs)
                .containsExactly(2L);
        assertThat(queries.page(labelled, 0, 4).records()).hasSize(2);
        JobLabels named = JobLabels.check("name", "fit", "label", List.of("run=43"));
        assertThat(queries.page(new UsageQueries.Selection(null, ALWAYS, NEVER, named, UsageQueries.Ending.ANY), 0, 4)
                        .records())
                .isEmpty();
        assertThatThrownBy(() -> UsageQueries.By.of("label:x\"y")).hasMessageContaining("label:NAME");
    }
}
