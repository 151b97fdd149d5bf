package org.gelato.ce.perf.measure;

/**
 * What a group of processes has used.
 *
 * @param userMillis since the first sample
 * @param systemMillis since the first sample
 * @param rssKib now, all together
 * @param descriptors now, all together
 * @param threads now, all together
 * @param starts processes seen for the first time since the first sample; what runs for less than a second is rarely seen
 */
public record ProcessUsage(long userMillis, long systemMillis, long rssKib, int descriptors, int threads, long starts) {
    static final ProcessUsage NONE = new ProcessUsage(0, 0, 0, 0, 0, 0);

    public long cpuMillis() {
        return userMillis + systemMillis;
    }

    /** CPU and starts of both, and what they hold now. */
    ProcessUsage plus(ProcessUsage other) {
        return new ProcessUsage(
                userMillis + other.userMillis,
                systemMillis + other.systemMillis,
                rssKib + other.rssKib,
                descriptors + other.descriptors,
                threads + other.threads,
                starts + other.starts);
    }
}
