package org.gelato.ce.core.job;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.ValueRows;
import org.jdbi.v3.core.Handle;

/**
 * SQL of usage records. A record is written in the transaction that ends its job and outlives the job's purge. A job ends
 * once, so a repeated insert of the same job is a repeated transaction and changes nothing. What was used is filled in by whom
 * reports it later (the rule is {@link Usage}'s). Stateless; all methods work within the caller's transaction.
 */
public final class UsageRecords {
    // A job that never ran is in no message, number 0: it is not published until somebody has measured how long it
    // ran.
    // The wire's number is computed as in JobNumbers; decimal arithmetic, because the product leaves 64 bits unsigned
    // untouched but 32 bits not.
    static final String INSERT = """
            INSERT IGNORE INTO usage_record (job_number, owner_id, account_id, queue_id, lrms_id, worker_node, state,
              exit_code, registered_at, running_at, ended_at, accounting_group_id, cpu_seconds, wall_seconds, cores,
              peak_memory_kib, usage_sources, message_id, labels)
            SELECT MOD(CAST(j.id AS UNSIGNED) * 618033989 + i.number_offset, 1000000000), j.owner_id, j.account_id,
              j.queue_id, j.lrms_id, j.worker_node, j.state, j.exit_code, j.registered_at, j.running_at, j.ended_at,
              j.accounting_group_id, v.cpu / 1000, v.wall / 1000, v.cores, v.memory, v.source,
              IF(j.running_at IS NULL AND v.wall IS NULL, 0, NULL),
              (SELECT JSON_OBJECTAGG(IF(l.name = '', '=', l.name), l.value) FROM job_label l WHERE l.job_id = j.id)
            FROM (<rows>) v STRAIGHT_JOIN job j ON j.id = v.id STRAIGHT_JOIN db_info i ON i.id = 1
            """;
    static final List<String> ENDED = List.of("id", "cpu", "wall", "cores", "memory", "source");

    // The message comes first and the sources last: in MySQL an assignment sees those before it. A record that changes
    // is
    // unsent again, one that is reported as it stands is not, nor one of a job that still has not run.
    static final String MERGE = """
            UPDATE (<rows>) v STRAIGHT_JOIN usage_record u ON u.job_number = v.number
            SET u.message_id = IF(u.message_id = 0 AND u.running_at IS NULL AND v.wall IS NULL, 0, IF(
                ((v.source = 1 AND u.cpu_seconds IS NOT NULL) OR v.cpu IS NULL OR v.cpu / 1000 <=> u.cpu_seconds)
                  AND ((v.source = 1 AND u.wall_seconds IS NOT NULL) OR v.wall IS NULL OR v.wall / 1000 <=> u.wall_seconds)
                  AND ((v.source = 1 AND u.cores IS NOT NULL) OR v.cores IS NULL OR v.cores <=> u.cores)
                  AND ((v.source = 1 AND u.peak_memory_kib IS NOT NULL) OR v.memory IS NULL OR v.memory <=> u.peak_memory_kib),
                u.message_id, NULL)),
              u.cpu_seconds = IF(v.source = 1, COALESCE(u.cpu_seconds, v.cpu / 1000), COALESCE(v.cpu / 1000, u.cpu_seconds)),
              u.wall_seconds =
                IF(v.source = 1, COALESCE(u.wall_seconds, v.wall / 1000), COALESCE(v.wall / 1000, u.wall_seconds)),
              u.cores = IF(v.source = 1, COALESCE(u.cores, v.cores), COALESCE(v.cores, u.cores)),
              u.peak_memory_kib = IF(v.source = 1, COALESCE(u.peak_memory_kib, v.memory), COALESCE(v.memory, u.peak_memory_kib)),
              u.usage_sources = u.usage_sources | v.source
            WHERE v.lrms_id IS NULL OR u.lrms_id = v.lrms_id
            """;
    static final List<String> MERGED = List.of("number", "lrms_id", "cpu", "wall", "cores", "memory", "source");

    // Sent once more when it was sent. One that is never published stays so.
    static final String CORRECT = """
            UPDATE (<rows>) v STRAIGHT_JOIN job j ON j.id = v.id STRAIGHT_JOIN db_info i ON i.id = 1
              STRAIGHT_JOIN usage_record u
                ON u.job_number = MOD(CAST(j.id AS UNSIGNED) * 618033989 + i.number_offset, 1000000000)
            SET u.state = j.state, u.exit_code = j.exit_code, u.message_id = IF(u.message_id = 0, 0, NULL)
            """;
    static final List<String> CORRECTED = List.of("id");

    static final String OF_JOBS =
            "SELECT job_number FROM usage_record WHERE job_number IN (<numbers>) AND lrms_id IN (<lrmsIds>)";
    static final String EXTEND = """
            UPDATE usage_record SET ended_at = :until
            WHERE job_number IN (<numbers>) AND lrms_id IN (<lrmsIds>) AND ended_at < :until
            """;
    static final String USAGE = """
            SELECT job_number, cpu_seconds, wall_seconds, cores, peak_memory_kib, usage_sources
            FROM usage_record WHERE job_number IN (<numbers>)
            """;

    /**
     * What somebody says that an ended job used.
     *
     * @param lrmsId the batch job it is about; null for whichever the job had
     */
    public record Report(JobId job, String lrmsId, Usage usage) {}

    /**
     * Writes the records of jobs that end in this transaction. One statement for up to a hundred.
     *
     * @param ended rows of the jobs, with what they used; null where it was not reported
     */
    void insert(Handle h, Map<Integer, Usage> ended) {
        List<Object[]> rows = new ArrayList<>();
        ended.forEach((id, usage) -> {
            Object[] row = new Object[ENDED.size()];
            row[0] = id;
            values(usage, row, 1);
            rows.add(row);
        });
        ValueRows.update(h, INSERT, ENDED, rows);
    }

    /** Brings the records of jobs whose ends were corrected to what their rows say. One statement for up to a hundred. */
    void correct(Handle h, Collection<Integer> jobs) {
        ValueRows.update(
                h,
                CORRECT,
                CORRECTED,
                jobs.stream().map(id -> new Object[] {id}).toList());
    }

    /**
     * Fills in what was used by jobs that have ended; jobs without a record are passed over. One statement for up to a hundred.
     *
     * @return how many records there were
     */
    public int merge(Handle h, Collection<Report> reports) {
        List<Object[]> rows = reports.stream()
                .sorted((a, b) ->
                        a.job().compareTo(b.job())) // One order for everybody, so that no two wait for each other.
                .map(report -> {
                    Object[] row = new Object[MERGED.size()];
                    row[0] = report.job().number();
                    row[1] = report.lrmsId();
                    values(report.usage(), row, 2);
                    return row;
                })
                .toList();
        return ValueRows.update(h, MERGE, MERGED, rows);
    }

    private static void values(Usage usage, Object[] row, int from) {
        row[from] = usage == null || usage.cpu() == null ? null : usage.cpu().toMillis();
        row[from + 1] =
                usage == null || usage.wall() == null ? null : usage.wall().toMillis();
        row[from + 2] = usage == null ? null : usage.cores();
        row[from + 3] = usage == null ? null : usage.peakMemoryKib();
        row[from + 4] = usage == null ? 0 : usage.source().code();
    }

    /**
     * What ended jobs used; one statement, none for no jobs.
     *
     * @param jobs at most {@link JobStore#SLICE}
     * @return without those of which nothing is known
     */
    public Map<JobId, Usage> of(Handle h, Collection<JobId> jobs) {
        Map<JobId, Usage> usages = new HashMap<>();
        if (!jobs.isEmpty()) {
            h.createQuery(USAGE)
                    .bindList(
                            "numbers",
                            InList.of(jobs.stream().map(JobId::number).toList()))
                    .map((r, c) -> new Report(new JobId(r.getInt("job_number")), null, usage(r)))
                    .forEach(known -> {
                        if (known.usage() != null) {
                            usages.put(known.job(), known.usage());
                        }
                    });
        }
        return usages;
    }

    private static Usage usage(ResultSet r) throws SQLException {
        int source = r.getInt("usage_sources");
        return source == 0
                ? null
                : new Usage(
                                time(r, "cpu_seconds"),
                                time(r, "wall_seconds"),
                                r.getObject("cores", Integer.class),
                                r.getObject("peak_memory_kib", Long.class),
                                Usage.Source.ofCode(source))
                        .orNull();
    }

    private static Duration time(ResultSet r, String column) throws SQLException {
        BigDecimal seconds = r.getBigDecimal(column);
        return seconds == null
                ? null
                : Duration.ofMillis(seconds.movePointRight(3).longValue());
    }

    /**
     * Moves the end of usage records to a later time: these jobs ended and their batch jobs run on.
     *
     * @param batchJobs LRMS id of each
     * @return those that have a record of that batch job
     */
    public List<JobId> usedUntil(Handle h, Map<JobId, String> batchJobs, Instant until) {
        List<JobId> found = new ArrayList<>();
        for (List<JobId> slice : JobStore.slices(List.copyOf(batchJobs.keySet()))) {
            List<Integer> numbers = InList.of(slice.stream().map(JobId::number).toList());
            List<String> lrmsIds = InList.of(slice.stream().map(batchJobs::get).toList());
            List<JobId> ended = ofJobs(h, numbers, lrmsIds);
            if (!ended.isEmpty()) {
                h.createUpdate(EXTEND)
                        .bindList("numbers", numbers)
                        .bindList("lrmsIds", lrmsIds)
                        .bind("until", until)
                        .execute();
            }
            found.addAll(ended);
        }
        return found;
    }

    /**
     * Those of these jobs that have ended: they have a record of that batch job.
     *
     * @param batchJobs LRMS id of each
     */
    public List<JobId> ended(Handle h, Map<JobId, String> batchJobs) {
        List<JobId> found = new ArrayList<>();
        for (List<JobId> slice : JobStore.slices(List.copyOf(batchJobs.keySet()))) {
            found.addAll(ofJobs(
                    h,
                    InList.of(slice.stream().map(JobId::number).toList()),
                    InList.of(slice.stream().map(batchJobs::get).toList())));
        }
        return found;
    }

    private static List<JobId> ofJobs(Handle h, List<Integer> numbers, List<String> lrmsIds) {
        return h
                .createQuery(OF_JOBS)
                .bindList("numbers", numbers)
                .bindList("lrmsIds", lrmsIds)
                .mapTo(Integer.class)
                .list()
                .stream()
                .map(JobId::new)
                .toList();
    }
}
