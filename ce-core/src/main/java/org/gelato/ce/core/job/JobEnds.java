package org.gelato.ce.core.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
    private static final int CACHE_LIMIT = 100_000;
    /** Where another thread has emptied the memory since: better a line without a name than none. */
    private static final Owner UNKNOWN = new Owner("", "", null);

    private final Consumer<List<End>> listener;
    private final Map<Integer, Owner> owners = new ConcurrentHashMap<>();
    private final Map<Integer, String> accounts = new ConcurrentHashMap<>();

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
        Set<Integer> unknownOwners = new HashSet<>();
        Set<Integer> unknownAccounts = new HashSet<>();
        for (JobStore.Stored s : changes) {
            if (isEnd(s) && !owners.containsKey(s.job().ownerId())) {
                unknownOwners.add(s.job().ownerId());
            }
            if (isEnd(s) && !accounts.containsKey(s.job().accountId())) {
                unknownAccounts.add(s.job().accountId());
            }
        }
        remember(h, unknownOwners, unknownAccounts);
        Map<Integer, String> lrmsIds = new HashMap<>();
        List<End> ends = new ArrayList<>();
        for (JobStore.Stored s : changes) {
            String lrmsId = s.job().lrmsId() == null ? s.lrmsId() : s.job().lrmsId();
            if (lrmsId != null) {
                lrmsIds.putIfAbsent(s.job().id(), lrmsId);
            }
            if (isEnd(s)) {
                ends.add(end(s, lrmsIds.get(s.job().id())));
            }
        }
        return ends;
    }

    private static boolean isEnd(JobStore.Stored s) {
        return s.change().state().isFinal() && !s.change().update();
    }

    private End end(JobStore.Stored s, String lrmsId) {
        JobStateMachine.Change c = s.change();
        return new End(
                s.job().id(),
                c.state(),
                c.at(),
                owners.getOrDefault(s.job().ownerId(), UNKNOWN),
                accounts.getOrDefault(s.job().accountId(), ""),
                lrmsId,
                c.exitCode(),
                c.failureReason() == null ? c.description() : c.failureReason());
    }

    private void remember(Handle h, Set<Integer> unknownOwners, Set<Integer> unknownAccounts) {
        if (owners.size() > CACHE_LIMIT) {
            owners.clear();
        }
        if (!unknownOwners.isEmpty()) {
            h.createQuery(OWNERS)
                    .bindList("ids", InList.of(unknownOwners))
                    .map((r, c) -> Map.entry(r.getInt("id"), Owner.of(r)))
                    .forEach(o -> owners.put(o.getKey(), o.getValue()));
        }
        if (!unknownAccounts.isEmpty()) {
            h.createQuery(ACCOUNTS)
                    .bindList("ids", InList.of(unknownAccounts))
                    .map((r, c) -> Map.entry(r.getInt(1), r.getString(2)))
                    .forEach(a -> accounts.put(a.getKey(), a.getValue()));
        }
    }

    /** Reports what {@link #read} returned; after the commit. */
    void committed(List<End> ends) {
        if (!ends.isEmpty()) {
            listener.accept(ends);
        }
    }
}
