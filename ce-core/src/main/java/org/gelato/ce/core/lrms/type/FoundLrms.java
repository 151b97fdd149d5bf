package org.gelato.ce.core.lrms.type;

import java.nio.file.Path;
import java.util.List;

/**
 * What a setup found of a batch system.
 *
 * @param queues the default one first; names that the CE cannot use are left out by the caller
 * @param fixedQueues whether only these can be used
 * @param logs files that the CE should read, where its account can
 * @param advice what should be set otherwise in the batch system, a sentence each
 * @param problem why it could not be queried; null when it was
 */
public record FoundLrms(List<String> queues, boolean fixedQueues, List<Log> logs, List<String> advice, String problem) {
    /**
     * A file that the batch system writes.
     *
     * @param key that names it in the CE's configuration
     * @param what the batch system does there: {@code Slurm notes ended jobs}
     */
    public record Log(String key, Path file, String what) {}

    /** Of a batch system that has no queues of its own: one, by any name. */
    public static FoundLrms unqueried() {
        return new FoundLrms(List.of("default"), false, List.of(), List.of(), null);
    }

    /** @param problem why it could not be queried, one line */
    public static FoundLrms silent(String problem) {
        return new FoundLrms(List.of(), true, List.of(), List.of(), problem);
    }
}
