package org.gelato.ce.core.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.SliceWeight;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * SQL of the event stream, which is the table of state changes read by id. Indexes are named, because a server may think
 * little of sorting or of skipping the events of others, which are without bound.
 */
final class EventStore {
    /** Ids above a given one. */
    static final String AFTER =
            "SELECT id FROM job_state_history FORCE INDEX (PRIMARY) WHERE id > :after ORDER BY id LIMIT :count";

    static final String LAST = "SELECT id FROM job_state_history FORCE INDEX (PRIMARY) ORDER BY id DESC LIMIT 1";
    /** Ids of an owner. */
    static final String OF_OWNER = """
            SELECT id FROM job_state_history FORCE INDEX (job_state_history_owner)
            WHERE owner_id = :owner AND id BETWEEN :from AND :to ORDER BY id LIMIT :count
            """;
    /** Ids of an owner's changes to one state. */
    static final String OF_STATE = """
            SELECT id FROM job_state_history FORCE INDEX (job_state_history_state)
            WHERE owner_id = :owner AND state = <state> AND id BETWEEN :from AND :to ORDER BY id LIMIT :count
            """;

    /** Ids of all owners. */
    static final String OF_ALL = """
            SELECT id FROM job_state_history FORCE INDEX (PRIMARY)
            WHERE id BETWEEN :from AND :to ORDER BY id LIMIT :count
            """;
    /** Who has events in a range of ids. */
    static final String OWNERS = """
            SELECT DISTINCT owner_id FROM job_state_history FORCE INDEX (PRIMARY) WHERE id BETWEEN :from AND :to
            """;

    private static final String OWNED = """
            SELECT STRAIGHT_JOIN h.id, h.job_id, h.state, h.at, h.exit_code, h.failure_reason, h.description,
              j.worker_node, t.grid_job_id, NULL AS ice, s.dn, o.vo
            FROM (<ids>) e JOIN job_state_history h ON h.id = e.id JOIN job j ON j.id = h.job_id
              JOIN job_text t ON t.job_id = j.id JOIN owner o ON o.id = h.owner_id JOIN subject s ON s.id = o.subject_id
            ORDER BY h.id
            """;
    private static final String EVENTS = """
            SELECT STRAIGHT_JOIN h.id, h.job_id, h.state, h.at, h.exit_code, h.failure_reason, h.description,
              j.worker_node, t.grid_job_id, i.name AS ice
            FROM (<ids>) e JOIN job_state_history h ON h.id = e.id JOIN job j ON j.id = h.job_id
              JOIN job_text t ON t.job_id = j.id LEFT JOIN ice i ON i.id = j.ice_id
            ORDER BY h.id
            """;

    // A writer that hangs holds up the writers behind the waiting fence for this long at the most. The engine's own
    // table
    // lock proves nothing more, and would be waited for while the fence already stops everybody.
    private static final String CAREFUL = "SET SESSION lock_wait_timeout = 1, innodb_table_locks = OFF";
    // The bounds of a session are one for rows and tables.
    private static final String USUAL =
            "SET SESSION lock_wait_timeout = @@SESSION.innodb_lock_wait_timeout, innodb_table_locks = DEFAULT";
    private static final String FENCE = "LOCK TABLES job_state_history READ";
    private static final String STRICT_FENCE = "LOCK TABLES job_state_history WRITE";
    private static final String OPEN = "UNLOCK TABLES";

    private final JobNumbers numbers;

    EventStore(JobNumbers numbers) {
        this.numbers = numbers;
    }

    /** An event with the name of the WMS instance that registered its job, or null. */
    record Row(JobEvent event, String ice) {}

    /** Events that were read, of which those that match are kept. For one read. */
    static final class Window {
        private final Predicate<Row> matching;
        private final int wanted;
        private final SliceWeight weight;
        private final List<JobEvent> events = new ArrayList<>();
        private int read;
        private long last;

        /**
         * @param wanted events kept at most
         * @param bounded whether it can be made smaller
         */
        Window(Predicate<Row> matching, int wanted, boolean bounded) {
            this.matching = matching;
            this.wanted = wanted;
            weight = new SliceWeight(bounded);
        }

        private void add(Row row) {
            read++;
            last = row.event().id();
            if (events.size() < wanted && matching.test(row)) {
                JobEvent event = row.event();
                weight.row(
                        event.gridJobId(),
                        event.workerNode(),
                        event.status().exitCode(),
                        event.status().failureReason(),
                        event.status().description());
                events.add(event);
            }
        }

        /** Those kept, by id. */
        List<JobEvent> events() {
            return events;
        }

        /** How many were read. */
        int read() {
            return read;
        }

        /** The id of the last one read. */
        long last() {
            return last;
        }
    }

    /** When the database was made. */
    static Instant databaseMade(Handle h) {
        return h.select("SELECT created_at FROM db_info WHERE id = 1")
                .map((r, c) -> r.getTimestamp(1).toInstant())
                .one();
    }

    /** What the server adds from one id to the next. */
    static long step(Handle h) {
        return h.select("SELECT @@SESSION.auto_increment_increment")
                .mapTo(Long.class)
                .one();
    }

    /** The next committed ids in order. */
    List<Long> after(Handle h, long id, int count) {
        return h.createQuery(AFTER)
                .bind("after", id)
                .bind("count", count)
                .mapTo(Long.class)
                .list();
    }

    /**
     * Waits until no transaction is open that wrote events, and reads the largest id in that moment, or 0. Uses the handle outside of
     * any transaction.
     *
     * @param insist see {@link EventIds#last}
     * @throws org.jdbi.v3.core.JdbiException with the server's code 1205 when a writer did not end within a second
     */
    long lastBehindFence(Handle h, boolean insist) {
        h.execute(CAREFUL);
        try {
            h.execute(insist ? STRICT_FENCE : FENCE);
            try {
                return h.createQuery(LAST).mapTo(Long.class).findOne().orElse(0L);
            } finally {
                h.execute(OPEN);
            }
        } finally {
            h.execute(USUAL);
        }
    }

    /**
     * The first events of an owner in a range of ids.
     *
     * @param states empty for any
     * @param window what they are put in
     * @throws SliceWeight.TooHeavy when those the window keeps weigh too much
     */
    void events(Handle h, int owner, long from, long to, Collection<JobState> states, int count, Window window) {
        Query query = h.createQuery(EVENTS.replace("<ids>", ids(states)));
        query.setFetchSize(SliceWeight.ROW_BY_ROW)
                .bind("owner", owner)
                .bind("from", from)
                .bind("to", to)
                .bind("count", count)
                .map((r, c) -> row(r))
                .forEach(window::add);
    }

    /**
     * The first events in a range of ids, with their owners.
     *
     * @param owner {@link EventFeed#ALL_OWNERS} for all
     */
    List<OwnedEvent> owned(Handle h, int owner, long from, long to, int count) {
        boolean all = owner == EventFeed.ALL_OWNERS;
        Query query = h.createQuery(OWNED.replace("<ids>", all ? OF_ALL : OF_OWNER))
                .bind("from", from)
                .bind("to", to)
                .bind("count", count);
        if (!all) {
            query.bind("owner", owner);
        }
        return query.map((r, c) -> new OwnedEvent(row(r).event(), r.getString("dn"), r.getString("vo")))
                .list();
    }

    /** The owners with events in a range of ids. */
    Set<Integer> owners(Handle h, long from, long to) {
        return h.createQuery(OWNERS)
                .bind("from", from)
                .bind("to", to)
                .mapTo(Integer.class)
                .set();
    }

    private static String ids(Collection<JobState> states) {
        if (states.isEmpty()) {
            return OF_OWNER;
        }
        return states.stream()
                        .map(state -> "(" + OF_STATE.replace("<state>", String.valueOf(state.code())) + ")")
                        .collect(Collectors.joining(" UNION ALL "))
                + (states.size() == 1 ? "" : " ORDER BY id LIMIT :count");
    }

    private Row row(ResultSet r) throws SQLException {
        return new Row(
                new JobEvent(
                        r.getLong("id"),
                        numbers.id(r.getInt("job_id")),
                        new JobStatus(
                                JobState.ofCode(r.getInt("state")),
                                r.getTimestamp("at").toInstant(),
                                r.getString("exit_code"),
                                r.getString("failure_reason"),
                                r.getString("description")),
                        r.getString("grid_job_id"),
                        r.getString("worker_node")),
                r.getString("ice"));
    }
}
