package org.gelato.ce.lrms.condor;

import static org.gelato.ce.lrms.condor.JobAd.Attribute.OWNER;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Jobs in what condor_q or condor_history prints. Pure.
 *
 * @param shown jobs with names of ours, or all
 * @param bad beginnings of lines that can't be read: what they show is not known to be gone
 * @param hasOthers whether a line could be read
 */
record CondorListing(List<Shown> shown, List<String> bad, boolean hasOthers) {
    static final CondorListing EMPTY = new CondorListing(List.of(), List.of(), false);

    private static final Pattern TAG = Pattern.compile("cream_[0-9]{9}");
    static final String UNREADABLE = "HTCondor shows what may be this job in a form that can't be read";

    /**
     * A job.
     *
     * @param tag a name of ours, which any local user can give; empty where it has none
     * @param job {@link LrmsJob.State#UNKNOWN} where it cannot be read, and without an id where that cannot be either
     * @param isOver whether it stands in the queue as if it could run or be released
     * @param isPlaced whether it is known by its number and the name that its directory gives it
     */
    record Shown(String tag, String owner, LrmsJob job, boolean isOver, boolean isPlaced) {
        /** Whether it is this job of that account, handed over then. */
        boolean isOf(Lookup sought) {
            return (owner.isEmpty() || owner.equals(sought.account()))
                    && (!isPlaced || tag.equals(sought.tag()))
                    && (job.submitted() == null || job.isOf(sought));
        }

        boolean isNumbered() {
            return job.lrmsId() != null
                    && CondorId.NUMBER_FORM.matcher(job.lrmsId()).matches();
        }

        private Shown identified(String id) {
            return new Shown(
                    tag,
                    owner,
                    id == null ? LrmsJob.unreadable(job.tag(), UNREADABLE) : job.identified(id),
                    isOver,
                    id != null);
        }
    }

    /** The same with more jobs, which were listed by their ids. */
    CondorListing with(Collection<Shown> more) {
        return new CondorListing(Stream.concat(shown.stream(), more.stream()).toList(), bad, hasOthers);
    }

    /**
     * The same with the whole ids of jobs that a site left nothing but their numbers: of those that are known. Another job may have such a
     * number, when the queue was made anew, but not the directory that gives it its name.
     */
    CondorListing identified(Collection<String> known) {
        if (shown.stream().noneMatch(Shown::isNumbered)) {
            return this;
        }
        Map<String, String> byNumber = new HashMap<>();
        known.forEach(id -> CondorId.of(id).ifPresent(whole -> byNumber.put(whole.number(), id)));
        return new CondorListing(
                shown.stream()
                        .map(one -> one.isNumbered()
                                ? one.identified(byNumber.get(one.job().lrmsId()))
                                : one)
                        .toList(),
                bad,
                hasOthers);
    }

    /** This one and another. */
    CondorListing and(CondorListing other) {
        return new CondorListing(
                Stream.concat(shown.stream(), other.shown.stream()).toList(),
                Stream.concat(bad.stream(), other.bad.stream())
                        .limit(Reader.MAX_BAD)
                        .toList(),
                hasOthers || other.hasOthers);
    }

    /** Whether there are lines, and none looks as if it were a job's: then the program said something else. */
    boolean isOfNoJob() {
        return !hasOthers
                && !bad.isEmpty()
                && bad.stream().allMatch(line -> tags(line).isEmpty());
    }

    /** Names of ours in a line that can't be read. */
    static Set<String> tags(String badLine) {
        return TAG.matcher(badLine).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    List<LrmsJob> jobs() {
        return shown.stream().map(Shown::job).filter(job -> !job.isUnreadable()).toList();
    }

    /** Tags of those that cannot be read; ids of those without one, and lines. */
    Set<String> unknown() {
        return Stream.concat(
                        shown.stream()
                                .filter(one -> one.job().state() == LrmsJob.State.UNKNOWN)
                                .map(one ->
                                        one.tag().isEmpty() ? "job " + one.job().lrmsId() : one.tag()),
                        bad.stream().map(line -> "the line " + CondorMessages.brief(line)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Reads a listing in pieces, in the memory of a line and of the jobs that count. Used by one thread at a time. */
    static final class Reader {
        private static final int LONGEST_MESSAGE = 500;
        private static final int MAX_BAD = 100;

        private final AdLines lines = new AdLines(JobAd.COUNT, this::line);
        private final List<Shown> shown = new ArrayList<>();
        private final boolean all;
        private final List<String> bad = new ArrayList<>();
        private boolean hasOthers;

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
                if (bad.size() < MAX_BAD) {
                    bad.add(line.substring(0, Math.min(line.length(), LONGEST_MESSAGE)));
                }
                return;
            }
            hasOthers = true;
            String tag = ad.tag();
            if (tag == null) {
                if (!all || ad.id() == null) {
                    return;
                }
                tag = "";
            }
            LrmsJob job = CondorState.of(ad);
            if (job == null) {
                job = new LrmsJob(ad.id(), tag, LrmsJob.State.UNKNOWN, null, UNREADABLE, null);
            }
            String owner = ad.text(OWNER);
            shown.add(new Shown(tag, owner == null ? "" : owner, job, CondorState.isOver(ad), false));
        }

        /** Whether the last line came without its end. */
        boolean isCut() {
            return lines.isOpen();
        }

        CondorListing listing() {
            return new CondorListing(List.copyOf(shown), List.copyOf(bad), hasOthers);
        }
    }
}
