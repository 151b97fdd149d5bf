package org.gelato.ce.core.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.gelato.ce.core.lrms.SupportedRequests;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.SafeText;

/** The queues of this CE, the default one first. Immutable. */
public final class Queues {
    private final List<BatchSystem> batchSystems;

    /**
     * A batch system and its queues.
     *
     * @param name in a JDL and in CE ids; compares without case
     * @param queues in the order of the configuration, not empty
     * @param options what of a description reaches it
     * @param missing whether it is known to have no queue of a name now
     */
    public record BatchSystem(String name, List<String> queues, SupportedRequests options, Predicate<String> missing) {
        public BatchSystem {
            name = name.toLowerCase(Locale.ROOT);
            queues = List.copyOf(queues);
        }

        /** One that has all its queues. */
        public BatchSystem(String name, List<String> queues, SupportedRequests options) {
            this(name, queues, options, queue -> false);
        }
    }

    /** Where a job goes. */
    record Target(BatchSystem batchSystem, String queue) {}

    /** @param batchSystems not empty */
    public Queues(List<BatchSystem> batchSystems) {
        this.batchSystems = List.copyOf(batchSystems);
    }

    /** One batch system that takes every description. */
    public static Queues of(String batchSystem, List<String> queues) {
        return new Queues(List.of(new BatchSystem(batchSystem, queues, SupportedRequests.ALL)));
    }

    /**
     * The queue of a job: the one its description names, else that of the call, else the first one.
     *
     * @param ofCall null when the call names none
     * @throws DescriptionException naming what there is; also for a queue that the batch system does not have now, for a job would wait
     *     there until it has
     */
    Target of(JobRequest request, String ofCall) throws DescriptionException {
        String own = request.resources().queue();
        if (own != null && ofCall != null && !own.equals(ofCall)) {
            throw new DescriptionException(
                    "queue",
                    "the description names " + SafeText.of(own) + " and the request " + SafeText.of(ofCall)
                            + ": name one of them");
        }
        String name = own == null ? ofCall : own;
        String batchSystem = request.resources().batchSystem();
        Target target = batchSystem == null ? anywhere(name) : of(batchSystem, name);
        if (target.batchSystem().missing().test(target.queue())) {
            throw new DescriptionException(
                    "queue",
                    "queue " + target.queue() + " takes no jobs: "
                            + target.batchSystem().name()
                            + " does not have it now; name another queue, or report it to the site");
        }
        return target;
    }

    private Target of(String batchSystem, String name) throws DescriptionException {
        for (BatchSystem served : batchSystems) {
            if (served.name().equals(batchSystem.toLowerCase(Locale.ROOT))) {
                if (!served.queues().contains(name)) {
                    throw new DescriptionException(
                            "QueueName",
                            "queue " + name + " does not exist here; " + served.name() + " has "
                                    + String.join(", ", served.queues()));
                }
                return new Target(served, name);
            }
        }
        throw new DescriptionException(
                "BatchSystem",
                "Batch System " + batchSystem + " not supported! This CE serves "
                        + batchSystems.stream().map(BatchSystem::name).collect(Collectors.joining(", ")));
    }

    /** The queue of that name, of whatever batch system; refused when several have one or none. */
    private Target anywhere(String name) throws DescriptionException {
        List<Target> fitting = new ArrayList<>();
        for (BatchSystem served : batchSystems) {
            served.queues().stream()
                    .filter(queue -> name == null || name.equals(queue))
                    .forEach(queue -> fitting.add(new Target(served, queue)));
        }
        if (fitting.isEmpty()) {
            throw new DescriptionException(
                    "queue",
                    "queue " + SafeText.of(name) + " does not exist here; this CE has "
                            + batchSystems.stream()
                                    .flatMap(served -> served.queues().stream())
                                    .distinct()
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        if (name != null && fitting.size() > 1) {
            throw new DescriptionException(
                    "queue", "queue " + name + " exists in several batch systems, and this language names none");
        }
        return fitting.get(0);
    }
}
