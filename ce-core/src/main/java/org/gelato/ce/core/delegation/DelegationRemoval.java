package org.gelato.ce.core.delegation;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.delegation.DelegationStore.Ending;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.SharedWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What destroy and the sweeper share: files and jobs of delegations that end (docs/developer/protocol/delegation-wire.md section 7).
 * A delegation is marked as ended first, and its row is deleted last: after a crash in between a sweep finds it and does the rest. In
 * between it can't be renewed, so that no renewed proxy loses its file or its jobs.
 */
final class DelegationRemoval {
    static final String REASON = "job cancelled because the related delegation has expired";

    /** In which whoever ends delegations gets on, or has died: longer than a removal of files is waited for. */
    static final Duration LEFT = Duration.ofMinutes(2);

    private static final int AT_ONCE = 8;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMinutes(1), Duration.ofHours(1));
    private static final SharedWork.Bounds BOUNDS = new SharedWork.Bounds(AT_ONCE, 64, ProxyFiles.PATIENCE);
    /** For jobs that are registered while the others are cancelled. */
    private static final int ROUNDS = 3;

    private static final Logger log = LoggerFactory.getLogger(DelegationRemoval.class);

    private record Place(String account, Path directory) {}

    private final DelegationStore store;
    private final ProxyFiles files;
    private final DelegationEnd end;
    private final Clock clock;
    private final SharedWork<String> accounts;

    DelegationRemoval(DelegationStore store, ProxyFiles files, DelegationEnd end, Clock clock) {
        this(store, files, end, clock, System::nanoTime);
    }

    DelegationRemoval(DelegationStore store, ProxyFiles files, DelegationEnd end, Clock clock, LongSupplier nanoTime) {
        this.accounts = new SharedWork<>(
                log, "files of ended delegations of", BACKOFF, BOUNDS, AccountCommandException::isBusy, nanoTime);
        this.store = store;
        this.files = files;
        this.end = end;
        this.clock = clock;
    }

    /**
     * Ends delegations and removes them with their files and jobs.
     *
     * @param by ends only those whose proxies end by then
     * @param unended gets what could not be removed now, and why; a sweep tries again
     * @return how many are gone
     */
    int end(List<Ending> delegations, Instant by, BiConsumer<Ending, RuntimeException> unended) {
        int gone = 0;
        // Few places at a time: a mark must not grow old while files elsewhere are waited for.
        for (List<List<Ending>> places : fewPlaces(delegations)) {
            List<List<Ending>> mine = new ArrayList<>();
            for (List<Ending> ofPlace : places) {
                Instant now = clock.instant();
                mine.add(those(ofPlace, store.end(ids(ofPlace), by, now.minus(LEFT), now)));
            }
            removeFiles(mine);
            for (List<Ending> ofPlace : mine) {
                gone += remove(ofPlace, unended);
            }
        }
        return gone;
    }

    /**
     * Removes delegations that no job needs, those that are still unused. One that a job took in the last moment, by what another node
     * remembered, stays; its file is to be written again.
     *
     * @param before when they were made or renewed last, at the latest
     * @return how many are gone
     */
    int endUnused(List<Ending> unused, Instant before) {
        int gone = 0;
        for (List<List<Ending>> places : fewPlaces(unused)) {
            List<List<Ending>> mine = new ArrayList<>();
            for (List<Ending> ofPlace : places) {
                mine.add(those(ofPlace, store.endUnused(ids(ofPlace), before, clock.instant())));
            }
            mine.removeIf(List::isEmpty);
            removeFiles(mine);
            for (List<Ending> ofPlace : mine) {
                List<Integer> stay = store.delete(ids(ofPlace));
                store.unend(stay);
                gone += ofPlace.size() - stay.size();
            }
        }
        return gone;
    }

    private static List<Ending> those(List<Ending> delegations, Collection<Integer> ids) {
        return delegations.stream().filter(d -> ids.contains(d.id())).toList();
    }

    /** @param mine those that this call has marked as ended, and whose files are removed */
    private int remove(List<Ending> mine, BiConsumer<Ending, RuntimeException> unended) {
        List<Ending> open = mine;
        int gone = 0;
        for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
            List<Ending> cancelled = cancelJobs(open, unended);
            if (cancelled.isEmpty()) {
                break;
            }
            Set<Integer> stay = Set.copyOf(store.delete(ids(cancelled)));
            gone += cancelled.size() - stay.size();
            open = cancelled.stream().filter(d -> stay.contains(d.id())).toList();
        }
        return gone;
    }

    private static List<List<List<Ending>>> fewPlaces(List<Ending> delegations) {
        List<List<Ending>> places = List.copyOf(delegations.stream()
                .collect(Collectors.groupingBy(
                        d -> new Place(d.account(), d.file().getParent()), LinkedHashMap::new, Collectors.toList()))
                .values());
        List<List<List<Ending>>> few = new ArrayList<>();
        for (int from = 0; from < places.size(); from += AT_ONCE) {
            few.add(places.subList(from, Math.min(places.size(), from + AT_ONCE)));
        }
        return few;
    }

    private static List<Integer> ids(List<Ending> delegations) {
        return delegations.stream().map(Ending::id).toList();
    }

    private List<Ending> cancelJobs(List<Ending> delegations, BiConsumer<Ending, RuntimeException> unended) {
        List<Ending> cancelled = new ArrayList<>();
        Map<Ending, RuntimeException> failed = new LinkedHashMap<>();
        for (Ending delegation : delegations) {
            try {
                end.cancelJobsOf(delegation.id(), REASON);
                cancelled.add(delegation);
            } catch (RuntimeException e) {
                failed.put(delegation, e);
            }
        }
        if (!failed.isEmpty()) {
            // Whoever comes next may take over at once.
            store.endedAt(ids(List.copyOf(failed.keySet())), clock.instant().minus(LEFT));
            failed.forEach(unended);
        }
        return cancelled;
    }

    /** Delegations that others began to end so long ago that they do not go on. */
    List<Ending> left(int limit) {
        return store.leftEnded(clock.instant().minus(LEFT), limit);
    }

    /**
     * Removes the files of each place with one message. Failures are logged only, and those of an account that failed or hangs are not
     * waited for: the helper does them in order when it can.
     */
    private void removeFiles(List<List<Ending>> places) {
        Map<List<Ending>, CompletableFuture<Void>> removals = new LinkedHashMap<>();
        for (List<Ending> ofPlace : places) {
            if (!ofPlace.isEmpty()) {
                removals.put(ofPlace, removal(ofPlace));
            }
        }
        try {
            accounts.each(removals.keySet(), ofPlace -> ofPlace.get(0).account(), removals::get, (ofPlace, done) -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the CE ends
        }
    }

    private CompletableFuture<Void> removal(List<Ending> ofPlace) {
        Ending one = ofPlace.get(0);
        return files.removal(
                one.account(),
                one.file().getParent(),
                ofPlace.stream().map(d -> d.file().getFileName().toString()).toList());
    }
}
