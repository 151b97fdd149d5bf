package org.gelato.ce.core.message;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Jobs of which this process has seen that they have a row in {@code job_messages}, so that others cost no statement. Nobody relies on it:
 * what another process or an earlier one has seen is missing, and a purged job's stays for a while. Thread-safe.
 */
public final class KnownRows {
    private static final int MOST = 100_000;

    private final Set<Integer> jobs = ConcurrentHashMap.newKeySet();

    boolean contains(int job) {
        return jobs.contains(job);
    }

    void addAll(Collection<Integer> more) {
        if (jobs.size() > MOST) {
            jobs.clear();
        }
        jobs.addAll(more);
    }
}
