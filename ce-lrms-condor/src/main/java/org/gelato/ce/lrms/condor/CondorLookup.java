package org.gelato.ce.lrms.condor;

import static org.gelato.ce.lrms.condor.CondorOwnAccountCommands.oneOf;

import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.UnreadableJobs;
import org.gelato.ce.core.lrms.command.LrmsCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs in HTCondor's queue, which keeps ours for a while after their end; those that it does not show in its history, and then in
 * the queue once more, as a job may have gone from one to the other in between. Queries as the helper's own account. Thread-safe.
 */
final class CondorLookup {
    private static final Logger log = LoggerFactory.getLogger(CondorLookup.class);
    private static final int MAX_NAMES = 200;
    /** Bytes; some 20 000 events. */
    private static final long MAX_EVENTS = 16L << 20;

    private final LrmsCommands commands;
    private final Executor work;
    private final QueueView view;
    /** Null where there is none: then each poll lists. */
    private final EventLog events;

    private final UnreadableJobs unreadable = new UnreadableJobs(log);

    CondorLookup(CondorConfig config, LrmsCommands commands, Executor work, Clock clock) {
        this.commands = commands;
        this.work = work;
        this.view = new QueueView(
                clock,
                constraint ->
                        listing("condor_q", CondorOwnAccountCommands.queue(constraint), CondorListing.Reader.ofOurs()));
        this.events = config.eventLog() == null ? null : new EventLog(config.eventLog(), MAX_EVENTS, clock);
    }

    CompletableFuture<CondorListing> all() {
        return view().thenApply(listing -> listing.identified(List.of()));
    }

    private CompletableFuture<CondorListing> view() {
        if (events == null) {
            view.changed();
            return view.now();
        }
        return CompletableFuture.supplyAsync(events::hasNews, work).thenCompose(news -> {
            if (news) {
                view.changed();
            }
            return view.now();
        });
    }

    /** The same, with those of these ids that the queue shows under other names: an administrator may change them. */
    CompletableFuture<CondorListing> all(Collection<String> followed) {
        return view().thenCompose(shown -> {
            CondorListing listing = shown.identified(followed);
            Set<String> missing = new HashSet<>(followed);
            listing.shown().forEach(one -> missing.remove(one.job().lrmsId()));
            return missing.isEmpty()
                    ? CompletableFuture.completedFuture(listing)
                    // what does not fit in one query is looked up, and shown by a later poll
                    : queueOf(missing.stream().limit(MAX_NAMES).toList())
                            .thenApply(renamed -> listing.with(byId(renamed).values()));
        });
    }

    /** A job was handed over, and the next poll shows it. */
    void handedOver() {
        view.changed();
    }

    /** Those of these jobs that the queue shows, by id. Fails where a line can't be read: who needs this acts on what is not shown. */
    CompletableFuture<Map<String, CondorListing.Shown>> byId(Collection<String> ids) {
        return queueOf(ids).thenApply(listing -> {
            if (!listing.bad().isEmpty()) {
                throw unreadable("condor_q", listing);
            }
            return byId(listing);
        });
    }

    private CompletableFuture<CondorListing> queueOf(Collection<String> ids) {
        return inChunks(new TreeSet<>(ids), some -> queue(numbered(some))).thenApply(all -> all.identified(ids));
    }

    private static Map<String, CondorListing.Shown> byId(CondorListing listing) {
        return listing.shown().stream()
                .filter(one -> one.job().lrmsId() != null)
                .collect(Collectors.toMap(one -> one.job().lrmsId(), Function.identity(), (a, b) -> a));
    }

    CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        Search search = new Search(lookups);
        return inQueue(search)
                .thenCompose(ignored -> inHistory(search))
                .thenCompose(missing -> missing ? inQueue(search) : CompletableFuture.completedFuture(null))
                .thenApply(ignored -> search.result());
    }

    private CompletableFuture<Void> inQueue(Search search) {
        return inChunks(search.missing(), some -> queue(constraint(some))).thenAccept(search::keep);
    }

    /** Whether some were missing. */
    private CompletableFuture<Boolean> inHistory(Search search) {
        List<Lookup> missing = search.missing();
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        return inChunks(
                        missing,
                        some -> listing(
                                "condor_history",
                                CondorOwnAccountCommands.history(constraint(some)),
                                CondorListing.Reader.ofAll()))
                .thenApply(shown -> {
                    search.keep(shown);
                    return true;
                });
    }

    /** By id; by name where none is known, as the hand-over got no response. */
    private static String constraint(List<Lookup> some) {
        List<String> ids =
                some.stream().map(Lookup::lrmsId).filter(Objects::nonNull).toList();
        List<String> names = some.stream()
                .filter(one -> one.lrmsId() == null)
                .map(Lookup::tag)
                .toList();
        if (names.isEmpty()) {
            return numbered(ids);
        }
        String named = oneOf(SubmitDescription.TAG, names);
        // what is not defined in a job makes the one or the other an error
        return ids.isEmpty() ? named : named + "=?=true||" + numbered(ids) + "=?=true";
    }

    /** Jobs with the numbers of ids; whose they are is seen by all that identifies them. */
    private static String numbered(Collection<String> ids) {
        return oneOf(
                CondorId.NUMBER,
                ids.stream()
                        .map(id -> id.replaceFirst(CondorId.MARK + ".*", ""))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static <T> CompletableFuture<CondorListing> inChunks(
            Collection<T> values, Function<List<T>, CompletableFuture<CondorListing>> query) {
        List<T> all = List.copyOf(values);
        CompletableFuture<CondorListing> done = CompletableFuture.completedFuture(CondorListing.EMPTY);
        for (int i = 0; i < all.size(); i += MAX_NAMES) {
            List<T> some = all.subList(i, Math.min(i + MAX_NAMES, all.size()));
            done = done.thenCompose(sum -> query.apply(some).thenApply(sum::and));
        }
        return done;
    }

    /** Named jobs under any name. */
    private CompletableFuture<CondorListing> queue(String constraint) {
        return listing("condor_q", CondorOwnAccountCommands.queue(constraint), CondorListing.Reader.ofAll());
    }

    private CompletableFuture<CondorListing> listing(
            String program, List<String> arguments, CondorListing.Reader reader) {
        return commands.stream(AccountCommands.SELF, program, arguments, Map.of(), work, reader::take)
                .thenApply(completed -> read(program, completed, reader));
    }

    private CondorListing read(String program, Completed completed, CondorListing.Reader reader) {
        commands.endedWell(program, completed);
        // truncated output would make jobs appear gone
        if (reader.isCut()) {
            throw new LrmsException(program + " ended within a line; its output is not complete");
        }
        CondorListing listing = reader.listing();
        if (listing.isOfNoJob()) {
            throw unreadable(program, listing);
        }
        unreadable.report(program, listing.unknown());
        return listing;
    }

    private static LrmsException unreadable(String program, CondorListing listing) {
        return new LrmsException(program + " printed output that cannot be parsed: "
                + CondorMessages.brief(listing.bad().get(0)));
    }

    /** Jobs that are looked up, and what was found of them so far. One thread at a time. */
    private static final class Search {
        private final Map<String, Lookup> byTag = new TreeMap<>();
        private final Map<String, Lookup> byId = new HashMap<>();
        private final Map<String, LrmsJob> found = new HashMap<>();
        private final Set<String> mayBeBad = new HashSet<>();
        private boolean anyMayBeBad;

        Search(Collection<Lookup> lookups) {
            for (Lookup one : lookups) {
                byTag.put(one.tag(), one);
                if (one.lrmsId() != null) {
                    byId.put(one.lrmsId(), one);
                }
            }
        }

        List<Lookup> missing() {
            return byTag.values().stream()
                    .filter(one -> !found.containsKey(one.tag()))
                    .toList();
        }

        void keep(CondorListing listing) {
            for (String line : listing.bad()) {
                Set<String> named = CondorListing.tags(line);
                named.retainAll(byTag.keySet());
                mayBeBad.addAll(named);
                anyMayBeBad |= named.isEmpty();
            }
            for (CondorListing.Shown one : listing.identified(byId.keySet()).shown()) {
                Lookup named = byTag.get(one.tag());
                Lookup known =
                        one.job().lrmsId() == null ? null : byId.get(one.job().lrmsId());
                // a job whose id is known is that one, whatever its name says now, and no other of its name
                boolean byName =
                        named != null && (named.lrmsId() == null || one.job().isUnreadable());
                keep(one, known == null && byName ? named : known);
            }
        }

        /** Where a line could not be read, the jobs that it may be are not taken as gone. */
        Map<String, LrmsJob> result() {
            for (Lookup one : missing()) {
                if (anyMayBeBad || mayBeBad.contains(one.tag())) {
                    found.put(one.tag(), LrmsJob.unreadable(one.tag(), CondorListing.UNREADABLE));
                }
            }
            return found;
        }

        /** Any local user can give a job one of our names: those of other accounts than the one looked up do not count. */
        private void keep(CondorListing.Shown one, Lookup lookup) {
            if (lookup != null && one.isOf(lookup)) {
                LrmsJob job = one.job().lrmsId() == null
                        ? LrmsJob.unreadable(lookup.tag(), one.job().reason())
                        : one.job().named(lookup.tag());
                found.merge(lookup.tag(), job, (a, b) -> better(a, b, lookup.lrmsId()));
            }
        }
    }

    /** Of two jobs of one tag: the one with the wanted id, one that can be read, that has not ended, the older. */
    private static LrmsJob better(LrmsJob a, LrmsJob b, String wanted) {
        if (a.isUnreadable() || b.isUnreadable()) {
            return a.isUnreadable() ? b : a;
        }
        if (a.lrmsId().equals(wanted) || b.lrmsId().equals(wanted)) {
            return a.lrmsId().equals(wanted) ? a : b;
        }
        if (a.state().isEnd() != b.state().isEnd()) {
            return a.state().isEnd() ? b : a;
        }
        return cluster(a) <= cluster(b) ? a : b;
    }

    private static long cluster(LrmsJob job) {
        return Long.parseLong(job.lrmsId().substring(0, job.lrmsId().indexOf('.')));
    }
}
