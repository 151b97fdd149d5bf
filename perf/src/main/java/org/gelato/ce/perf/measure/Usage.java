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
public record Usage(long userMillis, long systemMillis, long rssKib, int descriptors, int threads, long starts) {
    static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0);

    public long cpuMillis() {
        return userMillis + systemMillis;
    }

    /** CPU and starts of both, and what they hold now. */
    Usage plus(Usage other) {
        return new Usage(
                userMillis + other.userMillis,
                systemMillis + other.systemMillis,
                rssKib + other.rssKib,
                descriptors + other.descriptors,
                threads + other.threads,
                starts + other.starts);
    }
}
