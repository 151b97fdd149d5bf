package org.gelato.ce.core.follow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.StateReasons;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Keeps why jobs wait or are held, as the batch system says it, in the description of their state. A poll costs no statement
 * when nothing changed, and one whatever changed: what is beyond its bound comes with the next polls, in turn, so that reasons
 * that change all the time keep no job's from being stored (docs/developer/decisions/0092).
 *
 * <p>Used by one thread per batch system. What it keeps in memory is whose turn it is, which a restart may forget.
 */
final class WaitReasons {
    /** Characters of a reason. */
    static final int LONGEST = 200;

    private final String lrms;
    private final Database database;
    private final StateReasons stored = new StateReasons();
    private int last;

    /** @param lrms the batch system's name, before its words */
    WaitReasons(String lrms, Database database) {
        this.lrms = lrms;
        this.database = database;
    }

    /** Whether a job stays where it is, for another reason. */
    boolean isNews(JobRow row, LrmsJob job) {
        boolean waits = row.state() == JobState.IDLE && job.state() == LrmsJob.State.QUEUED;
        boolean held = row.state() == JobState.HELD && job.state() == LrmsJob.State.HELD;
        return (waits || held) && !Objects.equals(of(job), row.status().description());
    }

    /** Stores reasons that changed, as many as one statement may have. */
    void store(NavigableMap<Integer, String> changed) {
        if (changed.isEmpty()) {
            return;
        }
        List<Integer> inTurn = new ArrayList<>(changed.tailMap(last, false).keySet());
        inTurn.addAll(changed.headMap(last, true).keySet());
        Map<Integer, String> next = new LinkedHashMap<>();
        Set<String> reasons = new HashSet<>();
        for (int job : inTurn) {
            String reason = changed.get(job);
            if (next.size() < StateReasons.MAX_JOBS
                    && (reasons.contains(reason) || reasons.size() < StateReasons.MAX_REASONS)) {
                reasons.add(reason);
                next.put(job, reason);
                last = job;
            }
        }
        database.batches()
                .write(
                        List.copyOf(next.keySet()),
                        part -> database.change(h -> {
                            Map<Integer, String> some = new LinkedHashMap<>(next);
                            some.keySet().retainAll(Set.copyOf(part));
                            stored.store(h, some);
                        }),
                        job -> "why job " + job + " waits",
                        (job, reason) -> {});
    }

    /** The batch system's words, of users and administrators too, on one line; null when it says nothing. */
    String of(LrmsJob job) {
        if (job.reason() == null) {
            return null;
        }
        StringBuilder words = new StringBuilder(lrms).append(": ");
        int begin = words.length();
        boolean gap = false;
        for (int i = 0; i < job.reason().length() && words.length() < LONGEST; ) {
            int c = job.reason().codePointAt(i);
            i += Character.charCount(c);
            if (isPrintable(c)) {
                if (gap && words.length() > begin) {
                    words.append(' ');
                }
                words.appendCodePoint(c);
                gap = false;
            } else {
                gap = true;
            }
        }
        return words.length() == begin ? null : words.toString();
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
