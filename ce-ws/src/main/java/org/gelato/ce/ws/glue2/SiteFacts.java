package org.gelato.ce.ws.glue2;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.base.Key;

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
        @Key(
                form = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
                accepted = "empty or the name of a site in GOCDB",
                optional = true)
        String site,

        @Key Path file,
        @Key(min = "1 s", max = "5 minutes") Duration interval,

        @Key(
                value = "quality-level",
                form = "development|pre-production|production|testing",
                accepted = "one of development, pre-production, production, testing")
        String quality,

        List<String> vos,
        @Key Location location,
        List<Environment> environments,
        List<QueueLimits> queues,
        List<Storage> storage) {
    // Not private: a linter does not see that annotations use them.
    static final String TEXT = "[^\\p{Cntrl}]{1,255}";
    static final String LINE = "a text of one line of at most 255";
    static final String DEGREES = "-?[0-9]{1,3}(\\.[0-9]{1,9})?";
    static final String DECIMAL = "empty or decimal degrees, such as \"46.2\"";
    static final String MAX = "1000000000";
    static final String LONGEST = "3650 days";

    public SiteFacts {
        location = new Location("", "", "", "").equals(location) ? null : location;
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
    public record Location(
            @Key(form = TEXT, accepted = "empty or the name of a town", optional = true)
            String place,

            @Key(form = TEXT, accepted = "empty or the name of a country", optional = true)
            String country,

            @Key(form = DEGREES, accepted = DECIMAL, optional = true)
            String latitude,

            @Key(form = DEGREES, accepted = DECIMAL, optional = true)
            String longitude) {}

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
            @Key(form = TEXT, accepted = LINE) String name,
            @Key List<String> queues,
            @Key(form = TEXT, accepted = LINE) String platform,
            @Key(min = "1", max = MAX) int memory,
            @Key(min = "0", max = MAX, optional = true) int virtualMemory,
            @Key(form = TEXT, accepted = LINE) String osFamily,

            @Key(form = TEXT, accepted = LINE, optional = true)
            String osName,

            @Key(form = TEXT, accepted = LINE, optional = true)
            String osVersion,

            @Key(form = TEXT, accepted = LINE, optional = true)
            String cpuVendor,

            @Key(form = TEXT, accepted = LINE, optional = true)
            String cpuModel,

            @Key(value = "cpu-clock", min = "0", max = MAX, optional = true)
            int clock,

            @Key(min = "0", max = MAX, optional = true) int physicalCpus,
            @Key(min = "0", max = MAX, optional = true) int logicalCpus,
            @Key(min = "0", max = MAX, optional = true) int instances,
            @Key boolean inbound,
            @Key boolean outbound,
            @Key(optional = true) Map<String, String> benchmarks) {}

    /**
     * Limits of a queue; null for those that are not configured.
     *
     * @param defaultWallTime of a job that names none
     * @param maxMemory of a job, MB
     * @param maxVirtualMemory of a job, MB
     * @param maxTotalJobs that may wait and run
     */
    public record QueueLimits(
            @Key(form = TEXT, accepted = LINE) String queue,

            @Key(min = "1 s", max = LONGEST, optional = true)
            Duration maxWallTime,

            @Key(min = "1 s", max = LONGEST, optional = true)
            Duration defaultWallTime,

            @Key(min = "1 s", max = LONGEST, optional = true)
            Duration maxCpuTime,

            @Key(min = "1 s", max = LONGEST, optional = true)
            Duration defaultCpuTime,

            @Key(min = "1", max = MAX, optional = true) Integer maxSlotsPerJob,
            @Key(min = "1", max = MAX, optional = true) Integer maxMemory,
            @Key(min = "1", max = MAX, optional = true) Integer maxVirtualMemory,
            @Key(min = "1", max = MAX, optional = true) Integer maxTotalJobs) {
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
     * @param remotePath the path there; {@code none} when there is none, or it is empty
     */
    public record Storage(
            @Key(form = TEXT, accepted = LINE) String id,
            @Key(form = TEXT, accepted = LINE) String localPath,

            @Key(form = TEXT, accepted = LINE, optional = true)
            String remotePath) {
        public Storage {
            remotePath = remotePath.isEmpty() ? "none" : remotePath;
        }
    }
}
