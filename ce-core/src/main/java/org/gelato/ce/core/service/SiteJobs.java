package org.gelato.ce.core.service;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.SiteJobRow;
import org.gelato.ce.json.SiteJob;
import org.jdbi.v3.core.Handle;
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
    static final String OF_WINDOW = "SELECT STRAIGHT_JOIN " + SiteJobRow.COLUMNS + " FROM " + SiteJobRow.TABLES
            + " WHERE j.id > :after AND j.id <= :last";

    private final Database database;
    private final JobNumbers numbers;

    /**
     * Which jobs; null for any, and all criteria hold.
     *
     * @param dn RFC 2253
     * @param states never null; empty for any
     * @param registeredBefore exclusive
     * @param lrmsId as the batch system writes it, or its part before the first dot
     * @param at a moment between registration and end, both included
     */
    // The database knows no times after the year 9999.
    public record Filter(
            String dn,
            String vo,
            String account,
            Set<JobState> states,
            String queue,
            Instant registeredBefore,
            String lrmsId,
            Instant at) {
        public static final Filter ANY = new Filter(null, null, null, Set.of(), null, null, null, null);

        private Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("dn", dn);
            values.put("vo", vo);
            values.put("account", account);
            values.put("queue", queue);
            values.put("before", registeredBefore);
            values.put("lrmsId", lrmsId);
            values.put("at", at);
            values.put(
                    "states",
                    states.isEmpty()
                            ? null
                            : InList.of(states.stream().map(JobState::code).toList()));
            values.values().removeIf(Objects::isNull);
            return values;
        }
    }

    /** By the names of what they are about. */
    private static final Map<String, String> CRITERIA = Map.of(
            "dn", "s.dn = :dn",
            "vo", "o.vo = :vo",
            "account", "a.name = :account",
            "queue", "q.name = :queue",
            "before", "j.registered_at < :before",
            "lrmsId", "(j.lrms_id = :lrmsId OR SUBSTRING_INDEX(j.lrms_id, '.', 1) = :lrmsId)",
            "at", "j.registered_at <= :at AND (j.ended_at IS NULL OR j.ended_at >= :at)",
            "states", "j.state IN (<states>)");

    private record Window(int last, int jobs) {}

    public SiteJobs(Database database, JobNumbers numbers) {
        this.database = database;
        this.numbers = numbers;
    }

    /** @param after 0 for the first page, {@link SiteJob.Page#next} of the page before otherwise */
    public SiteJob.Page page(Filter filter, int after) {
        return database.read(h -> {
            Window window = h.createQuery(LAST_OF_WINDOW)
                    .bind("after", after)
                    .bind("window", WINDOW)
                    .map((row, context) -> new Window(row.getInt("last"), row.getInt("jobs")))
                    .one();
            if (window.jobs() == 0) {
                return new SiteJob.Page(List.of(), null);
            }
            return new SiteJob.Page(
                    read(h, filter, after, window.last()), window.jobs() < WINDOW ? null : Long.valueOf(window.last()));
        });
    }

    /** One job, whoever's it is; empty when the database has none of that id. */
    public Optional<SiteJob> job(JobId id) {
        int row = numbers.row(id);
        return database.read(h -> read(h, Filter.ANY, row - 1, row)).stream().findFirst();
    }

    private List<SiteJob> read(Handle h, Filter filter, int after, int last) {
        Map<String, Object> values = filter.values();
        Query query = h.createQuery(OF_WINDOW
                        + values.keySet().stream()
                                .map(name -> " AND " + CRITERIA.get(name))
                                .collect(Collectors.joining())
                        + " ORDER BY j.id")
                .bind("after", after)
                .bind("last", last);
        values.forEach((name, value) -> {
            if (value instanceof List<?> list) {
                query.bindList(name, list);
            } else {
                query.bind(name, value);
            }
        });
        return query.map((row, context) -> SiteJobRow.of(row, numbers)).list();
    }
}
