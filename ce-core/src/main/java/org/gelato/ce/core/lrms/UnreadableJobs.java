package org.gelato.ce.core.lrms;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;

/**
 * Reports what a batch system shows of jobs in a form that can't be read: each once, as every poll shows it again. Keeps the
 * last thousand, so that a line comes again where there are more at once. Thread-safe.
 */
public final class UnreadableJobs {
    private static final int MAX_KEPT = 1000;
    private static final int MAX_NAMED = 10;

    private final Logger log;
    private final Set<String> reported = new LinkedHashSet<>();

    public UnreadableJobs(Logger log) {
        this.log = log;
    }

    /**
     * @param program that shows them
     * @param jobs what identifies each, without line ends
     */
    public synchronized void report(String program, Collection<String> jobs) {
        Set<String> fresh = new TreeSet<>();
        for (String job : jobs) {
            if (reported.add(program + ' ' + job)) {
                fresh.add(job);
            }
        }
        while (reported.size() > MAX_KEPT) {
            reported.remove(reported.iterator().next());
        }
        if (!fresh.isEmpty()) {
            log.warn(
                    "{} shows {} jobs that can't be read, nothing is concluded about them: {}{}",
                    program,
                    fresh.size(),
                    fresh.stream().limit(MAX_NAMED).toList(),
                    fresh.size() > MAX_NAMED ? " and others" : "");
        }
    }
}
