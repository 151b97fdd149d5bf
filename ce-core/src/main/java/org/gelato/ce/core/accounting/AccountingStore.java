package org.gelato.ce.core.accounting;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SliceWeight;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** SQL of usage records and messages for those who publish them. All methods work within the caller's transaction. */
final class AccountingStore {
    static final String FQAN = "COALESCE(g.fqan, IF(s.kind = 0, o.fqan, ''))";
    static final String END = "COALESCE(u.published_end, u.ended_at)";

    static final String COLUMNS = """
            u.id, u.job_number, q.lrms, q.name AS queue, u.lrms_id, a.name AS account, s.kind, s.dn,
            """ + FQAN + " AS fqan, u.running_at, " + END + """
             AS ended, u.cpu_seconds, u.wall_seconds, u.cores,
            u.peak_memory_kib, u.worker_node, u.state, u.exit_code, u.message_id
            """;

    /** What describes a record {@code u}. */
    static final String NAMES = """
            STRAIGHT_JOIN queue q ON q.id = u.queue_id STRAIGHT_JOIN account a ON a.id = u.account_id
            STRAIGHT_JOIN owner o ON o.id = u.owner_id STRAIGHT_JOIN subject s ON s.id = o.subject_id
            LEFT JOIN accounting_group g ON g.id = u.accounting_group_id
            """;

    // Ended long enough ago for the batch system to have measured them, or measured already; with what a message needs.
    static final String UNSENT = """
            SELECT u.id FROM usage_record u FORCE INDEX (usage_record_message)
            WHERE u.message_id IS NULL AND u.ended_at >= :since AND u.ended_at < :until
              AND (u.usage_sources >= 2 OR u.ended_at < :unmeasured)
              AND (u.running_at IS NOT NULL OR u.wall_seconds IS NOT NULL) AND u.lrms_id IS NOT NULL
              AND u.queue_id IN (<queues>)
            ORDER BY u.ended_at, u.id LIMIT :limit
            """;
    static final String ASSIGN = """
            UPDATE usage_record SET message_id = :message, published_end = COALESCE(published_end, ended_at)
            WHERE id IN (<ids>) AND message_id IS NULL
            """;
    static final String OF_MESSAGE =
            "SELECT " + COLUMNS + " FROM usage_record u " + NAMES + " WHERE u.message_id = :message ORDER BY u.id";
    private static final String BY_ID =
            "SELECT " + COLUMNS + " FROM usage_record u " + NAMES + " WHERE u.id IN (<ids>) ORDER BY u.id";
    static final String PUBLISHED = "SELECT " + COLUMNS + " FROM usage_record u FORCE INDEX (usage_record_published) "
            + NAMES + " WHERE u.published_end >= :from AND u.published_end < :to";
    private static final String COUNTS = """
            SELECT DATE_FORMAT(u.published_end, '%Y-%m') AS month, q.lrms, q.name AS queue, COUNT(*) AS jobs
            FROM usage_record u STRAIGHT_JOIN queue q ON q.id = u.queue_id
            WHERE u.published_end >= :from GROUP BY month, q.lrms, q.name ORDER BY month, q.lrms, q.name
            """;
    private static final String AGAIN = """
            UPDATE usage_record SET message_id = NULL
            WHERE published_end >= :from AND published_end < :to AND message_id IS NOT NULL
            """;
    // 0: in no message, and not to be in one.
    private static final String PARK = "UPDATE usage_record SET message_id = 0 WHERE id IN (<ids>)";
    private static final String EXPIRED = """
            DELETE FROM usage_record WHERE ended_at < :before AND (published_end IS NULL OR published_end < :before)
              AND (:all OR message_id IS NOT NULL OR ended_at < :since OR lrms_id IS NULL OR (running_at IS NULL AND wall_seconds IS NULL))
            ORDER BY ended_at LIMIT :limit
            """;

    /** Codes of the database: never reorder them. */
    enum Kind {
        JOBS,
        SUMMARIES,
        BLAH
    }

    /** A message that is not known to be in the queue. */
    record Message(int id, Kind kind, String name, Instant created) {}

    /**
     * Takes the turn to publish, or keeps it.
     *
     * @return false while another node has it
     */
    boolean turn(Handle h, String holder, Instant now, Duration length) {
        return h.createUpdate("UPDATE accounting_turn SET holder = :holder, held_until = :until"
                                + " WHERE id = 1 AND (holder IS NULL OR holder = :holder OR held_until < :now)")
                        .bind("holder", holder)
                        .bind("until", now.plus(length))
                        .bind("now", now)
                        .execute()
                == 1;
    }

    void endTurn(Handle h, String holder) {
        h.execute("UPDATE accounting_turn SET holder = NULL WHERE id = 1 AND holder = ?", holder);
    }

    /** When totals were published last. */
    Optional<Instant> totalsAt(Handle h) {
        return h.createQuery("SELECT totals_at FROM accounting_turn WHERE id = 1")
                .map((r, c) -> Optional.ofNullable(SqlTime.get(r, 1)))
                .one();
    }

    void totalsAt(Handle h, Instant now) {
        h.createUpdate("UPDATE accounting_turn SET totals_at = :now WHERE id = 1")
                .bind("now", now)
                .execute();
    }

    /**
     * Records that can be published now, those that ended first.
     *
     * @param since those that ended before are left out, as are those before {@link AccountingSettings#earliest}
     * @param until those that ended then or later are left out, as are those that end after now
     */
    List<Integer> unsent(Handle h, AccountingSettings settings, Instant now, Instant since, Instant until) {
        List<Integer> queues = queues(h, settings.benchmarks());
        return queues.isEmpty()
                ? List.of()
                : h.createQuery(UNSENT)
                        .bind("since", since.isAfter(settings.earliest()) ? since : settings.earliest())
                        .bind("until", until.isBefore(now) ? until : now)
                        .bind("unmeasured", now.minus(settings.patience()))
                        .bindList("queues", InList.of(queues))
                        .bind("limit", settings.perMessage())
                        .mapTo(Integer.class)
                        .list();
    }

    // Not a subquery: it would be joined first, and all unsent records sorted for each message.
    private static List<Integer> queues(Handle h, Benchmarks benchmarks) {
        List<String> names = List.copyOf(benchmarks.queues());
        return names.isEmpty()
                ? List.of()
                : h.createQuery("SELECT id FROM queue WHERE name IN (<names>)")
                        .bindList("names", InList.of(names))
                        .mapTo(Integer.class)
                        .list();
    }

    /** Stores a message that takes these records; its id. */
    int assign(Handle h, Kind kind, String name, List<Integer> records, Instant now) {
        int message = h.createUpdate("INSERT INTO accounting_message (kind, name, records, created_at)"
                        + " VALUES (:kind, :name, :records, :now)")
                .bind("kind", kind.ordinal())
                .bind("name", name)
                .bind("records", records.size())
                .bind("now", now)
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Integer.class)
                .one();
        h.createUpdate(ASSIGN)
                .bind("message", message)
                .bindList("ids", InList.of(records))
                .execute();
        return message;
    }

    /** Messages that may be in the queue or not. */
    List<Message> open(Handle h) {
        return h.createQuery(
                        "SELECT id, kind, name, created_at FROM accounting_message WHERE sent_at IS NULL ORDER BY id")
                .map((r, c) -> new Message(
                        r.getInt("id"),
                        Kind.values()[r.getInt("kind")],
                        r.getString("name"),
                        SqlTime.get(r, "created_at")))
                .list();
    }

    void rename(Handle h, int message, String name) {
        h.execute("UPDATE accounting_message SET name = ? WHERE id = ?", name, message);
    }

    void sent(Handle h, int message, Instant now) {
        h.createUpdate("UPDATE accounting_message SET sent_at = :now WHERE id = :id AND sent_at IS NULL")
                .bind("now", now)
                .bind("id", message)
                .execute();
    }

    /** Takes records out of their messages that can't be written; {@link #again} makes them unsent. */
    void park(Handle h, List<Integer> records) {
        h.createUpdate(PARK).bindList("ids", InList.of(records)).execute();
    }

    List<UsageEntry> ofMessage(Handle h, int message) {
        return h.createQuery(OF_MESSAGE)
                .bind("message", message)
                .map(AccountingStore::entry)
                .list();
    }

    /** Records by their rows' ids. */
    List<UsageEntry> byId(Handle h, List<Integer> ids) {
        return ids.isEmpty()
                ? List.of()
                : h.createQuery(BY_ID)
                        .bindList("ids", InList.of(ids))
                        .map(AccountingStore::entry)
                        .list();
    }

    /** Passes on all records whose published end is in an interval, one by one. */
    void published(Handle h, Instant from, Instant to, Consumer<UsageEntry> record) {
        h.createQuery(PUBLISHED)
                .setFetchSize(SliceWeight.ROW_BY_ROW)
                .bind("from", from)
                .bind("to", to)
                .map(AccountingStore::entry)
                .forEach(record);
    }

    /** Months of the records of messages of a kind that are open. */
    List<YearMonth> openMonths(Handle h, Kind kind) {
        return h
                .createQuery(
                        "SELECT DISTINCT DATE_FORMAT(u.published_end, '%Y-%m') FROM accounting_message m"
                                + " STRAIGHT_JOIN usage_record u ON u.message_id = m.id WHERE m.sent_at IS NULL AND m.kind = :kind")
                .bind("kind", kind.ordinal())
                .mapTo(String.class)
                .list()
                .stream()
                .map(YearMonth::parse)
                .toList();
    }

    List<ApelMessages.Count> counts(Handle h, Instant from) {
        return h.createQuery(COUNTS)
                .bind("from", from)
                .map((r, c) -> new ApelMessages.Count(
                        YearMonth.parse(r.getString("month")),
                        r.getString("lrms"),
                        r.getString("queue"),
                        r.getLong("jobs")))
                .list();
    }

    /** Makes published records of an interval unsent. @return how many */
    int again(Handle h, Instant from, Instant to) {
        return h.createUpdate(AGAIN).bind("from", from).bind("to", to).execute();
    }

    /**
     * Removes records of jobs that ended before.
     *
     * @param all those too that are unsent
     * @param since those that ended before are never sent
     * @return how many, at most the limit
     */
    int expire(Handle h, Instant before, boolean all, Instant since, int limit) {
        return h.createUpdate(EXPIRED)
                .bind("before", before)
                .bind("all", all)
                .bind("since", since)
                .bind("limit", limit)
                .execute();
    }

    /** Removes messages that were sent before. */
    int expireMessages(Handle h, Instant before) {
        return h.createUpdate("DELETE FROM accounting_message WHERE sent_at < :before")
                .bind("before", before)
                .execute();
    }

    /** Begin of a month, in UTC. */
    static Instant begin(YearMonth month) {
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    static UsageEntry entry(ResultSet r, StatementContext context) throws SQLException {
        int message = r.getInt("message_id");
        boolean published = !r.wasNull() && message != 0;
        return new UsageEntry(
                r.getInt("id"),
                new JobId(r.getInt("job_number")),
                r.getString("lrms"),
                r.getString("queue"),
                r.getString("lrms_id"),
                r.getString("account"),
                r.getInt("kind") == Identity.Kind.X509.code(),
                r.getString("dn"),
                r.getString("fqan"),
                SqlTime.get(r, "running_at"),
                SqlTime.get(r, "ended"),
                r.getBigDecimal("cpu_seconds"),
                r.getBigDecimal("wall_seconds"),
                r.getObject("cores", Integer.class),
                r.getObject("peak_memory_kib", Long.class),
                r.getString("worker_node"),
                JobState.ofCode(r.getInt("state")).wireName(),
                r.getString("exit_code"),
                published);
    }
}
