package org.gelato.ce.core.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.description.JobLabels;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;

/** Names and labels of jobs. A job without any costs no statement. Any thread. */
public final class LabelStore {
    static final String INSERT =
            "INSERT INTO job_label (job_id, name, owner_id, value) VALUES (:id, :name, :owner, :value)";

    /** By the rarest value first, as the server finds out; the others of the job by its number. */
    static final String FIRST = "SELECT l0.job_id FROM job_label l0";

    static final String FURTHER = " JOIN job_label l%1$d ON l%1$d.job_id = l0.job_id AND l%1$d.name = :name%1$d"
            + " AND l%1$d.value = :value%1$d";
    static final String WHERE = " WHERE l0.owner_id = :owner AND l0.name = :name0 AND l0.value = :value0"
            + " AND l0.job_id > :after ORDER BY l0.job_id LIMIT :limit";
    static final String OF_JOBS =
            "SELECT job_id, name, value FROM job_label WHERE job_id IN (<ids>) ORDER BY job_id, name";

    /** Stands in place of a label's name for the job's own. */
    public static final String JOB_NAME = "";

    private final Database database;
    private final OwnerStore owners;
    private final JobNumbers numbers;

    public LabelStore(Database database, OwnerStore owners, JobNumbers numbers) {
        this.database = database;
        this.owners = owners;
        this.numbers = numbers;
    }

    /**
     * A job and what it is found by.
     *
     * @param row of the job, for the next page
     */
    public record Labelled(JobId job, int row, JobLabels labels) {}

    /**
     * What a new job is found by.
     *
     * @param labels not {@link JobLabels#NONE}
     */
    public record NewLabels(int job, int owner, JobLabels labels) {}

    /** Stores what jobs are found by, in the transaction that inserts them. */
    public static void insert(Handle h, List<NewLabels> labels) {
        if (labels.isEmpty()) {
            return;
        }
        PreparedBatch batch = h.prepareBatch(INSERT);
        labels.forEach(of -> rows(of.labels())
                .forEach((name, value) -> batch.bind("id", of.job())
                        .bind("name", name)
                        .bind("owner", of.owner())
                        .bind("value", value)
                        .add()));
        batch.execute();
    }

    private static Map<String, String> rows(JobLabels labels) {
        Map<String, String> rows = new LinkedHashMap<>(labels.labels());
        if (labels.name() != null) {
            rows.put(JOB_NAME, labels.name());
        }
        return rows;
    }

    /**
     * The jobs of a caller that have a name and labels.
     *
     * @param wanted at least a name or a label
     * @param after row that they come after; 0 for the beginning
     * @return at most {@code limit}, in the order of their registration
     */
    public List<Labelled> find(Caller caller, JobLabels wanted, int after, int limit) {
        int owner = owners.owner(caller.identity());
        List<Map.Entry<String, String>> rows = new ArrayList<>(rows(wanted).entrySet());
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("nothing to find jobs by");
        }
        return database.read(h -> {
            Query query = h.createQuery(statement(rows.size()))
                    .bind("owner", owner)
                    .bind("after", after)
                    .bind("limit", limit);
            for (int i = 0; i < rows.size(); i++) {
                query.bind("name" + i, rows.get(i).getKey())
                        .bind("value" + i, rows.get(i).getValue());
            }
            return labels(h, query.mapTo(Integer.class).list());
        });
    }

    /** The statement that finds jobs by so many values. */
    static String statement(int values) {
        StringBuilder sql = new StringBuilder(FIRST);
        for (int i = 1; i < values; i++) {
            sql.append(String.format(FURTHER, i));
        }
        return sql.append(WHERE).toString();
    }

    private List<Labelled> labels(Handle h, Collection<Integer> ids) {
        List<Labelled> labelled = new ArrayList<>();
        of(h, ids).forEach((id, labels) -> labelled.add(new Labelled(numbers.id(id), id, labels)));
        return labelled;
    }

    /** Names and labels of jobs, in the order of their rows; none of jobs that have none. One statement. */
    public static Map<Integer, JobLabels> of(Handle h, Collection<Integer> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Map<String, String>> found = new TreeMap<>();
        h.createQuery(OF_JOBS)
                .bindList("ids", InList.of(ids))
                .map((r, c) -> found.computeIfAbsent(r.getInt("job_id"), id -> new LinkedHashMap<>())
                        .put(r.getString("name"), r.getString("value")))
                .list();
        Map<Integer, JobLabels> labels = new TreeMap<>();
        found.forEach((id, rows) -> labels.put(id, new JobLabels(rows.remove(JOB_NAME), rows)));
        return labels;
    }
}
