package org.gelato.ce.core.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.identity.Owner;
import org.jdbi.v3.core.Handle;

/**
 * Reports jobs that ended, after the commit of their end and by the thread that committed: each end once, on the node that
 * stored it. What a kill between commit and report takes is not reported again. Names of owners and accounts never change, so
 * they are read once; a job costs no statement. Thread-safe.
 */
public final class JobEnds {
    /** Reports nothing, and reads nothing for it. */
    public static final JobEnds NONE = new JobEnds(null);

    static final String OWNERS = "SELECT o.id, " + Owner.COLUMNS
            + " FROM owner o STRAIGHT_JOIN subject s ON s.id = o.subject_id WHERE o.id IN (<ids>)";
    static final String ACCOUNTS = "SELECT a.id, a.name FROM account a FORCE INDEX (PRIMARY) WHERE a.id IN (<ids>)";

    private final Consumer<List<End>> listener;
    private final ByteBoundedCache<Integer, Owner> knownOwners = new ByteBoundedCache<>(
            CacheShare.NAMES,
            (id, o) -> ByteBoundedCache.weight(o.subject())
                    + ByteBoundedCache.weight(o.group())
                    + ByteBoundedCache.weight(o.vo()));
    private final ByteBoundedCache<Integer, String> knownAccounts =
            new ByteBoundedCache<>(CacheShare.ACCOUNTS, (id, name) -> ByteBoundedCache.weight(name));

    /**
     * A job that ended.
     *
     * @param row of the job
     * @param state a final one
     * @param at when it ended
     * @param lrmsId null for a job that never was in the batch system
     * @param exitCode null when there is none
     * @param reason of a failure, or the description of a cancel; null without one
     */
    public record End(
            int row,
            JobState state,
            Instant at,
            Owner owner,
            String account,
            String lrmsId,
            String exitCode,
            String reason) {}

    /** @param listener must neither block for long nor throw */
    public JobEnds(Consumer<List<End>> listener) {
        this.listener = listener;
    }

    /** What is reported of these changes once they are committed. */
    List<End> read(Handle h, Collection<JobStore.Stored> changes) {
        if (listener == null || changes.stream().noneMatch(JobEnds::isEnd)) {
            return List.of();
        }
        Map<Integer, Owner> owners =
                known(h, changes, s -> s.job().registration().ownerId(), knownOwners, OWNERS, Owner::of);
        Map<Integer, String> accounts = known(
                h, changes, s -> s.job().registration().accountId(), knownAccounts, ACCOUNTS, r -> r.getString("name"));
        Map<Integer, String> lrmsIds = new HashMap<>();
        List<End> ends = new ArrayList<>();
        for (JobStore.Stored s : changes) {
            String lrmsId = s.job().lrmsId() == null ? s.lrmsId() : s.job().lrmsId();
            if (lrmsId != null) {
                lrmsIds.putIfAbsent(s.job().id(), lrmsId);
            }
            if (isEnd(s)) {
                ends.add(end(
                        s,
                        owners.get(s.job().registration().ownerId()),
                        accounts.get(s.job().registration().accountId()),
                        lrmsIds.get(s.job().id())));
            }
        }
        return ends;
    }

    private static boolean isEnd(JobStore.Stored s) {
        return s.change().state().isFinal() && !s.change().update();
    }

    private static End end(JobStore.Stored s, Owner owner, String account, String lrmsId) {
        JobStateMachine.Change c = s.change();
        return new End(
                s.job().id(),
                c.state(),
                c.at(),
                owner,
                account,
                lrmsId,
                c.exitCode(),
                c.failureReason() == null ? c.description() : c.failureReason());
    }

    @FunctionalInterface
    private interface Column<T> {
        T of(ResultSet row) throws SQLException;
    }

    /** What belongs to the ends among these changes, by its row: from memory, the rest in one statement. */
    private static <T> Map<Integer, T> known(
            Handle h,
            Collection<JobStore.Stored> changes,
            ToIntFunction<JobStore.Stored> row,
            ByteBoundedCache<Integer, T> memory,
            String select,
            Column<T> column) {
        Map<Integer, T> found = new HashMap<>();
        Set<Integer> unknown = new HashSet<>();
        changes.stream()
                .filter(JobEnds::isEnd)
                .mapToInt(row)
                .forEach(id -> memory.get(id).ifPresentOrElse(value -> found.put(id, value), () -> unknown.add(id)));
        if (!unknown.isEmpty()) {
            h.createQuery(select)
                    .bindList("ids", InList.of(unknown))
                    .map((r, c) -> Map.entry(r.getInt("id"), column.of(r)))
                    .forEach(e -> {
                        found.put(e.getKey(), e.getValue());
                        memory.put(e.getKey(), e.getValue());
                    });
        }
        return found;
    }

    /** Reports what {@link #read} returned; after the commit. */
    void committed(List<End> ends) {
        if (!ends.isEmpty()) {
            listener.accept(ends);
        }
    }
}
