package org.gelato.ce.core.lrms;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.description.Excerpt;
import org.gelato.ce.core.description.JobRequest;

/**
 * Which requests of a description reach a batch system. Immutable.
 *
 * @param mapped what becomes options of the batch job
 * @param script whether a script of the site is given the CERequirements, so that nobody but the site knows what becomes of
 *     them
 */
public record SubmitOptions(Set<Request> mapped, boolean script) {
    /** For batch systems of which nothing else is known. */
    public static final SubmitOptions ALL = new SubmitOptions(EnumSet.allOf(Request.class), true);

    /** Names in one warning; a description may have thousands. */
    private static final int MOST_NAMES = 10;

    /** Something a description can request beside processors. */
    public enum Request {
        WALL_TIME("wall clock time", true, r -> r.limits().wallTime() != null),
        CPU_TIME("CPU time", true, r -> r.limits().cpuTime() != null),
        MEMORY("memory", true, r -> r.limits().memory() != null || r.limits().nodeMemory() != null),
        NODE_CPUS("processors of a node", true, r -> r.limits().nodeCpus() != null),
        GPUS("GPUs", false, r -> r.nodes().gpus() != null),
        GPU_MODEL("GPUModel", false, r -> r.nodes().gpuModel() != null),
        GPU_MODE("GPUMode", false, r -> r.nodes().gpuMode() != null),
        MICS("MICs", false, r -> r.nodes().mics() != null);

        private final String words;
        private final boolean requirement;
        private final Predicate<JobRequest.Resources> present;

        Request(String words, boolean requirement, Predicate<JobRequest.Resources> present) {
            this.words = words;
            this.requirement = requirement;
            this.present = present;
        }

        private boolean isLost(JobRequest.Resources resources, SubmitOptions options) {
            boolean without = resources.nodes().gpus() == null && (this == GPU_MODEL || this == GPU_MODE);
            return present.test(resources)
                    && (without || !options.mapped.contains(this) && !(requirement && options.script));
        }
    }

    public SubmitOptions {
        mapped = Set.copyOf(mapped);
    }

    /**
     * What the job requests and nobody acts on.
     *
     * @return a text for the job's owner; empty when there is nothing
     */
    public Optional<String> warning(JobRequest job) {
        JobRequest.Resources resources = job.resources();
        if (resources.nodes() == null) {
            return Optional.empty();
        }
        List<String> lost = new ArrayList<>();
        for (Request request : Request.values()) {
            if (request.isLost(resources, this)) {
                lost.add(request.words);
            }
        }
        if (!script) {
            lost.addAll(resources.further().passed());
        }
        lost.addAll(resources.further().dropped());
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        List<String> named = lost.stream().limit(MOST_NAMES).map(Excerpt::of).toList();
        return Optional.of("requested, but not passed to the batch system here: " + String.join(", ", named)
                + (lost.size() > MOST_NAMES ? " and " + (lost.size() - MOST_NAMES) + " more" : ""));
    }
}
