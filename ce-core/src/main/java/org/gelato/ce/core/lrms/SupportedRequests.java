package org.gelato.ce.core.lrms;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.SafeText;

/**
 * Which requests of a description reach a batch system. Immutable.
 *
 * @param mapped what the adapter has a renderer for
 * @param script whether a script of the site is given the CERequirements, so that nobody but the site knows what becomes of
 *     them
 */
public record SupportedRequests(Set<Resource> mapped, boolean script) {
    /** Whatever a description requests. */
    public static final SupportedRequests ALL = new SupportedRequests(EnumSet.allOf(Resource.class), true);

    /** Nothing, so that all is warned of. */
    public static final SupportedRequests NONE = new SupportedRequests(Set.of(), false);

    /** Names in one warning; a description may have thousands. */
    private static final int MAX_NAMES = 10;

    public SupportedRequests {
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
        for (Resource resource : Resource.values()) {
            if (resource.of(resources) != null && !reaches(resource, resources)) {
                lost.add(resource.words());
            }
        }
        if (!script) {
            lost.addAll(resources.further().passed());
        }
        lost.addAll(resources.further().dropped());
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        List<String> named = lost.stream().limit(MAX_NAMES).map(SafeText::of).toList();
        return Optional.of("requested, but not passed to the batch system here: " + String.join(", ", named)
                + (lost.size() > MAX_NAMES ? " and " + (lost.size() - MAX_NAMES) + " more" : ""));
    }

    private boolean reaches(Resource resource, JobRequest.Resources resources) {
        return switch (resource) {
            case GPU_MODEL, GPU_MODE -> resources.nodes().gpus() != null && mapped.contains(resource);
            default -> mapped.contains(resource) || (script && resource.isRequirement());
        };
    }
}
