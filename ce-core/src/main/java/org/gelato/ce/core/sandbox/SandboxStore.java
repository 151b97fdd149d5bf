package org.gelato.ce.core.sandbox;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobStore;

/**
 * Where the files of stored jobs are, and the LRMS id that a claim reported. Each method is a read or a transaction of
 * its own.
 */
public final class SandboxStore {
    static final String PLACES = """
            SELECT j.id, a.name AS account, s.dn, o.fqan, o.vo
            FROM job j JOIN account a ON a.id = j.account_id JOIN owner o ON o.id = j.owner_id
              JOIN subject s ON s.id = o.subject_id
            WHERE j.id IN (<ids>)
            """;
    /** A job whose hand-over nobody has seen is taken to be handed over when its state began. */
    static final String ADOPT = "UPDATE job SET lrms_id = :lrmsId, hand_over = 2,"
            + " handed_over_at = COALESCE(handed_over_at, state_since) WHERE id = :id";

    static final String HOMES = """
            SELECT DISTINCT a.name AS account, o.vo, s.dn, o.fqan
            FROM (SELECT DISTINCT owner_id, account_id FROM usage_record
              UNION SELECT DISTINCT owner_id, account_id FROM job) u
              JOIN account a ON a.id = u.account_id JOIN owner o ON o.id = u.owner_id
              JOIN subject s ON s.id = o.subject_id
            """;

    private static final String ACCOUNT = "SELECT name FROM account WHERE id = ?";

    private final Map<Integer, String> accounts = new ConcurrentHashMap<>();
    private final Database database;
    private final JobNumbers numbers;
    private final SandboxLayout layout;

    /** Where a job's files are, and whose they are on this host. */
    public record Place(JobId id, String account, Path sandbox) {}

    /** An owner's home under one account. */
    public record Home(String account, Path directory) {}

    public SandboxStore(Database database, JobNumbers numbers, SandboxLayout layout) {
        this.database = database;
        this.numbers = numbers;
        this.layout = layout;
    }

    /** The id of a row, which may not exist. */
    public JobId id(int row) {
        return numbers.id(row);
    }

    /** The row of an id, which may not exist. */
    public int row(JobId id) {
        return numbers.row(id);
    }

    /** The name of an account, which never changes; its row must exist. */
    public String account(int row) {
        return accounts.computeIfAbsent(
                row,
                id -> database.read(
                        h -> h.select(ACCOUNT, id).mapTo(String.class).one()));
    }

    /** Places by row number; rows that are gone are missing. */
    public Map<Integer, Place> of(Collection<Integer> rows) {
        Map<Integer, Place> places = new HashMap<>();
        List<Integer> ids = List.copyOf(new TreeSet<>(rows));
        for (List<Integer> slice : JobStore.slices(ids)) {
            database.read(h -> h.createQuery(PLACES)
                            .bindList("ids", InList.of(slice))
                            .map((r, c) -> Map.entry(
                                    r.getInt("id"), place(r.getInt("id"), r.getString("account"), Owner.of(r))))
                            .list())
                    .forEach(e -> places.put(e.getKey(), e.getValue()));
        }
        return places;
    }

    /** Every home that ever held a sandbox: for cleaning up after a crash. */
    public Set<Home> homes() {
        return Set.copyOf(database.read(h -> h.createQuery(HOMES)
                .map((r, c) -> new Home(r.getString("account"), layout.home(Owner.of(r), r.getString("account"))))
                .list()));
    }

    /** Stores the batch job that really runs a job; false when the database does not take its id, or not now. */
    public boolean adopt(int row, String lrmsId) {
        boolean[] stored = {true};
        boolean held = !database.batches()
                .write(
                        List.of(row),
                        rows -> database.inTransaction(h -> h.createUpdate(ADOPT)
                                .bind("id", row)
                                .bind("lrmsId", lrmsId)
                                .execute()),
                        job -> "the batch system's id of " + id(job),
                        (job, reason) -> stored[0] = false)
                .members()
                .isEmpty();
        return stored[0] && !held;
    }

    private Place place(int row, String account, Owner owner) {
        JobId id = numbers.id(row);
        return new Place(id, account, layout.sandbox(layout.home(owner, account), id));
    }
}
