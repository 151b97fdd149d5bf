package org.gelato.ce.core.wrapper;

import org.gelato.ce.core.base.Key;

/**
 * How much a job may send while it runs (docs/user/live.md). The CE stores no more, and a wrapper sends no more, so that a job over its quota
 * costs the CE nothing.
 *
 * @param perJob messages of a job; 0 where jobs send neither messages nor output
 * @param bytesPerJob bytes of the messages of a job, with their keys
 * @param outputPerJob bytes of a job's standard output and error together
 */
public record MessageSettings(
        @Key(min = "0", max = "1000000") int perJob,
        @Key(min = "64 KiB", max = "1 GiB") long bytesPerJob,
        @Key(min = "0 B", max = "1 GiB") long outputPerJob) {
    public static final MessageSettings NONE = new MessageSettings(0, 0, 0);

    /** Whether jobs may send anything. */
    public boolean isOn() {
        return perJob > 0;
    }
}
