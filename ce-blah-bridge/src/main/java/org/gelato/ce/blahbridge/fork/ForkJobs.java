package org.gelato.ce.blahbridge.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All jobs in memory, each change written through to the state directory.
 *
 * <p>A change that reports what happened already ({@link #note}) holds in memory even when the disk refuses it, and is
 * written again later; a change that promises something ({@link #record}) happens only when it is on disk. Confined to the
 * fork batch system's thread.
 */
final class ForkJobs {
    private static final Logger log = LoggerFactory.getLogger(ForkJobs.class);

    private final ForkState state;
    private final TreeMap<Long, ForkJob> jobs = new TreeMap<>();
    private final Set<Long> unwritten = new HashSet<>();

    ForkJobs(ForkState state) throws IOException {
        this.state = state;
        for (ForkJob job : state.load()) {
            jobs.put(job.number(), job);
        }
    }

    /** In order of acceptance; a copy, so that the caller may change jobs on the way. */
    Collection<ForkJob> all() {
        return List.copyOf(jobs.values());
    }

    /**
     * Where the file of a job is that can't be read, so that nothing more is known of it.
     *
     * @return null for any other id
     */
    Path unreadable(String lrmsId) {
        return state.unreadable().entrySet().stream()
                .filter(one -> lrmsId.equals(ForkJob.PREFIX + one.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** Ids of all such jobs. */
    List<String> unreadable() {
        return state.unreadable().keySet().stream()
                .map(number -> ForkJob.PREFIX + number)
                .toList();
    }

    /** Null when there is none. */
    ForkJob get(long number) {
        return jobs.get(number);
    }

    /** The job of an LRMS id; null when there is none. */
    ForkJob find(String lrmsId) {
        if (!lrmsId.startsWith(ForkJob.PREFIX)) {
            return null;
        }
        try {
            return jobs.get(Long.parseLong(lrmsId.substring(ForkJob.PREFIX.length())));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The last job accepted with this tag; null when there is none. */
    ForkJob tagged(String tag) {
        for (ForkJob job : jobs.descendingMap().values()) {
            if (job.tag().equals(tag)) {
                return job;
            }
        }
        return null;
    }

    void record(ForkJob job) throws IOException {
        state.write(job);
        jobs.put(job.number(), job);
        unwritten.remove(job.number());
    }

    void note(ForkJob job) {
        jobs.put(job.number(), job);
        try {
            state.write(job);
            unwritten.remove(job.number());
        } catch (IOException e) {
            unwritten.add(job.number());
            log.error("cannot write the state of {}, will try again: {}", job.lrmsId(), e.getMessage());
        }
    }

    void writeAgain() {
        for (Long number : List.copyOf(unwritten)) {
            note(jobs.get(number));
        }
    }

    void forget(ForkJob job) {
        try {
            state.delete(job);
            jobs.remove(job.number());
            unwritten.remove(job.number());
        } catch (IOException e) {
            log.warn("cannot remove the state of {}: {}", job.lrmsId(), e.getMessage());
        }
    }

    long nextNumber() throws IOException {
        return state.nextNumber();
    }

    /** Whether anything of this job is on disk, for the case that writing it failed. */
    boolean onDisk(long number) {
        return state.has(number);
    }
}
