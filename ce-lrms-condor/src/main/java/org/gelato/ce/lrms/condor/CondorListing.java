package org.gelato.ce.lrms.condor;

import static org.gelato.ce.lrms.condor.JobAd.Attribute.GELATO_TAG;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.OWNER;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.OutputLines;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Jobs in what condor_q or condor_history prints. Pure.
 *
 * @param shown jobs with names of ours, or all
 * @param unreadable lines that are none of a job's
 */
record CondorListing(List<Shown> shown, int unreadable) {
    private static final Pattern TAG = Pattern.compile("cream_[0-9]{9}");
    private static final String UNREADABLE = "HTCondor shows what may be this job in a form that can't be read";

    /**
     * A job.
     *
     * @param tag a name of ours, which any local user can give; empty where it has none
     * @param job {@link LrmsJob.State#UNKNOWN} where it cannot be read, and without an id where that cannot be either
     * @param isOver whether it stands in the queue as if it could run or be released
     */
    record Shown(String tag, String owner, LrmsJob job, boolean isOver) {}

    /** The same with more jobs, which are known by their ids alone. */
    CondorListing with(Collection<Shown> more) {
        List<Shown> all = new ArrayList<>(shown);
        more.forEach(one -> all.add(new Shown(one.tag(), one.owner(), one.job().named(null), one.isOver())));
        return new CondorListing(List.copyOf(all), unreadable);
    }

    List<LrmsJob> jobs() {
        return shown.stream().map(Shown::job).filter(job -> !job.isUnreadable()).toList();
    }

    /** Tags of those that cannot be read; ids of those without one. */
    Set<String> unknown() {
        return shown.stream()
                .filter(one -> one.job().state() == LrmsJob.State.UNKNOWN)
                .map(one -> one.tag().isEmpty() ? "job " + one.job().lrmsId() : one.tag())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Reads a listing in pieces, in the memory of a line and of the jobs that count. Used by one thread at a time. */
    static final class Reader {
        private static final int LONGEST_LINE = 64 * 1024;
        private static final int LONGEST_MESSAGE = 500;

        private final OutputLines lines = new OutputLines(LONGEST_LINE, this::line);
        private final List<Shown> shown = new ArrayList<>();
        private final boolean all;
        private String firstUnreadable = "";
        private int unreadable;

        private Reader(boolean all) {
            this.all = all;
        }

        /** Jobs with any name or none. */
        static Reader ofAll() {
            return new Reader(true);
        }

        /** Jobs with a name of ours. */
        static Reader ofOurs() {
            return new Reader(false);
        }

        void take(byte[] piece) {
            lines.take(piece);
        }

        private void line(String line) {
            if (line.isBlank()) {
                return;
            }
            JobAd ad = JobAd.of(line);
            if (ad == null) {
                unreadable++;
                if (firstUnreadable.isEmpty()) {
                    firstUnreadable = line.substring(0, Math.min(line.length(), LONGEST_MESSAGE));
                }
                return;
            }
            String tag = ad.text(GELATO_TAG);
            if (tag == null || !TAG.matcher(tag).matches()) {
                if (!all) {
                    return;
                }
                tag = "";
            }
            LrmsJob job = CondorState.of(ad);
            if (job == null) {
                CondorId id = ad.id();
                job = new LrmsJob(
                        id == null ? null : id.toString(), tag, LrmsJob.State.UNKNOWN, null, UNREADABLE, null);
            }
            String owner = ad.text(OWNER);
            shown.add(new Shown(tag, owner == null ? "" : owner, job, CondorState.isOver(ad)));
        }

        /** Whether the last line came without its end. */
        boolean isCut() {
            return lines.isOpen();
        }

        /** The first line that is none of a job's, for messages; empty when there is none. */
        String firstUnreadable() {
            return firstUnreadable;
        }

        CondorListing listing() {
            return new CondorListing(List.copyOf(shown), unreadable);
        }
    }
}
