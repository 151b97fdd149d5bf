package org.gelato.ce.core.lrms;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.description.Excerpt;
import org.gelato.ce.description.JobRequest;

/**
 * Which requests of a description reach a batch system. Immutable.
 *
 * @param mapped what becomes options of the batch job
 * @param script whether a script of the site is given the CERequirements, so that nobody but the site knows what becomes of
 *     them
 */
public record SubmitOptions(Set<Request> mapped, boolean script) {
    /** For batch systems of which nothing else is known. */
    public static final SubmitOptions ALL =
            new SubmitOptions(EnumSet.complementOf(EnumSet.of(Request.LOW_PRIORITY, Request.HIGH_PRIORITY)), true);

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
        MICS("MICs"),
        LOW_PRIORITY("priority"),
        HIGH_PRIORITY("priority above the usual one");

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
                case LOW_PRIORITY -> priority(resources) < JobRequest.Resources.USUAL_PRIORITY;
                case HIGH_PRIORITY -> priority(resources) > JobRequest.Resources.USUAL_PRIORITY;
            };
        }
    }

    private static int priority(JobRequest.Resources resources) {
        return resources.priority() == null ? JobRequest.Resources.USUAL_PRIORITY : resources.priority();
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
            case GPUS, MICS, LOW_PRIORITY, HIGH_PRIORITY -> mapped.contains(request);
        };
    }
}
