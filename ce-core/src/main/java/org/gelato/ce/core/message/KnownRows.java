package org.gelato.ce.core.message;

import java.util.Collection;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;

/**
 * Jobs of which this process has seen that they have a row in {@code job_messages}, so that others cost no statement. Nobody relies on it:
 * what another process or an earlier one has seen is missing, and a purged job's stays for a while. Thread-safe.
 */
public final class KnownRows {
    private final ByteBoundedCache<Integer, Boolean> jobs =
            new ByteBoundedCache<>(CacheShare.MESSAGE_ROWS, (job, known) -> Integer.BYTES);

    boolean contains(int job) {
        return jobs.get(job).isPresent();
    }

    void addAll(Collection<Integer> more) {
        more.forEach(job -> jobs.put(job, true));
    }
}
