package org.gelato.ce.core.delegation;

import java.io.IOException;
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
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.gelato.ce.core.delegation.DelegationStore.Ending;
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
    /** For jobs that are registered while the others are cancelled. */
    private static final int ROUNDS = 3;

    private static final Logger log = LoggerFactory.getLogger(DelegationRemoval.class);

    private record Place(String account, Path directory) {}

    private final DelegationStore store;
    private final ProxyFiles files;
    private final DelegationEnd end;
    private final Clock clock;

    DelegationRemoval(DelegationStore store, ProxyFiles files, DelegationEnd end, Clock clock) {
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
        // One place after the other: a mark must not grow old while files elsewhere are waited for.
        for (List<Ending> ofPlace : byPlace(delegations).values()) {
            Instant now = clock.instant();
            gone += remove(ofPlace, store.end(ids(ofPlace), by, now.minus(LEFT), now), unended);
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
        for (List<Ending> ofPlace : byPlace(unused).values()) {
            List<Ending> mine = those(ofPlace, store.endUnused(ids(ofPlace), before, clock.instant()));
            if (!mine.isEmpty()) {
                removeFiles(mine);
                List<Integer> stay = store.delete(ids(mine));
                store.unend(stay);
                gone += mine.size() - stay.size();
            }
        }
        return gone;
    }

    private static List<Ending> those(List<Ending> delegations, Collection<Integer> ids) {
        return delegations.stream().filter(d -> ids.contains(d.id())).toList();
    }

    /** @param ended those that this call has marked as ended */
    private int remove(
            List<Ending> delegations, Collection<Integer> ended, BiConsumer<Ending, RuntimeException> unended) {
        List<Ending> mine = those(delegations, ended);
        if (mine.isEmpty()) {
            return 0;
        }
        removeFiles(mine);
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

    private static Map<Place, List<Ending>> byPlace(List<Ending> delegations) {
        return delegations.stream()
                .collect(Collectors.groupingBy(
                        d -> new Place(d.account(), d.file().getParent()), LinkedHashMap::new, Collectors.toList()));
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

    /** Removes the files of one place with one message; failures are logged only. */
    private void removeFiles(List<Ending> ofPlace) {
        List<String> names =
                ofPlace.stream().map(d -> d.file().getFileName().toString()).toList();
        try {
            files.remove(ofPlace.get(0).account(), ofPlace.get(0).file().getParent(), names);
        } catch (IOException e) {
            log.warn("{}: {}", names, e.getMessage());
        }
    }
}
