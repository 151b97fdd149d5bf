package org.gelato.ce.perf.measure;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Processes that are counted together. What one that ended had used at the last sample stays counted. Used by one thread
 * at a time.
 */
final class ProcessGroup {
    private final Map<Long, ProcessReading> first = new HashMap<>();
    private final Map<Long, ProcessReading> last = new HashMap<>();
    private boolean hasLooked;
    private long starts;

    /** The processes themselves, and beside them what they waited for. */
    record Both(ProcessUsage own, ProcessUsage children) {}

    /** Samples those that are there now. */
    Both sample(Collection<Long> pids) {
        long rss = 0;
        int descriptors = 0;
        int threads = 0;
        for (long pid : pids) {
            ProcessReading now = ProcessReading.of(pid).orElse(null);
            if (now == null) {
                continue;
            }
            if (!hasLooked) {
                first.put(pid, now);
            } else if (!last.containsKey(pid)) {
                starts++;
            }
            last.put(pid, now);
            rss += now.rssKib();
            descriptors += now.descriptors();
            threads += now.threads();
        }
        hasLooked = true;
        return sum(rss, descriptors, threads);
    }

    private Both sum(long rss, int descriptors, int threads) {
        long user = 0;
        long system = 0;
        long childrenUser = 0;
        long childrenSystem = 0;
        for (Map.Entry<Long, ProcessReading> e : last.entrySet()) {
            ProcessReading now = e.getValue();
            ProcessReading before = first.get(e.getKey());
            user += now.userMillis() - (before == null ? 0 : before.userMillis());
            system += now.systemMillis() - (before == null ? 0 : before.systemMillis());
            childrenUser += now.childrenUserMillis() - (before == null ? 0 : before.childrenUserMillis());
            childrenSystem += now.childrenSystemMillis() - (before == null ? 0 : before.childrenSystemMillis());
        }
        return new Both(
                new ProcessUsage(user, system, rss, descriptors, threads, starts),
                new ProcessUsage(childrenUser, childrenSystem, 0, 0, 0, 0));
    }
}
