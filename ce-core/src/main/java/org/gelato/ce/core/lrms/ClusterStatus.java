package org.gelato.ce.core.lrms;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a batch system offered at one moment. What it does not report is empty, never guessed. A slot is what one process of
 * a job takes: a CPU in Slurm, one of a node's {@code np} in Torque.
 *
 * @param version of its servers or, where only that is reported, of its nodes' daemons; null when not reported
 * @param slots of all nodes, those that are down included
 * @param freeSlots on nodes that may be used now
 * @param queues queues or partitions, in the order reported
 * @param api by what jobs are handed over just now, with its version: a few words, from a small set; null where there is one way only, or none was used yet
 */
public record ClusterStatus(String version, OptionalInt slots, OptionalInt freeSlots, List<Queue> queues, String api) {
    /** Of a batch system that reports nothing. */
    public static final ClusterStatus UNKNOWN =
            new ClusterStatus(null, OptionalInt.empty(), OptionalInt.empty(), List.of());

    public ClusterStatus {
        queues = List.copyOf(queues);
    }

    /** Of a batch system with one way to hand jobs over. */
    public ClusterStatus(String version, OptionalInt slots, OptionalInt freeSlots, List<Queue> queues) {
        this(version, slots, freeSlots, queues, null);
    }

    /** The same, and by what jobs are handed over. */
    public ClusterStatus withApi(String inUse) {
        return new ClusterStatus(version, slots, freeSlots, queues, inUse);
    }

    /** The queue of this name; empty when it is not reported. */
    public Optional<Queue> queue(String name) {
        return queues.stream().filter(queue -> queue.name().equals(name)).findFirst();
    }

    /** Whether queues are reported and this one is not among them. */
    public boolean isMissing(String name) {
        return !queues.isEmpty() && queue(name).isEmpty();
    }

    /**
     * A queue or partition.
     *
     * @param name as jobs are submitted to it
     * @param accepts whether new jobs are queued
     * @param starts whether queued jobs are started
     * @param slots of the nodes it may use; empty where nodes belong to no queue
     * @param freeSlots those that are free
     * @param maxWallTime the longest a job may run; null for no limit or when not reported
     * @param maxRunning jobs that may run at once; empty for no limit or when not reported
     */
    public record Queue(
            String name,
            boolean accepts,
            boolean starts,
            OptionalInt slots,
            OptionalInt freeSlots,
            Duration maxWallTime,
            OptionalInt maxRunning) {}
}
