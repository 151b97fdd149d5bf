package org.gelato.ce.lrms.torque;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * Finds jobs in qstat's listing of all jobs: queued, running and for {@code keep_completed} seconds ended. Jobs that it does
 * not show (any more) are sought in the accounting log, where the site has it read. Queries as the helper's own account, so
 * the server must have {@code query_other_jobs=True} or that account as an operator. Thread-safe; keeps only whether this
 * qstat can print XML and which unreadable jobs the log has, which a new process finds out again.
 */
final class TorqueLookup {
    private static final Logger log = LoggerFactory.getLogger(TorqueLookup.class);
    private static final int MAX_ACCOUNTED = 200_000;
    private static final int BAD_OPTION = 2;
    private static final String UNREADABLE = "qstat shows what may be this job in a form that can't be read";

    private final LrmsCommands commands;
    private final TorqueConfig config;
    private final Executor work;
    private final AccountingLog accounting;
    private final AccountingTail tail;
    private final UnreadableJobs unreadable = new UnreadableJobs(log);
    private volatile boolean xml;

    TorqueLookup(TorqueConfig config, LrmsCommands commands, Executor work) {
        this.commands = commands;
        this.config = config;
        this.work = work;
        this.accounting = config.accountingDirectory() == null
                ? null
                : new AccountingLog(config.accountingDirectory(), MAX_ACCOUNTED);
        this.tail = config.accountingDirectory() == null
                ? null
                : new AccountingTail(config.accountingDirectory(), Clock.systemUTC());
        this.xml = !config.slurm();
    }

    /**
     * All jobs with names of ours, and those with ids of ours; one that cannot be read is {@link LrmsJob.State#UNKNOWN}, and so by {@link #find}. Where the
     * accounting log records how jobs ended, those that have ended are not requested, and the log shows them.
     *
     * @param ids of ours, see {@link org.gelato.ce.core.lrms.Lrms#poll(Collection)}
     */
    CompletableFuture<List<LrmsJob>> all(Collection<String> ids) {
        Set<String> known = Set.copyOf(ids);
        Predicate<JobFields> ours = fields -> fields.ours() || known.contains(fields.id());
        return listing(ours, withoutEnded()).thenApply(listing -> {
            report(listing);
            List<LrmsJob> jobs = new ArrayList<>();
            listing.jobs().stream()
                    .map(QstatListing.Listed::job)
                    .filter(Objects::nonNull)
                    .forEach(jobs::add);
            if (tail != null) {
                // Of a deleted job qstat shows only its wrapper's exit code.
                Map<String, LrmsJob> ended = new HashMap<>();
                tail.ended().forEach(job -> ended.put(job.lrmsId(), job));
                jobs.replaceAll(
                        job -> mayBeDeleted(job) && isDeleted(ended.get(job.lrmsId())) ? ended.get(job.lrmsId()) : job);
                listing.jobs().forEach(shown -> ended.remove(shown.id()));
                jobs.addAll(ended.values());
            }
            Set<String> shown = jobs.stream().map(LrmsJob::lrmsId).collect(Collectors.toSet());
            for (QstatListing.Damaged one : listing.damaged()) {
                if (!one.id().isEmpty() && shown.add(one.id())) {
                    jobs.add(new LrmsJob(one.id(), null, LrmsJob.State.UNKNOWN, null, UNREADABLE, null));
                }
            }
            return jobs;
        });
    }

    /** The ids of those that qstat shows as theirs; one that it shows in a form that can't be read counts as that. */
    CompletableFuture<Set<String>> stillOwned(Collection<Lookup> jobs) {
        Map<String, Lookup> byId = new HashMap<>();
        jobs.forEach(one -> byId.put(one.lrmsId(), one));
        return listing(fields -> byId.containsKey(fields.id()), withoutEnded()).thenApply(listing -> {
            report(listing);
            Set<String> theirs = new HashSet<>();
            listing.jobs().stream()
                    .filter(listed -> isOf(listed, byId.get(listed.id())))
                    .forEach(listed -> theirs.add(listed.id()));
            jobs.stream().filter(listing::mayShow).forEach(one -> theirs.add(one.lrmsId()));
            return theirs;
        });
    }

    /** Where the accounting log has them. */
    private Map<String, String> withoutEnded() {
        return accounting == null ? Map.of() : TorqueOwnAccountCommands.WITHOUT_ENDED;
    }

    /** Any local user can give a job the name of another's. */
    private static boolean isOf(QstatListing.Listed listed, Lookup one) {
        return listed.owner().equals(one.account())
                && (one.tag().equals(listed.tag())
                        || (listed.job() != null && listed.job().isOf(one)));
    }

    CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        if (lookups.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        Map<String, Lookup> byTag = new HashMap<>();
        lookups.forEach(one -> byTag.put(one.tag(), one));
        // with those that have ended: the log may lag behind, and a job that is nowhere is lost
        Map<String, Lookup> byId = new HashMap<>();
        lookups.stream().filter(one -> one.lrmsId() != null).forEach(one -> byId.put(one.lrmsId(), one));
        Predicate<JobFields> wanted =
                fields -> byTag.containsKey(fields.tag()) || (!fields.ours() && byId.containsKey(fields.id()));
        return listing(wanted, Map.of()).thenApply(listing -> {
            Map<String, LrmsJob> found = shown(listing, byTag, byId);
            List<Lookup> missing = lookups.stream()
                    .filter(one -> !found.containsKey(one.tag()))
                    .toList();
            if (!missing.isEmpty() && accounting != null) {
                found.putAll(accounting.find(missing));
            }
            found.putAll(deleted(lookups, found));
            report(listing);
            for (Lookup one : lookups) {
                LrmsJob job = found.get(one.tag());
                if (job == null && listing.mayShow(one)) {
                    found.put(one.tag(), LrmsJob.unreadable(one.tag(), UNREADABLE));
                } else if (missing.contains(one) && isWithoutEnd(one, job) && !listing.mayShow(one)) {
                    found.put(one.tag(), gone(job));
                }
            }
            return found;
        });
    }

    /** A job that the log has as alive and that qstat does not show: a server that was killed has written no end of it. */
    private static boolean isWithoutEnd(Lookup lookups, LrmsJob job) {
        return job != null && !job.state().isEnd() && job.lrmsId().equals(lookups.lrmsId());
    }

    private static LrmsJob gone(LrmsJob job) {
        String reason = "qstat does not show it any more, and the accounting log has no end of it";
        return new LrmsJob(job.lrmsId(), job.tag(), LrmsJob.State.DONE, null, reason, job.workerNode());
    }

    private void report(QstatListing listing) {
        unreadable.report(
                "qstat",
                Stream.concat(
                                listing.damaged().stream().map(QstatListing.Damaged::named),
                                listing.jobs().stream()
                                        .filter(one ->
                                                one.job() == null || one.job().state() == LrmsJob.State.UNKNOWN)
                                        .map(one -> one.tag() + " in the state " + TorqueMessages.brief(one.state())))
                        .toList());
    }

    /** Of the ended jobs those that were deleted. qstat shows only a deleted wrapper's exit code; the log records the deletion. */
    private Map<String, LrmsJob> deleted(Collection<Lookup> lookups, Map<String, LrmsJob> found) {
        List<Lookup> ended = lookups.stream()
                .filter(one -> mayBeDeleted(found.get(one.tag())))
                .toList();
        if (ended.isEmpty() || accounting == null) {
            return Map.of();
        }
        Map<String, LrmsJob> deleted = accounting.find(ended);
        deleted.values().removeIf(job -> job.state() != LrmsJob.State.CANCELLED);
        return deleted;
    }

    private static boolean isDeleted(LrmsJob job) {
        return job != null && job.state() == LrmsJob.State.CANCELLED;
    }

    private static boolean mayBeDeleted(LrmsJob job) {
        return job != null && (job.state() == LrmsJob.State.DONE || job.state() == LrmsJob.State.CANCELLED);
    }

    private static Map<String, LrmsJob> shown(
            QstatListing listing, Map<String, Lookup> byTag, Map<String, Lookup> byId) {
        Map<String, LrmsJob> found = new HashMap<>();
        for (QstatListing.Listed listed : listing.jobs()) {
            Lookup one = byTag.getOrDefault(listed.tag(), byId.get(listed.id()));
            if (one == null || !isOf(listed, one)) {
                continue;
            }
            LrmsJob job = listed.job() == null ? LrmsJob.unreadable(one.tag(), UNREADABLE) : listed.job();
            found.merge(one.tag(), job.named(one.tag()), (a, b) -> better(a, b, one.lrmsId()));
        }
        return found;
    }

    /** Of two jobs of one tag: the one with the wanted id, else one that can be read, that has not ended, the older. */
    private static LrmsJob better(LrmsJob a, LrmsJob b, String wanted) {
        if (a.isUnreadable() || b.isUnreadable()) {
            return a.isUnreadable() ? b : a;
        }
        if (b.lrmsId().equals(wanted) || a.lrmsId().equals(wanted)) {
            return a.lrmsId().equals(wanted) ? a : b;
        }
        if (a.state().isEnd() != b.state().isEnd()) {
            return a.state().isEnd() ? b : a;
        }
        return number(a) <= number(b) ? a : b;
    }

    private static long number(LrmsJob job) {
        int dot = job.lrmsId().indexOf('.');
        return Long.parseLong(dot < 0 ? job.lrmsId() : job.lrmsId().substring(0, dot));
    }

    private CompletableFuture<QstatListing> listing(Predicate<JobFields> wanted, Map<String, String> more) {
        if (!xml) {
            return asText(wanted, more);
        }
        ListingReader reader = ListingReader.of(true, config.slurm(), wanted);
        return qstat(true, more, reader).thenCompose(completed -> {
            if (completed.exit() == BAD_OPTION && !completed.timedOut()) {
                log.info("this qstat does not support -x; its text output is read instead");
                xml = false;
                return asText(wanted, more);
            }
            return CompletableFuture.completedFuture(read(completed, reader));
        });
    }

    private CompletableFuture<QstatListing> asText(Predicate<JobFields> wanted, Map<String, String> more) {
        ListingReader reader = ListingReader.of(false, config.slurm(), wanted);
        return qstat(false, more, reader).thenApply(completed -> read(completed, reader));
    }

    private CompletableFuture<Completed> qstat(boolean asXml, Map<String, String> more, ListingReader reader) {
        return commands.stream(
                AccountCommands.SELF,
                "qstat",
                TorqueOwnAccountCommands.listing(config, asXml),
                more,
                work,
                reader::take);
    }

    private QstatListing read(Completed completed, ListingReader reader) {
        if (completed.timedOut()) {
            throw new LrmsException("qstat did not end in time " + TorqueMessages.brief(completed.stderr()));
        }
        // Slurm's qstat ends like this where there is no job
        boolean none = config.slurm() && completed.exit() == ServerCode.UNKNOWN_JOB && reader.isBlank();
        if (completed.exit() != 0 && !none) {
            throw new LrmsException("qstat: " + TorqueMessages.brief(completed.stderr() + "\n" + reader.firstLine())
                    + " (status " + completed.exit() + ")");
        }
        // truncated output would make jobs appear gone
        if (!reader.isBlank() && !reader.isWhole()) {
            throw new LrmsException("qstat printed output that cannot be parsed or is incomplete: "
                    + TorqueMessages.brief(reader.firstLine()));
        }
        return reader.end();
    }
}
