package org.gelato.ce.blahbridge.blahp;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.gelato.ce.core.fault.RepeatedFault;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries the status of many jobs, each of which costs processes. A round queries a fixed number, those first that were
 * queried longest ago, a few at once. One job is never queried twice at once, because blahpd then fails one of the two.
 * What it returns for a job that was deleted while queued is like what it returns while the batch system is away: neither is an end. Only
 * where the batch system took a cancel of the job, or did not know it then, do failures in a row mean that it is gone. Of a job that the
 * batch system does not know it says that it ended: that counts in a row, too, for one that begins may know none.
 *
 * <p>Thread-safe. A restart forgets which jobs were queried last, which costs a round.
 */
final class StatusRounds {
    /** Jobs queried in one round. */
    static final int MAX_ASKED = 100;
    /** Results in a row by which a job is not known any more after which it has ended; failures likewise, where it was to be cancelled. */
    static final int GONE_AFTER = 3;

    private static final int AT_ONCE = 10;

    private static final Logger log = LoggerFactory.getLogger(StatusRounds.class);

    private final BiFunction<String, String, CompletableFuture<LrmsJob>> status;
    private final RepeatedFault silent;
    private final Map<String, CompletableFuture<LrmsJob>> asking = new HashMap<>();
    /** In the order of their last results. */
    private final Map<String, LrmsJob> known = new LinkedHashMap<>();

    private final Map<String, Integer> failures = new HashMap<>();
    /** Results in a row by which the batch system does not know a job. */
    private final Map<String, Integer> absences = new HashMap<>();
    /** Of which the batch system took a cancel. */
    private final Set<String> cancelled = new HashSet<>();
    /** Results in a row that showed a job in the queue. */
    private final Map<String, Integer> waits = new HashMap<>();

    /**
     * @param status queries the job of an LRMS id, with the tag to note; null where nothing follows from the response, and {@link State#UNKNOWN}
     *     where blahpd failed, as it also does for a deleted job
     */
    StatusRounds(BiFunction<String, String, CompletableFuture<LrmsJob>> status, Clock clock) {
        this.status = status;
        this.silent = new RepeatedFault(log, clock, "status of jobs by blahpd");
    }

    /** The jobs of the last round. */
    synchronized Set<String> followed() {
        return Set.copyOf(known.keySet());
    }

    /**
     * All followed jobs. {@link State#UNKNOWN} are those not queried this time that had not ended, for much may have happened since, and
     * those that are in the queue by one result alone, for blahpd's word may be older than the start of a job.
     */
    CompletableFuture<List<LrmsJob>> round(Collection<String> followed) {
        List<Iterator<String>> lanes = new ArrayList<>();
        List<String> turn;
        synchronized (this) {
            known.keySet().retainAll(followed);
            failures.keySet().retainAll(followed);
            absences.keySet().retainAll(followed);
            cancelled.retainAll(followed);
            waits.keySet().retainAll(followed);
            turn = new ArrayList<>(followed);
            turn.removeAll(known.keySet());
            turn.addAll(known.keySet());
        }
        turn = turn.subList(0, Math.min(turn.size(), MAX_ASKED));
        Set<String> asked = Set.copyOf(turn);
        for (int i = 0; i < AT_ONCE; i++) {
            int from = turn.size() * i / AT_ONCE;
            int to = turn.size() * (i + 1) / AT_ONCE;
            lanes.add(List.copyOf(turn.subList(from, to)).iterator());
        }
        return CompletableFuture.allOf(lanes.stream().map(this::walk).toArray(CompletableFuture[]::new))
                .thenApply(done -> all(followed, asked));
    }

    private CompletableFuture<Void> walk(Iterator<String> lane) {
        return lane.hasNext()
                ? ask(lane.next(), null).thenCompose(job -> walk(lane))
                : CompletableFuture.completedFuture(null);
    }

    private synchronized List<LrmsJob> all(Collection<String> followed, Set<String> asked) {
        List<LrmsJob> jobs = new ArrayList<>();
        for (String id : followed) {
            LrmsJob job = known.get(id);
            boolean isNow = job != null
                    && (job.state().isEnd()
                            || (asked.contains(id) && (!job.isInQueue() || waits.getOrDefault(id, 0) > 1)));
            jobs.add(isNow ? job : new LrmsJob(id, null, State.UNKNOWN, null, "not polled in this round", null));
        }
        reportSilent();
        return jobs;
    }

    private void reportSilent() {
        List<String> ids = known.values().stream()
                .filter(job -> job.state() == State.UNKNOWN && failures.getOrDefault(job.lrmsId(), 0) >= GONE_AFTER)
                .map(LrmsJob::lrmsId)
                .toList();
        if (ids.isEmpty()) {
            silent.over();
        } else {
            silent.failed(ids.size() + " jobs keep their states, as it fails, of " + ids.get(0) + " by '"
                    + known.get(ids.get(0)).reason()
                    + "': see whether the batch system responds, and cancel jobs that it has not got any more");
        }
    }

    /** The batch system took a cancel of a job, or did not know the job. */
    synchronized void cancelTaken(String id) {
        cancelled.add(id);
        failures.remove(id);
    }

    /** One job, now; {@link State#UNKNOWN} when there is no result. */
    synchronized CompletableFuture<LrmsJob> ask(String id, String tag) {
        CompletableFuture<LrmsJob> before = asking.get(id);
        if (before != null) {
            return before.thenApply(job -> tagged(job, tag));
        }
        CompletableFuture<LrmsJob> mine = new CompletableFuture<>();
        asking.put(id, mine);
        status.apply(id, tag).whenComplete((job, failure) -> mine.complete(reported(id, tag, job)));
        return mine;
    }

    private synchronized LrmsJob reported(String id, String tag, LrmsJob job) {
        asking.remove(id);
        LrmsJob now = job == null
                ? new LrmsJob(id, tag, State.UNKNOWN, null, "blahpd gave no response that can be read", null)
                : job;
        boolean failed = job != null && job.state() == State.UNKNOWN;
        if (failed) {
            if (failures.merge(id, 1, Integer::sum) >= GONE_AFTER && cancelled.contains(id)) {
                now = new LrmsJob(
                        id,
                        tag,
                        State.CANCELLED,
                        null,
                        "its cancel was taken, and blahpd does not find it any more: " + job.reason(),
                        null);
            }
        } else if (job != null) {
            failures.remove(id);
        }
        if (!isAbsent(job)) {
            absences.remove(id);
        } else if (absences.merge(id, 1, Integer::sum) < GONE_AFTER) {
            now = new LrmsJob(id, tag, State.UNKNOWN, null, job.reason(), null);
        }
        if (now.isInQueue()) {
            waits.merge(id, 1, Integer::sum);
        } else {
            waits.remove(id);
        }
        known.remove(id);
        known.put(id, now);
        return now;
    }

    /** Whether the batch system behind blahpd may just not know the job; HTCondor's scripts fail then. */
    private static boolean isAbsent(LrmsJob job) {
        return job != null
                && job.state() == State.DONE
                && job.workerNode() == null
                && !BlahJobId.isOfCondor(job.lrmsId());
    }

    private static LrmsJob tagged(LrmsJob job, String tag) {
        return new LrmsJob(job.lrmsId(), tag, job.state(), job.exitCode(), job.reason(), job.workerNode());
    }
}
