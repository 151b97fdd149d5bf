package org.gelato.ce.core.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.LiteralInsert;
import org.gelato.ce.core.db.ValueRows;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * SQL that stores messages. All methods work within the caller's transaction. Locks are taken in one order by everybody: rows of jobs by id,
 * rows of {@code job_messages} by job, and last the row with the ids of messages.
 */
final class MessageStore {
    // The locks on the jobs, which the foreign key takes anyhow, decide between a job's first message and its end.
    static final String OPEN = StateSql.of("""
            INSERT IGNORE INTO job_messages (job_id, owner_id)
            SELECT j.id, j.owner_id FROM job j WHERE j.id IN (<ids>) AND j.state + 0 IN {NOT_ENDED} ORDER BY j.id
            LOCK IN SHARE MODE
            """);
    // The state by a scalar subquery, which locks nothing.
    static final String LOCK = """
            SELECT m.*, (SELECT j.state FROM job j WHERE j.id = m.job_id) AS state
            FROM job_messages m WHERE m.job_id IN (<ids>) ORDER BY m.job_id FOR UPDATE
            """;
    static final String UPDATE = """
            UPDATE (<rows>) v STRAIGHT_JOIN job_messages m ON m.job_id = v.job_id
            SET m.last_number = v.last_number, m.messages = v.messages, m.message_bytes = v.message_bytes,
              m.output_bytes = v.output_bytes, m.stdout_end = v.stdout_end, m.stderr_end = v.stderr_end, m.dropped = v.dropped,
              m.dropped_bytes = v.dropped_bytes, m.noticed = v.noticed, m.due_at = v.due_at
            """;
    static final List<String> CHANGED = List.of(
            "job_id",
            "last_number",
            "messages",
            "message_bytes",
            "output_bytes",
            "stdout_end",
            "stderr_end",
            "dropped",
            "dropped_bytes",
            "noticed",
            "due_at");
    static final String CLOSE = "UPDATE job_messages SET closed = TRUE, due_at = NULL WHERE job_id IN (<ids>)";
    static final String TAKE_IDS = "UPDATE message_clock SET last = LAST_INSERT_ID(last + :count) WHERE id = 1";
    static final String TAKEN = "SELECT LAST_INSERT_ID()";
    private static final String INSERT =
            "INSERT INTO message (id, job_id, owner_id, kind, number, sent_at, received_at, level, name, content)";
    static final String STORED_OF_OWNERS = """
            SELECT owner_id, SUM(message_bytes + output_bytes) AS bytes FROM job_messages FORCE INDEX (job_messages_owner)
            WHERE owner_id IN (<owners>) GROUP BY owner_id
            """;

    /** Makes the rows of jobs that have not ended; those that are there stay. */
    void open(Handle h, SortedSet<Integer> jobs) {
        for (List<Integer> slice : JobStore.slices(List.copyOf(jobs))) {
            h.createUpdate(OPEN).bindList("ids", InList.of(slice)).execute();
        }
    }

    /** Locks and reads rows; jobs without one are missing. */
    Map<Integer, MessageRecord> lock(Handle h, SortedSet<Integer> jobs) {
        Map<Integer, MessageRecord> records = new HashMap<>();
        for (List<Integer> slice : JobStore.slices(List.copyOf(jobs))) {
            h.createQuery(LOCK)
                    .bindList("ids", InList.of(slice))
                    .map((r, c) -> new MessageRecord(r))
                    .forEach(record -> records.put(record.job(), record));
        }
        return records;
    }

    /**
     * Writes what locked rows have become and the messages they have to be stored, in the order of their jobs. The ids are taken last.
     *
     * @param records of different jobs
     */
    void write(Handle h, Collection<MessageRecord> records) {
        List<Object[]> changes = new ArrayList<>();
        List<MessageRecord.NewMessage> messages = new ArrayList<>();
        TreeSet<Integer> order = new TreeSet<>();
        Map<Integer, MessageRecord> byJob = new HashMap<>();
        records.stream().filter(MessageRecord::isChanged).forEach(record -> {
            order.add(record.job());
            byJob.put(record.job(), record);
        });
        for (int job : order) {
            changes.add(byJob.get(job).values());
            messages.addAll(byJob.get(job).rows());
        }
        ValueRows.update(h, UPDATE, CHANGED, changes);
        insert(h, messages);
    }

    private static void insert(Handle h, List<MessageRecord.NewMessage> messages) {
        if (messages.isEmpty()) {
            return;
        }
        h.createUpdate(TAKE_IDS).bind("count", messages.size()).execute();
        long id = h.createQuery(TAKEN).mapTo(Long.class).one() - messages.size();
        LiteralInsert rows = new LiteralInsert(h, INSERT);
        for (MessageRecord.NewMessage m : messages) {
            rows.row()
                    .number(++id)
                    .number(m.job())
                    .number(m.owner())
                    .number(m.kind().code())
                    .number(m.number())
                    .time(m.sent())
                    .time(m.received())
                    .number(m.level().code())
                    .bytes(m.key() == null ? null : m.key().getBytes(StandardCharsets.UTF_8))
                    .bytes(m.content());
        }
        rows.send();
    }

    /** Nothing more is stored of these jobs. */
    void close(Handle h, Collection<Integer> jobs) {
        if (!jobs.isEmpty()) {
            h.createUpdate(CLOSE).bindList("ids", InList.of(jobs)).execute();
        }
    }

    /** What is stored of owners, in bytes; those of whom nothing is are missing. */
    static Map<Integer, Long> storedOf(Handle h, Collection<Integer> owners) {
        return h.createQuery(STORED_OF_OWNERS)
                .bindList("owners", InList.of(owners))
                .map((r, c) -> Map.entry(r.getInt("owner_id"), r.getLong("bytes")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
    }
}
