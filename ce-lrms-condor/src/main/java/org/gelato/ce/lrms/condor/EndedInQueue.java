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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MAX_AT_ONCE = 200;
    /** Accounts whose jobs are taken out in a round: hand-overs need workers of the helper, too. */
    private static final int MAX_ACCOUNTS = 10;
    /** Polls after which a job that none shows is forgotten. */
    private static final int ABSENT_POLLS = 3;

    private final CondorActions actions;
    private final Clock clock;
    /** Jobs of ours by id, with the polls that did not show them. */
    private final Map<String, Integer> ours = new HashMap<>();

    private final Map<String, Instant> notFollowedSince = new HashMap<>();
    /** Accounts with a call under way; those who had one last come last. */
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    private final Set<String> served = new LinkedHashSet<>();
    private Instant next = Instant.MIN;

    EndedInQueue(CondorActions actions, Clock clock) {
        this.actions = actions;
        this.clock = clock;
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
        notFollowedSince.keySet().removeIf(id -> alive.contains(id) || !byId.containsKey(id));
        Instant now = clock.instant();
        ours.keySet().stream()
                .filter(id -> !alive.contains(id) && byId.containsKey(id))
                .filter(id -> byId.get(id).job().state().isEnd())
                .forEach(id -> notFollowedSince.putIfAbsent(id, now));
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(PAUSE);
        Map<String, List<String>> over = new HashMap<>();
        Map<String, List<String>> ended = new HashMap<>();
        notFollowedSince.forEach((id, since) -> {
            CondorListing.Shown one = byId.get(id);
            if (!since.plus(SHOWN).isAfter(now) && !one.owner().isEmpty()) {
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
                takeOut(account, over.getOrDefault(account, List.of()), ended.getOrDefault(account, List.of()));
            }
        }
    }

    private void takeOut(String account, List<String> over, List<String> ended) {
        CompletableFuture<?> cancelled = over.isEmpty() ? DONE : actions.cancel(account, over);
        CompletableFuture<?> taken = ended.isEmpty() ? DONE : actions.takeOut(account, ended);
        CompletableFuture.allOf(cancelled, taken).whenComplete((done, e) -> {
            underWay.remove(account);
            report(account, e);
        });
    }

    /** The next round tries again, and in the end HTCondor by itself. */
    private static void report(String account, Throwable failure) {
        if (failure != null) {
            log.debug("ended jobs of {} stay in HTCondor's queue: {}", account, failure.toString());
        }
    }
}
