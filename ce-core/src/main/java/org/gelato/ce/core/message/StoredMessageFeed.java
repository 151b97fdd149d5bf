package org.gelato.ce.core.message;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads stored messages. Ids become visible in their order, because who stores takes them last and holds them until the commit
 * (docs/developer/decisions/0013): what is read up to {@link #last()} is all there ever will be. Indexes are named, because the messages of others
 * are without bound.
 */
public final class StoredMessageFeed implements MessageFeed {
    /** Owners of a VO each of whose messages are sought by themselves; with more, those of all others are passed over on the way. */
    static final int OWNERS_OF_VO = 200;

    static final String LAST = "SELECT last FROM message_clock WHERE id = 1";
    static final String OWNERS = """
            SELECT DISTINCT owner_id FROM message FORCE INDEX (PRIMARY) WHERE id > :after AND id <= :to
            """;
    static final String OWNERS_OF = "SELECT id FROM owner WHERE vo = :vo LIMIT :most";
    static final String LATEST = """
            SELECT m.id, m.job_id, m.owner_id, m.kind, m.number, m.sent_at, m.received_at, m.level, m.name, m.content
            FROM (SELECT MAX(id) AS id FROM message FORCE INDEX (message_job) WHERE job_id = :job AND kind = 0 GROUP BY name) l
              STRAIGHT_JOIN message m ON m.id = l.id ORDER BY m.id
            """;
    static final String BEFORE = """
            SELECT STRAIGHT_JOIN m.id, m.job_id, m.owner_id, m.kind, m.number, m.sent_at, m.received_at, m.level, m.name, m.content
            FROM (SELECT id FROM message FORCE INDEX (message_job) WHERE job_id = :job AND id < :before ORDER BY id DESC LIMIT :most) w
              JOIN message m ON m.id = w.id ORDER BY m.id DESC
            """;
    static final String STANDING = """
            SELECT j.id, j.owner_id, j.state, j.exit_code, j.failure_reason, m.closed
            FROM job j LEFT JOIN job_messages m ON m.job_id = j.id WHERE j.id IN (<ids>)
            """;
    /** A job that began to send before it ended stays as it is; the wrapper is notified where it sees the sandbox. */
    static final String WANT = StateSql.of("""
            INSERT INTO job_messages (job_id, owner_id, live, due_at)
            SELECT j.id, j.owner_id, :live, :due FROM job j WHERE j.id = :job AND j.state + 0 IN {NOT_ENDED}
            LOCK IN SHARE MODE
            ON DUPLICATE KEY UPDATE
              job_messages.due_at = IF(job_messages.live = 0, COALESCE(VALUES(due_at), job_messages.due_at), job_messages.due_at),
              job_messages.live = GREATEST(job_messages.live, VALUES(live))
            """);

    private static final String WINDOW = "id > :after AND id <= :to ORDER BY id LIMIT :most";
    private static final String IDS_OF_ALL = "SELECT id FROM message FORCE INDEX (PRIMARY) WHERE " + WINDOW;
    private static final String IDS_OF_JOB =
            "SELECT id FROM message FORCE INDEX (message_job) WHERE job_id = <value> AND " + WINDOW;
    private static final String IDS_OF_OWNER =
            "SELECT id FROM message FORCE INDEX (message_owner) WHERE owner_id = <value> AND " + WINDOW;
    private static final String IDS_OF_VO = """
            SELECT v.id FROM message v FORCE INDEX (PRIMARY) STRAIGHT_JOIN owner o ON o.id = v.owner_id
            WHERE o.vo = :vo AND v.id > :after AND v.id <= :to ORDER BY v.id LIMIT :most
            """;
    private static final String MESSAGES = """
            SELECT STRAIGHT_JOIN m.id, m.job_id, m.owner_id, m.kind, m.number, m.sent_at, m.received_at, m.level, m.name, m.content
            FROM (<messages>) w JOIN message m ON m.id = w.id ORDER BY m.id
            """;

    private final Database database;
    private final OwnerStore owners;
    private final JobNumbers numbers;
    private final boolean notifiesByFile;
    private final KnownRows known;
    private final DueSignal due;
    private final Clock clock;
    private final Instant databaseMade;

    /**
     * @param notifiesByFile whether a file in its sandbox notifies a wrapper that its output is wanted; otherwise a response does
     * @param due is raised when one is to be notified
     */
    public StoredMessageFeed(
            Database database,
            OwnerStore owners,
            JobNumbers numbers,
            boolean notifiesByFile,
            KnownRows known,
            DueSignal due,
            Clock clock) {
        this.database = database;
        this.owners = owners;
        this.numbers = numbers;
        this.notifiesByFile = notifiesByFile;
        this.known = known;
        this.due = due;
        this.clock = clock;
        this.databaseMade = database.read(h -> h.select("SELECT created_at FROM db_info WHERE id = 1")
                .map((r, c) -> SqlTime.get(r, 1))
                .one());
    }

    @Override
    public int owner(Caller caller) {
        return owners.owner(caller.identity());
    }

    @Override
    public Instant databaseMade() {
        return databaseMade;
    }

    @Override
    public long last() {
        return database.read(h -> h.createQuery(LAST).mapTo(Long.class).one());
    }

    @Override
    public Set<Integer> ownersBetween(long after, long to) {
        return database.read(h -> h.createQuery(OWNERS)
                .bind("after", after)
                .bind("to", to)
                .mapTo(Integer.class)
                .set());
    }

    @Override
    public List<Message> after(Scope scope, long after, long to, int most) {
        return database.read(h -> {
            String ids = ids(h, scope);
            if (ids.isEmpty()) {
                return List.of();
            }
            Query query = h.createQuery(MESSAGES.replace("<messages>", ids))
                    .bind("after", after)
                    .bind("to", to)
                    .bind("most", most);
            if (ids.equals(IDS_OF_VO)) {
                query.bind("vo", ((Scope.Vo) scope).name());
            }
            return query.map((r, c) -> message(r)).list();
        });
    }

    /** The statement that finds the ids; empty when there can be none. */
    private String ids(Handle h, Scope scope) {
        if (scope instanceof Scope.Jobs jobs) {
            return each(IDS_OF_JOB, jobs.jobs().stream().map(numbers::row).toList());
        } else if (scope instanceof Scope.Owner owner) {
            return each(IDS_OF_OWNER, List.of(owner.id()));
        } else if (scope instanceof Scope.Vo vo) {
            List<Integer> members = h.createQuery(OWNERS_OF)
                    .bind("vo", vo.name())
                    .bind("most", OWNERS_OF_VO + 1)
                    .mapTo(Integer.class)
                    .list();
            return members.size() > OWNERS_OF_VO ? IDS_OF_VO : each(IDS_OF_OWNER, members);
        }
        return IDS_OF_ALL;
    }

    /** The first ids of each value by its own part of an index, and of these the first. */
    private static String each(String sql, Collection<Integer> values) {
        if (values.size() == 1) {
            return sql.replace("<value>", values.iterator().next().toString());
        }
        return values.isEmpty()
                ? ""
                : values.stream()
                                .map(value -> "(" + sql.replace("<value>", value.toString()) + ")")
                                .collect(Collectors.joining(" UNION ALL "))
                        + " ORDER BY id LIMIT :most";
    }

    @Override
    public List<Message> before(JobId job, long before, int most) {
        return database.read(h -> h.createQuery(BEFORE)
                .bind("job", numbers.row(job))
                .bind("before", before)
                .bind("most", most)
                .map((r, c) -> message(r))
                .list());
    }

    @Override
    public List<Message> latest(JobId job) {
        return database.read(h -> h.createQuery(LATEST)
                .bind("job", numbers.row(job))
                .map((r, c) -> message(r))
                .list());
    }

    @Override
    public Map<JobId, Standing> standing(Collection<JobId> jobs) {
        if (jobs.isEmpty()) {
            return Map.of();
        }
        List<Integer> rows = jobs.stream().map(numbers::row).toList();
        return database.read(h -> h.createQuery(STANDING)
                .bindList("ids", InList.of(rows))
                .map((r, c) -> Map.entry(numbers.id(r.getInt("id")), standing(r)))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Standing standing(ResultSet r) throws SQLException {
        JobState state = JobState.ofCode(r.getInt("state"));
        boolean closed = r.getBoolean("closed") || r.wasNull(); // a job without a row has sent nothing
        return new Standing(
                r.getInt("owner_id"),
                state,
                r.getString("exit_code"),
                r.getString("failure_reason"),
                state.isFinal() && closed);
    }

    @Override
    public boolean wantOutput(JobId job) {
        boolean wanted = database.inTransaction(h -> h.createUpdate(WANT)
                        .bind("job", numbers.row(job))
                        .bind("live", notifiesByFile ? 1 : 2)
                        .bind("due", notifiesByFile ? clock.instant() : null)
                        .execute())
                > 0;
        if (wanted) {
            known.addAll(List.of(numbers.row(job)));
            due.raise();
        }
        return wanted;
    }

    private Message message(ResultSet r) throws SQLException {
        return new Message(
                r.getLong(1),
                numbers.id(r.getInt(2)),
                r.getInt(3),
                Message.Kind.ofCode(r.getInt(4)),
                r.getLong(5),
                SqlTime.get(r, 6),
                SqlTime.get(r, 7),
                MessageLevel.ofCode(r.getInt(8)),
                r.getString(9),
                r.getBytes(10));
    }
}
