package org.gelato.ce.core.service;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.jdbi.v3.core.statement.Query;

/**
 * The stored jobs of all users, for administrators. A page costs two statements and reads at most {@value #WINDOW} jobs, whatever
 * is stored and whatever of it is chosen. Reads only; for any thread.
 */
public final class SiteJobs {
    /** Jobs read for a page; the page holds those of them that are chosen. */
    static final int WINDOW = 2000;

    static final String LAST_OF_WINDOW = """
            SELECT MAX(w.id) AS last, COUNT(*) AS jobs
            FROM (SELECT id FROM job WHERE id > :after ORDER BY id LIMIT :window) w
            """;
    // The window comes first and each job finds what belongs to it by key, whatever the optimizer thinks of the filter.
    static final String OF_WINDOW = """
            SELECT STRAIGHT_JOIN j.id, s.dn, o.fqan, o.vo, a.name AS account, j.state, j.state_since, j.registered_at, q.lrms, q.name AS queue,
              j.lrms_id, j.worker_node
            FROM job j JOIN owner o FORCE INDEX (PRIMARY) ON o.id = j.owner_id
              JOIN subject s FORCE INDEX (PRIMARY) ON s.id = o.subject_id
              JOIN account a FORCE INDEX (PRIMARY) ON a.id = j.account_id
              JOIN queue q FORCE INDEX (PRIMARY) ON q.id = j.queue_id
            WHERE j.id > :after AND j.id <= :last
            """;

    private final Database database;
    private final JobNumbers numbers;

    /**
     * Which jobs; null for any, and all criteria hold.
     *
     * @param dn RFC 2253
     * @param states never null; empty for any
     * @param registeredBefore exclusive; at most the last moment of the year 9999, which the database knows
     */
    public record Filter(
            String dn, String vo, String account, Set<JobState> states, String queue, Instant registeredBefore) {}

    /**
     * A job.
     *
     * @param dn of its owner, RFC 2253
     * @param fqan empty for none
     * @param vo null for none
     * @param since when the state began
     * @param lrmsId null before it is in the batch system
     * @param node null before it is known
     */
    public record Job(
            JobId id,
            String dn,
            String fqan,
            String vo,
            String account,
            JobState state,
            Instant since,
            Instant registered,
            String lrms,
            String queue,
            String lrmsId,
            String node) {}

    /**
     * Some jobs, oldest first.
     *
     * @param jobs may be empty though more follow
     * @param next where the next page begins; null after the last
     */
    public record Page(List<Job> jobs, Integer next) {}

    private record Window(int last, int jobs) {}

    public SiteJobs(Database database, JobNumbers numbers) {
        this.database = database;
        this.numbers = numbers;
    }

    /** @param after 0 for the first page, {@link Page#next} of the page before otherwise */
    public Page page(Filter filter, int after) {
        return database.read(h -> {
            Window window = h.createQuery(LAST_OF_WINDOW)
                    .bind("after", after)
                    .bind("window", WINDOW)
                    .map((row, context) -> new Window(row.getInt("last"), row.getInt("jobs")))
                    .one();
            if (window.jobs() == 0) {
                return new Page(List.of(), null);
            }
            List<String> criteria = criteria(filter);
            Query query = h.createQuery(OF_WINDOW + String.join("", criteria) + " ORDER BY j.id")
                    .bind("after", after)
                    .bind("last", window.last());
            bind(query, filter);
            List<Job> jobs = query.map((row, context) -> job(row)).list();
            return new Page(jobs, window.jobs() < WINDOW ? null : window.last());
        });
    }

    private static List<String> criteria(Filter filter) {
        List<String> criteria = new ArrayList<>();
        if (filter.dn() != null) {
            criteria.add(" AND s.dn = :dn");
        }
        if (filter.vo() != null) {
            criteria.add(" AND o.vo = :vo");
        }
        if (filter.account() != null) {
            criteria.add(" AND a.name = :account");
        }
        if (filter.queue() != null) {
            criteria.add(" AND q.name = :queue");
        }
        if (filter.registeredBefore() != null) {
            criteria.add(" AND j.registered_at < :before");
        }
        if (!filter.states().isEmpty()) {
            criteria.add(" AND j.state IN (<states>)");
        }
        return criteria;
    }

    private static void bind(Query query, Filter filter) {
        if (filter.dn() != null) {
            query.bind("dn", filter.dn());
        }
        if (filter.vo() != null) {
            query.bind("vo", filter.vo());
        }
        if (filter.account() != null) {
            query.bind("account", filter.account());
        }
        if (filter.queue() != null) {
            query.bind("queue", filter.queue());
        }
        if (filter.registeredBefore() != null) {
            query.bind("before", SqlTime.of(filter.registeredBefore()));
        }
        if (!filter.states().isEmpty()) {
            query.bindList(
                    "states",
                    InList.of(filter.states().stream().map(JobState::code).toList()));
        }
    }

    private Job job(ResultSet row) throws SQLException {
        return new Job(
                numbers.id(row.getInt("id")),
                row.getString("dn"),
                row.getString("fqan"),
                row.getString("vo"),
                row.getString("account"),
                JobState.ofCode(row.getInt("state")),
                SqlTime.get(row, "state_since"),
                SqlTime.get(row, "registered_at"),
                row.getString("lrms"),
                row.getString("queue"),
                row.getString("lrms_id"),
                row.getString("worker_node"));
    }
}
