package org.gelato.ce.lrms.slurm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.UnreadableJobs;
import org.gelato.ce.core.lrms.command.LrmsCommands;
import org.gelato.ce.core.lrms.command.LrmsException;
import org.gelato.ce.lrms.slurm.SlurmConfig.Accounting;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs in what Slurm shows: squeue first, and for tags it does not show (any more) sacct and the job completion
 * log, as far as the site has them. squeue shows ended jobs with their exit code for MinJobAge seconds. Queries as the
 * helper's own account, so a site with {@code PrivateData=jobs} must make that account an operator. Thread-safe.
 */
final class SlurmLookup {
    private static final Logger log = LoggerFactory.getLogger(SlurmLookup.class);
    private static final int MOST_NAMES = 200;
    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

    private final SlurmConfig config;
    private final LrmsCommands commands;
    private final Supplier<String> marks;
    private final Executor work;
    private final UnreadableJobs unreadable = new UnreadableJobs(log);

    SlurmLookup(SlurmConfig config, LrmsCommands commands, Supplier<String> marks, Executor work) {
        this.config = config;
        this.commands = commands;
        this.marks = marks;
        this.work = work;
    }

    CompletableFuture<List<LrmsJob>> all() {
        return squeue(List.of()).thenApply(SlurmListing::jobs);
    }

    /** Those of these jobs that squeue shows as ours, by id. */
    CompletableFuture<Map<String, SlurmListing.Shown>> byId(Collection<String> ids) {
        Set<String> wanted = Set.copyOf(ids);
        return squeue(List.of())
                .thenApply(listing -> listing.shown().stream()
                        .filter(one -> !one.job().isUnreadable()
                                && wanted.contains(one.job().lrmsId()))
                        .collect(Collectors.toMap(one -> one.job().lrmsId(), Function.identity(), (a, b) -> a)));
    }

    CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        Map<String, Lookup> wanted = new HashMap<>();
        lookups.forEach(one -> wanted.put(one.tag(), one));
        Map<String, LrmsJob> found = new HashMap<>();
        return inQueue(wanted, found)
                .thenCompose(ignored -> inChunks(wanted.keySet(), some -> sacct(missing(some, found), wanted, found)))
                .thenApplyAsync(
                        ignored -> {
                            Set<String> missing = missing(wanted.keySet(), found);
                            if (config.jobCompletionLog() != null && !missing.isEmpty()) {
                                List<Lookup> ended = lookups.stream()
                                        .filter(one -> missing.contains(one.tag()))
                                        .toList();
                                keep(
                                        new JobCompletionLog(config.jobCompletionLog()).find(ended),
                                        missing,
                                        wanted,
                                        found);
                            }
                            return found;
                        },
                        work);
    }

    /** The ids of those that squeue shows under their known id. */
    CompletableFuture<Set<String>> shown(Collection<Lookup> jobs) {
        Map<String, String> ids = new HashMap<>();
        jobs.forEach(job -> ids.put(job.tag(), job.lrmsId()));
        Set<String> shown = new TreeSet<>();
        return inChunks(ids.keySet(), some -> squeue(some).thenAccept(listing -> keep(listing, ids, shown)))
                .thenCompose(ignored -> {
                    ids.values().removeAll(shown);
                    return ids.isEmpty() ? NOTHING : squeue(List.of()).thenAccept(listing -> keep(listing, ids, shown));
                })
                .thenApply(ignored -> shown);
    }

    private static void keep(SlurmListing listing, Map<String, String> ids, Set<String> shown) {
        listing.jobs().stream()
                .filter(job -> job.lrmsId().equals(ids.get(job.tag()))
                        || (job.tag().isEmpty() && ids.containsValue(job.lrmsId())))
                .forEach(job -> shown.add(job.lrmsId()));
    }

    /**
     * By name, as these are few where the listing of all jobs may be long; and by id those whose name an administrator, or the job
     * itself, may have changed.
     */
    private CompletableFuture<Void> inQueue(Map<String, Lookup> wanted, Map<String, LrmsJob> found) {
        return inChunks(wanted.keySet(), some -> squeue(some).thenAccept(listing -> keep(listing, some, wanted, found)))
                .thenCompose(ignored -> {
                    Map<String, String> renamed = new HashMap<>();
                    wanted.values().stream()
                            .filter(one -> one.lrmsId() != null && !isFound(one, found.get(one.tag())))
                            .forEach(one -> renamed.put(one.tag(), one.lrmsId()));
                    return renamed.isEmpty()
                            ? NOTHING
                            : squeue(List.of())
                                    .thenAccept(all -> keep(all.of(renamed), renamed.keySet(), wanted, found));
                });
    }

    private static boolean isFound(Lookup one, LrmsJob job) {
        return job != null && one.lrmsId().equals(job.lrmsId());
    }

    private static CompletableFuture<Void> inChunks(
            Collection<String> tags, Function<Set<String>, CompletableFuture<Void>> query) {
        List<String> all = List.copyOf(new TreeSet<>(tags));
        CompletableFuture<Void> queries = NOTHING;
        for (int i = 0; i < all.size(); i += MOST_NAMES) {
            Set<String> some = Set.copyOf(all.subList(i, Math.min(i + MOST_NAMES, all.size())));
            queries = queries.thenCompose(ignored -> query.apply(some));
        }
        return queries;
    }

    /** @param names of the jobs to list; empty for all jobs */
    private CompletableFuture<SlurmListing> squeue(Collection<String> names) {
        String mark = marks.get();
        List<String> arguments = new ArrayList<>(List.of("--noheader", "--states=all"));
        if (!names.isEmpty()) {
            arguments.add("--name=" + String.join(",", names));
        }
        arguments.add("--Format=" + SlurmListing.squeueFormat(mark));
        SlurmListing.Reader reader = SlurmListing.ofSqueue(mark);
        return commands.stream(AccountCommands.SELF, "squeue", arguments, Map.of(), work, reader::take)
                .thenApply(completed -> read("squeue", completed, reader));
    }

    private CompletableFuture<Void> sacct(Set<String> names, Map<String, Lookup> wanted, Map<String, LrmsJob> found) {
        if (config.accounting() == Accounting.NO || names.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        String mark = marks.get();
        List<String> arguments = List.of(
                "--noheader",
                "--parsable2",
                "--allusers",
                "--allocations",
                "--delimiter=" + SlurmListing.sacctDelimiter(mark),
                "--starttime=now-" + config.historyWindow().toSeconds() + "seconds",
                "--name=" + String.join(",", names),
                "--format=" + SlurmListing.sacctFormat());
        SlurmListing.Reader reader = SlurmListing.ofSacct(mark);
        return commands.stream(AccountCommands.SELF, "sacct", arguments, Map.of(), work, reader::take)
                .thenAccept(completed -> {
                    boolean disabled =
                            completed.exit() != 0 && completed.stderr().contains("accounting storage is disabled");
                    if (!disabled || config.accounting() == Accounting.YES) {
                        keep(read("sacct", completed, reader), names, wanted, found);
                    }
                });
    }

    private SlurmListing read(String program, Completed completed, SlurmListing.Reader reader) {
        commands.endedWell(program, completed);
        // truncated output would make jobs appear gone
        if (reader.isCut()) {
            throw new LrmsException(program + " ended within a line; its output is not complete");
        }
        SlurmListing listing = reader.listing();
        if (listing.marked() == 0 && !reader.firstLine().isBlank()) {
            throw new LrmsException(
                    program + " printed output that cannot be parsed: " + SlurmMessages.brief(reader.firstLine()));
        }
        unreadable.report(program, listing.unreadable());
        return listing;
    }

    /** Any local user can give a job one of our names: those of other accounts than the one looked up do not count. */
    private static void keep(
            SlurmListing listing, Set<String> tags, Map<String, Lookup> wanted, Map<String, LrmsJob> found) {
        Map<String, String> byId = new HashMap<>();
        tags.forEach(tag -> byId.put(wanted.get(tag).lrmsId(), tag));
        for (SlurmListing.Shown one : listing.shown()) {
            if (one.tag().isEmpty() && byId.containsKey(one.job().lrmsId())) {
                String tag = byId.get(one.job().lrmsId());
                found.putIfAbsent(tag, LrmsJob.unreadable(tag, one.job().reason()));
            }
            Lookup lookup = tags.contains(one.tag()) ? wanted.get(one.tag()) : null;
            if (lookup != null && one.mayBeOf(lookup.account())) {
                found.merge(one.tag(), one.job(), (a, b) -> better(a, b, lookup.lrmsId()));
            }
        }
    }

    /**
     * Of two jobs of one tag: the one with the wanted id, else one that can be read, that has not ended (the other found the claim
     * taken), the older.
     */
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
        return Long.parseLong(a.lrmsId()) <= Long.parseLong(b.lrmsId()) ? a : b;
    }

    private static Set<String> missing(Collection<String> wanted, Map<String, LrmsJob> found) {
        Set<String> missing = new TreeSet<>(wanted);
        missing.removeAll(found.keySet());
        return missing;
    }
}
