package org.gelato.ce.lrms.slurm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.UnreadableJobs;
import org.gelato.ce.core.lrms.command.LrmsCommands;
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
    private static final int MAX_NAMES = 200;
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

    /** @param ids of ours, see {@link org.gelato.ce.core.lrms.Lrms#poll(Collection)} */
    CompletableFuture<List<LrmsJob>> all(Collection<String> ids) {
        return squeue(List.of(), ids).thenApply(SlurmListing::jobs);
    }

    /** Those of these jobs that squeue shows as ours, by id. */
    CompletableFuture<Map<String, SlurmListing.Shown>> byId(Collection<String> ids) {
        Set<String> wanted = Set.copyOf(ids);
        return squeue(List.of(), ids)
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
                .thenCompose(ignored -> inHistory(wanted, found))
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
                                        found,
                                        true);
                            }
                            return found;
                        },
                        work);
    }

    /** The ids of those that squeue shows under their known id. */
    CompletableFuture<Set<String>> shown(Collection<Lookup> jobs) {
        Map<String, Lookup> wanted = new HashMap<>();
        jobs.forEach(one -> wanted.put(one.tag(), one));
        Map<String, LrmsJob> found = new HashMap<>();
        return inQueue(wanted, found)
                .thenApply(ignored -> wanted.values().stream()
                        .filter(one -> isFound(one, found.get(one.tag())))
                        .map(Lookup::lrmsId)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /**
     * By name, as these are few where the listing of all jobs may be long; and among all those whose name an administrator, the site's
     * plugin or the job itself may have changed.
     */
    private CompletableFuture<Void> inQueue(Map<String, Lookup> wanted, Map<String, LrmsJob> found) {
        return inChunks(
                        wanted.keySet(),
                        some -> squeue(some, List.of())
                                .thenAccept(listing -> keep(listing, some, wanted, found, false)))
                .thenCompose(ignored -> {
                    Set<String> renamed = wanted.values().stream()
                            .filter(one -> !isFound(one, found.get(one.tag())))
                            .map(Lookup::tag)
                            .collect(Collectors.toSet());
                    return renamed.isEmpty()
                            ? NOTHING
                            : squeue(List.of(), ids(renamed, wanted))
                                    .thenAccept(all -> keep(all, renamed, wanted, found, true));
                });
    }

    private static boolean isFound(Lookup one, LrmsJob job) {
        return job != null
                && (one.lrmsId() == null || job.isUnreadable() || one.lrmsId().equals(job.lrmsId()));
    }

    private static List<String> ids(Collection<String> tags, Map<String, Lookup> wanted) {
        return tags.stream()
                .map(tag -> wanted.get(tag).lrmsId())
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    /** By id; by name those whose id is not known. */
    private CompletableFuture<Void> inHistory(Map<String, Lookup> wanted, Map<String, LrmsJob> found) {
        Map<Boolean, List<String>> missing = missing(wanted.keySet(), found).stream()
                .collect(Collectors.partitioningBy(tag -> wanted.get(tag).lrmsId() != null));
        return inChunks(missing.get(true), some -> sacct("--jobs=", ids(some, wanted), some, wanted, found))
                .thenCompose(ignored -> inChunks(
                        missing.get(false), some -> sacct("--name=", new TreeSet<>(some), some, wanted, found)));
    }

    private static CompletableFuture<Void> inChunks(
            Collection<String> tags, Function<Set<String>, CompletableFuture<Void>> query) {
        List<String> all = List.copyOf(new TreeSet<>(tags));
        CompletableFuture<Void> queries = NOTHING;
        for (int i = 0; i < all.size(); i += MAX_NAMES) {
            Set<String> some = Set.copyOf(all.subList(i, Math.min(i + MAX_NAMES, all.size())));
            queries = queries.thenCompose(ignored -> query.apply(some));
        }
        return queries;
    }

    /**
     * @param names of the jobs to list; empty for all jobs
     * @param ids of ours
     */
    private CompletableFuture<SlurmListing> squeue(Collection<String> names, Collection<String> ids) {
        String mark = marks.get();
        List<String> arguments = new ArrayList<>(List.of("--noheader", "--states=all"));
        if (!names.isEmpty()) {
            arguments.add("--name=" + String.join(",", names));
        }
        arguments.add("--Format=" + SlurmListing.squeueFormat(mark));
        SlurmListing.Reader reader = SlurmListing.ofSqueue(mark, outsideOfSandboxes(ids));
        return commands.stream(AccountCommands.SELF, "squeue", arguments, SlurmListing.TIMES, work, reader::take)
                .thenApply(completed -> read("squeue", completed, reader));
    }

    private Set<String> outsideOfSandboxes(Collection<String> ids) {
        return config.wrapperOutput() == null ? Set.of() : Set.copyOf(ids);
    }

    private CompletableFuture<Void> sacct(
            String by,
            Collection<String> values,
            Set<String> tags,
            Map<String, Lookup> wanted,
            Map<String, LrmsJob> found) {
        if (config.accounting() == Accounting.NO) {
            return CompletableFuture.completedFuture(null);
        }
        String mark = marks.get();
        List<String> arguments = List.of(
                "--noheader",
                "--parsable2",
                "--allusers",
                "--duplicates",
                "--delimiter=" + SlurmListing.sacctDelimiter(mark),
                "--starttime=now-30days",
                by + String.join(",", values),
                "--format=" + SlurmListing.sacctFormat());
        SlurmListing.Reader reader = SlurmListing.ofSacct(mark, outsideOfSandboxes(ids(tags, wanted)));
        return commands.stream(AccountCommands.SELF, "sacct", arguments, SlurmListing.TIMES, work, reader::take)
                .thenAccept(completed -> {
                    boolean disabled =
                            completed.exit() != 0 && completed.stderr().contains("accounting storage is disabled");
                    if (!disabled || config.accounting() == Accounting.YES) {
                        keep(read("sacct", completed, reader), tags, wanted, found, true);
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

    /**
     * Any local user can give a job one of our names: those of other accounts than the one looked up do not count.
     *
     * @param exact whether of a job with a known id only that counts; a listing by names may have another hand-over of it
     */
    private static void keep(
            SlurmListing listing,
            Set<String> tags,
            Map<String, Lookup> wanted,
            Map<String, LrmsJob> found,
            boolean exact) {
        Map<String, String> tagsById = new HashMap<>();
        tags.forEach(tag -> tagsById.put(wanted.get(tag).lrmsId(), tag));
        for (SlurmListing.Shown one : listing.shown()) {
            String tag = one.isAny() ? tagsById.get(one.job().lrmsId()) : one.tag();
            Lookup lookup = tag != null && tags.contains(tag) ? wanted.get(tag) : null;
            boolean byId = one.isAny() || (exact && lookup != null && lookup.lrmsId() != null);
            if (lookup == null || !one.mayBeOf(lookup.account()) || (byId && !isById(one.job(), lookup))) {
                continue;
            }
            LrmsJob job = one.isAny() && !one.readable()
                    ? LrmsJob.unreadable(tag, one.job().reason())
                    : one.job();
            found.merge(tag, job.named(tag), (a, b) -> better(a, b, lookup.lrmsId()));
        }
    }

    /** A row that can't be read may be of any id. */
    private static boolean isById(LrmsJob job, Lookup lookup) {
        return job.isUnreadable() || job.isOf(lookup);
    }

    /**
     * Of two jobs of one tag: the one with the wanted id, else one that can be read, that has not ended (the other found the claim
     * taken), the older. sacct lists what it has of one id from the oldest to the last.
     */
    private static LrmsJob better(LrmsJob a, LrmsJob b, String wanted) {
        if (a.isUnreadable() || b.isUnreadable()) {
            return a.isUnreadable() ? b : a;
        }
        if (a.lrmsId().equals(b.lrmsId())) {
            return b;
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
