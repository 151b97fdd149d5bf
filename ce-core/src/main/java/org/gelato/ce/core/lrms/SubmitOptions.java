package org.gelato.ce.core.lrms;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
        WALL_TIME("wall clock time"),
        CPU_TIME("CPU time"),
        MEMORY("memory"),
        NODE_CPUS("processors of a node"),
        GPUS("GPUs"),
        GPU_MODEL("GPUModel"),
        GPU_MODE("GPUMode"),
        MICS("MICs");

        private final String words;

        Request(String words) {
            this.words = words;
        }

        private boolean isIn(JobRequest.Resources resources) {
            JobRequest.Limits limits = resources.limits();
            JobRequest.NodeRequest nodes = resources.nodes();
            return switch (this) {
                case WALL_TIME -> limits.wallTime() != null;
                case CPU_TIME -> limits.cpuTime() != null;
                case MEMORY -> limits.memory() != null || limits.nodeMemory() != null;
                case NODE_CPUS -> limits.nodeCpus() != null;
                case GPUS -> nodes.gpus() != null;
                case GPU_MODEL -> nodes.gpuModel() != null;
                case GPU_MODE -> nodes.gpuMode() != null;
                case MICS -> nodes.mics() != null;
            };
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
            if (request.isIn(resources) && !reaches(request, resources)) {
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

    private boolean reaches(Request request, JobRequest.Resources resources) {
        return switch (request) {
            // as CERequirements, which descriptions of every language have for their limits
            case WALL_TIME, CPU_TIME, MEMORY, NODE_CPUS -> script || mapped.contains(request);
            case GPU_MODEL, GPU_MODE -> resources.nodes().gpus() != null && mapped.contains(request);
            case GPUS, MICS -> mapped.contains(request);
        };
    }
}
