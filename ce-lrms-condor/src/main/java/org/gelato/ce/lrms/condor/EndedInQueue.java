package org.gelato.ce.lrms.condor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.RepeatedFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs out of HTCondor's queue whose end the CE has stored: they were followed or handed over here, or an earlier process stored their
 * ends, and are followed no more. Jobs of others stay until their time in the queue is over. Jobs that can run no more are removed first.
 * Confined to whoever polls, but for {@link #known}.
 */
final class EndedInQueue {
    private static final Logger log = LoggerFactory.getLogger(EndedInQueue.class);
    /** Within which what a job used is read once more. */
    static final Duration SHOWN = Duration.ofMinutes(5);

    private static final CompletableFuture<String> NOTHING = CompletableFuture.completedFuture("");
    private static final String PAGE = Manual.page("docs/admin/condor.md");

    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    /** Tries of a job, within a quarter of an hour, after which an administrator is to look. */
    static final int TRIES = 5;

    private static final int MAX_AT_ONCE = 200;
    /** Accounts whose jobs are taken out in a round: hand-overs need workers of the helper, too. */
    private static final int MAX_ACCOUNTS = 10;
    /** Polls after which a job that none shows is forgotten. */
    private static final int ABSENT_POLLS = 3;

    private final CondorActions actions;
    private final Clock clock;
    /** Jobs of ours by id, with the polls that did not show them. */
    private final Map<String, Integer> ours = new HashMap<>();

    /** Ended jobs that are not followed, by id, while polls show them. */
    private final Map<String, Left> left = new HashMap<>();

    /** What HTCondor or the helper said of an account's last try that did not succeed. */
    private final Map<String, String> words = new ConcurrentHashMap<>();

    /** Accounts with a call under way; those who had one last come last. */
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    private final Set<String> served = new LinkedHashSet<>();
    private final RepeatedFault fault;
    private Instant next = Instant.MIN;
    /** Null for none. */
    private volatile String trouble;

    /** A job that is taken out again when it is due: each try that leaves it there doubles the pause. */
    private static final class Left {
        Instant due;
        int tries;

        Left(Instant due) {
            this.due = due;
        }

        void tried(Instant now) {
            Duration pause = PAUSE.multipliedBy(1L << Math.min(tries++, 6));
            due = now.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
        }
    }

    EndedInQueue(CondorActions actions, Clock clock) {
        this.actions = actions;
        this.clock = clock;
        this.fault = new RepeatedFault(log, clock, "ended jobs in HTCondor's queue");
    }

    /** That jobs stay in the queue whatever is tried, with what to do. */
    Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** These are jobs of ours: they were handed over here, or their ends are stored. */
    synchronized void known(Collection<String> ids) {
        ids.forEach(id -> ours.put(id, 0));
    }

    /** After a poll. */
    synchronized void polled(Collection<String> followed, Collection<CondorListing.Shown> shown) {
        Set<String> alive = new HashSet<>(followed);
        Map<String, CondorListing.Shown> byId = new HashMap<>();
        shown.stream()
                .filter(one -> one.job().lrmsId() != null)
                .forEach(one -> byId.put(one.job().lrmsId(), one));
        alive.forEach(id -> ours.put(id, 0));
        ours.replaceAll((id, polls) -> byId.containsKey(id) || alive.contains(id) ? 0 : polls + 1);
        ours.values().removeIf(polls -> polls > ABSENT_POLLS);
        left.keySet().removeIf(id -> alive.contains(id) || !byId.containsKey(id));
        Instant now = clock.instant();
        ours.keySet().stream()
                .filter(id -> !alive.contains(id) && byId.containsKey(id))
                .filter(id -> byId.get(id).job().state().isEnd())
                .forEach(id -> left.putIfAbsent(id, new Left(now.plus(SHOWN))));
        // In each round: without jobs to follow there may be no later one.
        report(byId);
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(PAUSE);
        Map<String, List<String>> over = new HashMap<>();
        Map<String, List<String>> ended = new HashMap<>();
        left.forEach((id, job) -> {
            CondorListing.Shown one = byId.get(id);
            if (!job.due.isAfter(now) && !one.owner().isEmpty()) {
                List<String> all = (one.isOver() ? over : ended).computeIfAbsent(one.owner(), x -> new ArrayList<>());
                if (all.size() < MAX_AT_ONCE) {
                    all.add(id);
                }
            }
        });
        Set<String> accounts = new LinkedHashSet<>(over.keySet());
        accounts.addAll(ended.keySet());
        served.retainAll(accounts);
        accounts.removeAll(served);
        accounts.addAll(served);
        int room = MAX_ACCOUNTS - underWay.size();
        for (String account : accounts) {
            if (room > 0 && underWay.add(account)) {
                room--;
                served.remove(account);
                served.add(account);
                List<String> removed = over.getOrDefault(account, List.of());
                List<String> taken = ended.getOrDefault(account, List.of());
                removed.forEach(id -> left.get(id).tried(now));
                taken.forEach(id -> left.get(id).tried(now));
                takeOut(account, removed, taken);
            }
        }
    }

    private void takeOut(String account, List<String> over, List<String> ended) {
        CompletableFuture<String> cancelled = over.isEmpty()
                ? NOTHING
                : actions.cancel(account, over)
                        .thenApply(results -> results.values().stream()
                                .filter(Objects::nonNull)
                                .findFirst()
                                .orElse(""));
        CompletableFuture<String> taken = ended.isEmpty() ? NOTHING : actions.takeOut(account, ended);
        cancelled.thenCombine(taken, (a, b) -> a.isEmpty() ? b : a).whenComplete((reported, e) -> {
            String why = e == null ? reported : Messages.of(Causes.of(e));
            if (why.isEmpty()) {
                words.remove(account);
            } else {
                words.put(account, why);
            }
            underWay.remove(account);
        });
    }

    /** Jobs that stay are tried again, ever less often; in the end HTCondor takes them out by itself. */
    private void report(Map<String, CondorListing.Shown> byId) {
        List<String> stuck = left.entrySet().stream()
                .filter(job -> job.getValue().tries >= TRIES)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        words.keySet()
                .retainAll(
                        left.keySet().stream().map(id -> byId.get(id).owner()).collect(Collectors.toSet()));
        if (stuck.isEmpty()) {
            trouble = null;
            fault.over();
            return;
        }
        String first = stuck.get(0);
        String owner = byId.get(first).owner();
        String number = CondorId.of(first).map(CondorId::number).orElse(first);
        trouble = stuck.size() + " ended jobs stay in HTCondor's queue though they were taken out " + TRIES
                + " times, and count against MAX_JOBS_PER_OWNER: " + number + " of " + owner + " ("
                + words.getOrDefault(owner, "HTCondor reported no error")
                + "): let the account write to the schedd, or as HTCondor's administrator type: condor_qedit " + number
                + " LeaveJobInQueue false (" + PAGE + ")";
        fault.failed(trouble);
    }
}
