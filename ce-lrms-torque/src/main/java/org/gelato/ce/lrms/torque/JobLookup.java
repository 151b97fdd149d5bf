package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.lrms.Lrms.Sought;
import org.gelato.ce.core.lrms.LrmsJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs in what qstat shows of all of them, queued, running and for {@code keep_completed} seconds ended, and for those
 * it does not show (any more) in the accounting log where the site has it read. Asks as the helper's own account, so the
 * server must have {@code query_other_jobs=True} or know that account as an operator. Thread-safe; keeps only whether this
 * qstat can print XML, which a new process finds out again.
 */
final class JobLookup {
    private static final Logger LOG = LoggerFactory.getLogger(JobLookup.class);
    /** A job takes some 1200 bytes, so that is the listing of 13 000; the helper must allow it. */
    static final int MAX_LISTING = 16 * 1024 * 1024;

    private static final int MOST_ACCOUNTED = 200_000;
    private static final int BAD_OPTION = 2;

    private final TorqueCommands commands;
    private final TorqueConfig config;
    private final Executor work;
    private final AccountingLog accounting;
    private volatile boolean xml;

    JobLookup(TorqueCommands commands, Executor work) {
        this.commands = commands;
        this.config = commands.config();
        this.work = work;
        this.accounting = config.accountingDirectory() == null
                ? null
                : new AccountingLog(config.accountingDirectory(), MOST_ACCOUNTED);
        this.xml = !config.slurm();
    }

    /** All jobs with names of ours; one that cannot be read is left out, and not called absent by {@link #find}. */
    CompletableFuture<List<LrmsJob>> all() {
        return listing().thenApply(listing -> {
            if (listing.damaged() > 0) {
                LOG.warn("qstat shows {} jobs in a way that cannot be read", listing.damaged());
            }
            List<LrmsJob> jobs = new ArrayList<>();
            for (JobFields fields : listing.jobs()) {
                LrmsJob job = fields.ours() ? fields.job(config.slurm()) : null;
                if (job != null) {
                    jobs.add(job);
                } else if (fields.ours()) {
                    LOG.warn("qstat shows {} in a state that is not known: {}", fields.tag(), fields.state());
                }
            }
            return jobs;
        });
    }

    CompletableFuture<Map<String, LrmsJob>> find(Collection<Sought> sought) {
        if (sought.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return listing().thenApply(listing -> {
            Map<String, LrmsJob> found = shown(listing, sought);
            List<Sought> missing =
                    sought.stream().filter(one -> !found.containsKey(one.tag())).toList();
            if (!missing.isEmpty() && accounting != null) {
                found.putAll(accounting.find(missing));
            }
            // the missing one may be among them
            if (found.size() < sought.size() && listing.damaged() > 0) {
                throw new TorqueException("qstat shows " + listing.damaged() + " jobs in a way that cannot be read");
            }
            return found;
        });
    }

    private Map<String, LrmsJob> shown(JobListing listing, Collection<Sought> sought) {
        Map<String, Sought> byTag = new HashMap<>();
        sought.forEach(one -> byTag.put(one.tag(), one));
        Map<String, LrmsJob> found = new HashMap<>();
        for (JobFields fields : listing.jobs()) {
            Sought one = byTag.get(fields.tag());
            // any local user can give a job this name
            if (one == null || (one.account() != null && !fields.owner().equals(one.account()))) {
                continue;
            }
            LrmsJob job = fields.job(config.slurm());
            if (job == null) {
                throw new TorqueException(
                        "qstat shows " + fields.tag() + " in a state that is not known: " + fields.state());
            }
            found.merge(job.tag(), job, (a, b) -> better(a, b, one.lrmsId()));
        }
        return found;
    }

    /** Of two jobs of one tag: the one that is asked for, else one that is not over, else the elder. */
    private static LrmsJob better(LrmsJob a, LrmsJob b, String asked) {
        if (b.lrmsId().equals(asked) || a.lrmsId().equals(asked)) {
            return a.lrmsId().equals(asked) ? a : b;
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

    private CompletableFuture<JobListing> listing() {
        boolean asXml = xml;
        return qstat(asXml)
                .thenComposeAsync(
                        completed -> {
                            if (asXml && completed.exit() == BAD_OPTION && !completed.timedOut()) {
                                LOG.info("this qstat does not know -x; its text is read instead");
                                xml = false;
                                return qstat(false).thenApplyAsync(again -> read(again, false), work);
                            }
                            return CompletableFuture.completedFuture(read(completed, asXml));
                        },
                        work);
    }

    private CompletableFuture<Completed> qstat(boolean asXml) {
        return commands.run(AccountCommands.SELF, MAX_LISTING, "qstat", OwnAccountCommands.listing(config, asXml));
    }

    private JobListing read(Completed completed, boolean asXml) {
        String output = TorqueCommands.wholeOutput("qstat", completed, MAX_LISTING);
        // Slurm's qstat ends so where there is no job
        boolean none = config.slurm() && completed.exit() == ServerCode.UNKNOWN_JOB && output.isBlank();
        if (completed.exit() != 0 && !none) {
            throw new TorqueException("qstat: " + TorqueWords.brief(completed.stderr() + "\n" + firstLine(output))
                    + " (status " + completed.exit() + ")");
        }
        if (output.isBlank()) {
            return new JobListing(List.of(), 0);
        }
        boolean whole = asXml ? output.stripTrailing().endsWith("</Data>") : output.endsWith("\n");
        JobListing listing =
                asXml ? JobListing.ofXml(output) : JobListing.ofText(output, config.slurm() ? "\t" : "    ");
        boolean empty = listing.jobs().isEmpty() && listing.damaged() == 0;
        // a cut answer would make jobs look gone
        if (!whole || (empty && !(asXml && output.contains("<Data")))) {
            throw new TorqueException("qstat printed what cannot be read: " + TorqueWords.brief(firstLine(output)));
        }
        return listing;
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return text.substring(0, Math.min(end < 0 ? text.length() : end, 500));
    }
}
