package org.gelato.ce.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.AccountingSettings.Records;
import org.gelato.ce.core.accounting.UsagePublisher;
import org.gelato.ce.core.accounting.UsageQueries;
import org.gelato.ce.core.accounting.UsageRetention;
import org.gelato.ce.core.accounting.UsageRows;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.RecordedStatements;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.message.DueSignal;
import org.gelato.ce.core.message.JournalReader;
import org.gelato.ce.core.message.Journals;
import org.gelato.ce.core.message.KnownRows;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageFeed.Scope;
import org.gelato.ce.core.message.StoredMessageFeed;
import org.gelato.ce.core.message.StoredMessageIntake;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.core.monitoring.OldestJob;
import org.gelato.ce.core.monitoring.RecentJobs;
import org.gelato.ce.core.monitoring.Ring;
import org.gelato.ce.core.monitoring.Sample;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.service.SiteJobs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever accounting, receivers and followers of events, and the dashboard send to the server reads its tables by an index: each part
 * works once on a filled database, and the plan of every statement that it sent is looked up.
 */
class MonitoringPlansTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final int USERS = 20;
    private static final int JOBS = 3000;
    private static final Instant NOW = Instant.parse("2026-06-15T12:00:00Z");
    private static final Instant JUNE = Instant.parse("2026-06-01T00:00:00Z");
    private static final Instant JULY = Instant.parse("2026-07-01T00:00:00Z");
    // It goes on, as names of messages are made of it.
    private final Clock clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), NOW));

    /** Of so few rows that an index would be the longer way: a row, or one for each queue, node of the CE or receiver. */
    private static final Set<String> SMALL =
            Set.of("accounting_turn", "queue", "node", "webhook", "db_info", "message_clock", "i", "q");

    /** Counts of all months are of all records, once a day: any index would be a detour. */
    private static final String COUNTS = "SELECT DATE_FORMAT(u.published_end, '%Y-%m') AS month, q.lrms";

    private static Database recorded;
    private static TestCe ce;

    @TempDir
    private Path queue;

    @BeforeAll
    static void fill() {
        ce = new TestCe(DB.database(), new FakeLrms(), "h");
        for (int i = 0; i < USERS; i++) {
            ce.jobs
                    .registration()
                    .register(
                            TestCe.caller("user" + i),
                            Stream.generate(() -> TestCe.description(true))
                                    .limit(JOBS / USERS)
                                    .toList(),
                            null);
        }
        Database database = DB.database();
        database.inTransaction(h -> {
            // A year of ended jobs: most have been published, those of the last days are due.
            h.execute("UPDATE job SET state = IF(MOD(id, 50) = 0, 8, 7), lrms_id = CONCAT(id, '.pbs'),"
                    + " state_since = '2026-06-15 11:00:00' - INTERVAL id * 2 HOUR, ended_at = state_since,"
                    + " running_at = state_since - INTERVAL 1 HOUR WHERE MOD(id, 20) <> 0");
            h.execute("INSERT INTO usage_record (job_number, owner_id, account_id, queue_id, lrms_id, state,"
                    + " registered_at, running_at, ended_at, cpu_seconds, wall_seconds, usage_sources)"
                    + " SELECT id, owner_id, account_id, queue_id, lrms_id, state, registered_at, running_at, ended_at, 1, 2, 3"
                    + " FROM job WHERE state IN (7, 8)");
            h.execute(
                    "INSERT INTO accounting_message (kind, name, records, created_at, sent_at)"
                            + " WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 500)"
                            + " SELECT 0, CONCAT('m', n), 1, '2026-01-01' + INTERVAL n HOUR, '2026-01-01' + INTERVAL n HOUR FROM s");
            h.execute("UPDATE usage_record SET message_id = 1 + MOD(id, 500), published_end = ended_at"
                    + " WHERE ended_at < '2026-06-10'");
            h.execute("INSERT INTO subject (kind, dn, dn_hash)"
                    + " WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 900)"
                    + " SELECT 0, CONCAT('CN=Nobody ', n), UNHEX(SHA2(CONCAT('CN=Nobody ', n), 256)) FROM s");
            return null;
        });
        messages(database);
        SeriesStore series = new SeriesStore(database);
        for (int host = 0; host < 10; host++) {
            for (int step = 0; step < 60; step++) {
                series.write(
                        "h" + host,
                        NOW.minus(Ring.MONTH.step().multipliedBy(step)),
                        new Sample(60, Map.of(Measure.JOBS_IDLE, 1.0), Map.of()));
            }
        }
        database.inTransaction(h -> h.execute("OPTIMIZE TABLE job, job_state_history, command, usage_record,"
                + " accounting_message, subject, owner, series_point, job_messages, message"));
        recorded = RecordedStatements.on(DB.config());
        RecordedStatements.taken();
    }

    /** Ten messages of each job, most of which are settled. */
    private static void messages(Database database) {
        database.inTransaction(h -> {
            h.execute(
                    "INSERT INTO job_messages (job_id, owner_id, last_number, messages, message_bytes, closed, due_at)"
                            + " SELECT id, owner_id, 10, 10, 100, MOD(id, 20) <> 0,"
                            + " IF(MOD(id, 400) = 0, '2026-01-01' + INTERVAL id SECOND, NULL) FROM job");
            h.execute(
                    "INSERT INTO message (id, job_id, owner_id, kind, number, sent_at, received_at, level, name, content)"
                            + " WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 10)"
                            + " SELECT id * 10 + n, id, owner_id, 0, n, '2026-01-01', '2026-01-01', 1, CONCAT('k', MOD(n, 3)), 'text'"
                            + " FROM job, s");
            return h.execute("UPDATE message_clock SET last = (SELECT MAX(id) FROM message)");
        });
    }

    @AfterAll
    static void stop() {
        recorded.close();
        ce.close();
    }

    private AccountingSettings settings(Publishing way, Records records) {
        return UsageRows.settings(queue, way, records, 1000, Duration.ofDays(400));
    }

    /** A table of a plan: which, how it is read, by which index. */
    private record Read(String table, String type, String key) {
        boolean byIndex() {
            return !key.equals("null") && !type.equals("ALL") && !type.equals("index");
        }
    }

    /** The text has its values: what looks like a parameter is a part of one. */
    private static List<Read> plan(String sql) throws SQLException {
        List<Read> plan = new ArrayList<>();
        try (Connection connection = DB.database().dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("EXPLAIN FORMAT = TRADITIONAL " + sql)) {
            while (rows.next()) {
                String table = rows.getString("table");
                if (table != null && !table.startsWith("<")) {
                    plan.add(new Read(
                            table, String.valueOf(rows.getString("type")), String.valueOf(rows.getString("key"))));
                }
            }
        }
        return plan;
    }

    /** @return the statements, for what else a test expects of them */
    private static List<String> readByIndex() throws SQLException {
        List<String> statements = RecordedStatements.taken();
        assertThat(statements).isNotEmpty();
        List<String> bad = new ArrayList<>();
        for (String sql : statements) {
            for (Read read : plan(sql)) {
                // The first or last so many rows of a key are an index's end.
                boolean end = read.type().equals("index") && sql.matches("(?s).*ORDER BY id( DESC)? LIMIT [0-9]+.*");
                if (!read.byIndex() && !end && !SMALL.contains(read.table()) && !sql.startsWith(COUNTS)) {
                    bad.add(read + " in " + sql);
                }
            }
        }
        assertThat(bad).isEmpty();
        return statements;
    }

    @Test
    void publishingOfUsage() throws SQLException {
        for (Records records : Records.values()) {
            UsagePublisher publisher = new UsagePublisher(recorded, settings(Publishing.SSM, records), clock);
            publisher.preview();
            publisher.republish(Instant.parse("2026-06-05T00:00:00Z"), Instant.parse("2026-06-06T00:00:00Z"));
            publisher.publish(true);
            publisher.publish(false);
        }
        assertThat(readByIndex())
                .anyMatch(s -> s.contains("published_end = COALESCE"))
                .anyMatch(s -> s.contains("accounting_message SET sent_at"))
                .anyMatch(s -> s.startsWith(COUNTS));
    }

    @Test
    void removalOfUsageRecords() throws SQLException {
        new UsageRetention(recorded, settings(Publishing.SSM, Records.JOBS), clock).sweep();
        assertThat(readByIndex()).hasSize(2).allMatch(s -> s.startsWith("DELETE"));
    }

    @Test
    void sumsOfUsage() throws SQLException {
        UsageQueries usage =
                new UsageQueries(recorded, new OwnerStore(DB.database()), settings(Publishing.SSM, Records.JOBS));
        assertThat(usage.sums(
                        UsageQueries.Selection.of(null, JUNE, JULY),
                        Stream.of("vo", "user", "queue", "month", "name", "label:run")
                                .map(UsageQueries.By::of)
                                .toList()))
                .isNotEmpty();
        assertThat(usage.sums(
                        UsageQueries.Selection.of(TestCe.caller("user1").identity(), JUNE, JULY),
                        List.of(UsageQueries.By.MONTH)))
                .isNotEmpty();
        assertThat(usage.page(UsageQueries.Selection.of(null, JUNE, JULY), 5, 50)
                        .records())
                .isNotEmpty();
        assertThat(usage.page(UsageQueries.Selection.of(TestCe.caller("user1").identity(), JUNE, JULY), 5, 50)
                        .records())
                .isNotEmpty();
        assertThat(usage.standings(JUNE, JULY)).isNotEmpty();
        List<String> ofOne = readByIndex().stream()
                .filter(sql -> sql.contains("u.owner_id IN"))
                .toList();
        assertThat(ofOne).hasSize(2);
        for (String sql : ofOne) {
            // What others have used is not read.
            assertThat(plan(sql)).as(sql).contains(new Read("u", "range", "usage_record_owner"));
        }
    }

    @Test
    void cursorsOfReceivers() throws SQLException {
        ReceiverCursors cursors = new ReceiverCursors(recorded, clock, "n", Duration.ofMinutes(1));
        for (int i = 0; i < 16; i++) {
            cursors.begin("r" + i, 0);
        }
        cursors.claim("r3");
        cursors.confirmed("r3", 7);
        cursors.lastEvent("r3");
        // Few rows, and read by their key all the same.
        for (String sql : readByIndex()) {
            assertThat(plan(sql)).as(sql).allMatch(Read::byIndex);
        }
    }

    @Test
    void eventsForFollowers() throws SQLException {
        EventQueries feed = new EventQueries(recorded, new OwnerStore(DB.database()), JobNumbers.of(DB.database()));
        long to = feed.horizon();
        assertThat(feed.ownersBetween(10, to)).isNotEmpty();
        assertThat(feed.after(EventFeed.ALL_OWNERS, 10, to, 100)).hasSize(100);
        assertThat(feed.after(feed.owner(TestCe.caller("user3")), 10, to, 100)).hasSize(100);
        readByIndex();
    }

    @Test
    void messagesForFollowers() throws SQLException {
        JobNumbers numbers = JobNumbers.of(DB.database());
        StoredMessageFeed feed = new StoredMessageFeed(
                recorded, new OwnerStore(DB.database()), numbers, true, new KnownRows(), new DueSignal(), clock);
        long to = feed.last();
        assertThat(feed.ownersBetween(to - 100, to)).isNotEmpty();
        assertThat(feed.after(new Scope.All(), 10, to, 100)).hasSize(100);
        assertThat(feed.after(new Scope.Owner(feed.owner(TestCe.caller("user3"))), 10, to, 100))
                .hasSize(100);
        assertThat(feed.after(new Scope.Jobs(Set.of(numbers.id(7))), 0, to, 100))
                .hasSize(10);
        assertThat(feed.after(new Scope.Jobs(Set.of(numbers.id(7), numbers.id(300))), 0, to, 100))
                .hasSize(20);
        assertThat(feed.after(new Scope.Vo("dteam"), 10, to, 100)).hasSize(100);
        assertThat(feed.before(numbers.id(7), to + 1, 4))
                .hasSize(4)
                .isSortedAccordingTo(Comparator.comparing(Message::id).reversed());
        assertThat(feed.latest(numbers.id(7))).hasSize(3);
        assertThat(feed.standing(List.of(numbers.id(7), numbers.id(8)))).hasSize(2);
        assertThat(feed.wantOutput(numbers.id(20))).isTrue();
        // The owners of a VO have no index, as everywhere; there are few.
        for (String sql : RecordedStatements.taken()) {
            assertThat(plan(sql))
                    .as(sql)
                    .allMatch(read -> read.byIndex()
                            || SMALL.contains(read.table())
                            || read.table().equals("owner"));
        }
    }

    @Test
    void messagesOfJobs() throws Exception {
        JobNumbers numbers = JobNumbers.of(DB.database());
        DueSignal due = new DueSignal();
        StoredMessageIntake intake = new StoredMessageIntake(
                recorded, numbers, TestCe.TOKENS, TestCe.QUOTA, true, new KnownRows(), due, clock);
        List<MessageBatch> batches = new ArrayList<>();
        for (int job : List.of(20, 40, 60, 1234)) {
            JobId id = numbers.id(job);
            batches.add(MessageBatch.parse(("job=" + id + "\nevent=MESSAGES\nfirst=11\ntoken=" + TestCe.TOKENS.of(id)
                                    + "\n\n1 I k text\n")
                            .getBytes(StandardCharsets.UTF_8))
                    .orElseThrow());
        }
        intake.apply(batches);
        JournalReader journals = new JournalReader(
                recorded,
                numbers,
                new Journals(new SandboxStore(DB.database(), numbers, ce.layout), ce.accounts, true),
                TestCe.TOKENS,
                intake,
                TestCe.QUOTA,
                due,
                clock);
        journals.sweep();
        assertThat(journals.round()).isPositive();
        assertThat(readByIndex())
                .anyMatch(s -> s.contains("SUM(message_bytes + output_bytes)"))
                .anyMatch(s -> s.contains("SKIP LOCKED"));
    }

    @Test
    void seriesAndTablesOfTheDashboard() throws SQLException {
        SeriesStore series = new SeriesStore(recorded);
        for (Ring ring : Ring.values()) {
            series.read(ring, NOW);
        }
        RecentJobs recent = new RecentJobs(recorded);
        assertThat(recent.read(JUNE, List.of(1, 2, 3)).jobs()).isPositive();
        assertThat(readByIndex()).hasSize(Ring.values().length + 5);
    }

    @Test
    void searchesOfJobs() throws SQLException {
        JobNumbers numbers = JobNumbers.of(DB.database());
        JobSearch search = new JobSearch(recorded, numbers);
        JobId id = numbers.id(7);
        for (String text : List.of(
                id.toString(),
                "7",
                "7.pbs",
                TestCe.caller("user1").certificate().dn(),
                "=user1",
                "dteam",
                "user1")) {
            assertThat(search.find(text)).as(text).isNotEmpty();
        }
        assertThat(search.timeline(id)).isPresent();
        assertThat(search.latest()).hasSize(JobSearch.MAX);
        assertThat(search.latestFailed()).isNotEmpty();
        assertThat(search.failed(JobState.DONE_FAILED, "none given", JUNE)).isNotEmpty();
        assertThat(recorded.<Optional<OldestJob>>read(h -> OldestJob.read(h, numbers)))
                .isPresent();
        SiteJobs all = new SiteJobs(recorded, numbers);
        all.page(SiteJobs.Filter.ANY, 0);
        all.job(id);
        assertThat(readByIndex()).anyMatch(s -> s.contains("job_lrms_id"));
    }
}
