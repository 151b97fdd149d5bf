package org.gelato.ce.ws.glue2;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What only the site knows of itself; from the configuration, checked there.
 *
 * @param site its name in GOCDB; empty when nothing is published for a BDII
 * @param file where the LDIF is written
 * @param interval between two writes
 * @param quality the level of quality, in GLUE's spelling
 * @param vos to be published; empty for those of the grid-mapfile
 * @param location null for none
 * @param environments kinds of worker nodes
 * @param queues limits that the batch system does not report
 * @param storage storage services whose files the worker nodes see
 */
public record SiteFacts(
        String site,
        Path file,
        Duration interval,
        String quality,
        List<String> vos,
        Location location,
        List<Environment> environments,
        List<QueueLimits> queues,
        List<Storage> storage) {
    public SiteFacts {
        vos = List.copyOf(vos);
        environments = List.copyOf(environments);
        queues = List.copyOf(queues);
        storage = List.copyOf(storage);
    }

    /**
     * Of a site that has configured nothing.
     *
     * @param file where the LDIF would be written
     */
    public static SiteFacts none(Path file) {
        return new SiteFacts(
                "", file, Duration.ofMinutes(1), "production", List.of(), null, List.of(), List.of(), List.of());
    }

    /** The limits of a queue. */
    Optional<QueueLimits> limits(String queue) {
        return queues.stream().filter(q -> q.queue().equals(queue)).findFirst();
    }

    /**
     * Where the site is.
     *
     * @param place town; may be empty
     * @param country may be empty
     * @param latitude decimal degrees as a text; empty when not configured
     * @param longitude as latitude
     */
    public record Location(String place, String country, String latitude, String longitude) {}

    /**
     * A kind of worker nodes. Numbers that are 0 and texts that are empty are not published.
     *
     * @param queues that use it
     * @param platform as {@code x86_64}
     * @param memory of a node, MB
     * @param virtualMemory of a node, MB
     * @param osFamily as {@code linux}
     * @param clock MHz
     * @param inbound whether nodes are reached from outside
     * @param outbound whether nodes reach the outside
     * @param benchmarks value of a logical CPU, a decimal number, by the type of benchmark
     */
    public record Environment(
            String name,
            List<String> queues,
            String platform,
            int memory,
            int virtualMemory,
            String osFamily,
            String osName,
            String osVersion,
            String cpuVendor,
            String cpuModel,
            int clock,
            int physicalCpus,
            int logicalCpus,
            int instances,
            boolean inbound,
            boolean outbound,
            Map<String, String> benchmarks) {}

    /**
     * Limits of a queue; null for those that are not configured.
     *
     * @param defaultWallTime of a job that names none
     * @param maxMemory of a job, MB
     * @param maxVirtualMemory of a job, MB
     * @param maxTotalJobs that may wait and run
     */
    public record QueueLimits(
            String queue,
            Duration maxWallTime,
            Duration defaultWallTime,
            Duration maxCpuTime,
            Duration defaultCpuTime,
            Integer maxSlotsPerJob,
            Integer maxMemory,
            Integer maxVirtualMemory,
            Integer maxTotalJobs) {
        /** Of a queue for which nothing is configured. */
        static QueueLimits none(String queue) {
            return new QueueLimits(queue, null, null, null, null, null, null, null, null);
        }
    }

    /**
     * A storage service that is mounted on the worker nodes.
     *
     * @param id of the storage service in the information system
     * @param localPath where it is mounted
     * @param remotePath the path there; {@code none} when there is none
     */
    public record Storage(String id, String localPath, String remotePath) {}
}
