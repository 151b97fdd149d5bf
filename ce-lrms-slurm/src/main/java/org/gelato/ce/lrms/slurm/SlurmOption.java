package org.gelato.ce.lrms.slurm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.Allocation;
import org.gelato.ce.core.lrms.JobPriority;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.route.Setting;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.JobRequest.Resources;

/**
 * What Slurm is given for a job, in the order of sbatch's options. Of one value each is an option of sbatch and a field of slurmrestd.
 * Pure.
 */
enum SlurmOption {
    JOB_NAME("name"),
    CHDIR("current_working_directory"),
    OUTPUT("standard_output"),
    ERROR("standard_error"),
    /** Up to version 38 "requeue" is taken and has no effect. */
    NO_REQUEUE("no_requeue"),
    COMMENT("comment"),
    PARTITION("partition"),
    ACCOUNT("account"),
    QOS("qos"),
    RESERVATION("reservation"),
    CONSTRAINT("constraints"),
    LICENSES("licenses"),
    /** Further options of sbatch, of which slurmrestd's fields are not known. */
    ATTRIBUTES(null),
    EXCLUSIVE("exclusive"),
    /** A text for slurmrestd, which takes a range too. */
    NODES("nodes"),
    NTASKS("tasks"),
    NTASKS_PER_NODE("tasks_per_node"),
    MINCPUS("minimum_cpus_per_node"),
    /** A list of texts. */
    GRES("gres"),
    /** Minutes. */
    TIME("time_limit"),
    /** MiB; 0 for all of a node. */
    MEM("memory_per_node"),
    /** MiB. */
    MEM_PER_CPU("memory_per_cpu"),
    NICE("nice");

    /** Options that would make something else of the job, or that the CE has set already. */
    private static final Set<String> NOT_OF_SITES = Set.of(
            "array",
            "clusters",
            "export",
            "export-file",
            "get-user-env",
            "gid",
            "help",
            "input",
            "parsable",
            "propagate",
            "quiet",
            "requeue",
            "test-only",
            "uid",
            "usage",
            "version",
            "wait",
            "wrap");

    /** As a directive takes it, whose readers split and unquote it. */
    private static final Pattern PLAIN = Pattern.compile("[!-~&&[^\"'\\\\#]]+");

    /** What a job requests and routes set; Slurm has nothing for the others. */
    static final Renderers<SlurmOption> RENDERERS = new Renderers<SlurmOption>()
            .with(EXCLUSIVE, r -> r.nodes().wholeNodes() ? true : null, Resource.SLOTS)
            .with(NODES, r -> Allocation.of(r).nodes(), Resource.SLOTS)
            .with(NTASKS, r -> Allocation.of(r).tasks(), Resource.SLOTS)
            .with(NTASKS_PER_NODE, r -> Allocation.of(r).perNode(), Resource.SLOTS)
            .with(MINCPUS, r -> Allocation.of(r).nodeCpus(), Resource.NODE_CPUS)
            .with(GRES, SlurmOption::generic, Resource.GPUS, Resource.GPU_MODEL, Resource.MICS)
            .with(TIME, SlurmOption::minutes, Resource.WALL_TIME, Resource.CPU_TIME)
            .with(MEM, SlurmOption::nodeMemory, Resource.MEMORY)
            .with(MEM_PER_CPU, SlurmOption::slotMemory, Resource.MEMORY)
            .with(NICE, JobPriority::nice, Resource.LOW_PRIORITY)
            .with(Setting.ACCOUNT, ACCOUNT)
            .with(Setting.QOS, QOS)
            .with(Setting.PARTITION, PARTITION)
            .with(Setting.RESERVATION, RESERVATION)
            .with(Setting.CONSTRAINT, (value, options) -> options.put(CONSTRAINT, plain(value)))
            .with(Setting.LICENSES, LICENSES)
            .with(
                    Setting.NICE,
                    (value, options) ->
                            options.merge(NICE, ((Number) value).intValue(), (a, b) -> (Integer) a + (Integer) b))
            .with(Setting.ATTRIBUTES, (value, options) -> options.put(ATTRIBUTES, furtherOptions((Map<?, ?>) value)));

    /** The first API version whose jobs contain their script. */
    static final int SCRIPT_WITHIN = 39;
    /** The first version in which a generic resource is named like any trackable one, {@code gres/gpu}. */
    private static final int TRACKABLE = 40;

    private static final Pattern OPTION = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final String field;

    SlurmOption(String field) {
        this.field = field;
    }

    /** Whether the job requests it, or its place in Slurm is it; the others make it the CE's. */
    boolean isRequest() {
        return compareTo(COMMENT) >= 0;
    }

    /** As options of sbatch. */
    Stream<String> options(Object value) {
        return this == ATTRIBUTES ? ((List<?>) value).stream().map(String.class::cast) : Stream.of(option(value));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private String option(Object value) {
        String name = "--" + word();
        return switch (this) {
            case NO_REQUEUE, EXCLUSIVE -> name;
            case GRES -> name + "=" + generic(value, "");
            case MEM, MEM_PER_CPU -> name + "=" + value + (value.equals(0L) ? "" : "M");
            default -> name + "=" + value;
        };
    }

    /**
     * Sets it in a job of slurmrestd, which refuses one with an unknown field.
     *
     * @param version the last number of {@code v0.0.NN}
     */
    void field(Object value, ObjectNode job, int version) {
        boolean older = version < SCRIPT_WITHIN;
        switch (this) {
            case NO_REQUEUE -> job.put(older ? field : "requeue", older);
            case EXCLUSIVE -> {
                if (older) {
                    job.put(field, "exclusive");
                } else {
                    job.putArray("shared").add("none");
                }
            }
            case GRES ->
                job.put(
                        older ? field : "tres_per_node",
                        generic(value, older ? "" : version < TRACKABLE ? "gres:" : "gres/"));
            case NODES -> job.put(field, value.toString());
            default -> {
                if (value instanceof Number number) {
                    job.put(field, number.longValue());
                } else {
                    job.put(field, (String) value);
                }
            }
        }
    }

    private static List<String> furtherOptions(Map<?, ?> attributes) {
        return attributes.entrySet().stream()
                .map(attribute -> {
                    String name = attribute.getKey().toString();
                    // sbatch takes the beginning of an option's name for the whole
                    boolean another = Stream.concat(Stream.of(values()).map(SlurmOption::word), NOT_OF_SITES.stream())
                            .anyMatch(option -> option.startsWith(name));
                    if (another
                            || !OPTION.matcher(name).matches()
                            || attribute.getValue().equals(false)) {
                        throw new IllegalArgumentException(name + " is no option of sbatch that a route may set");
                    }
                    return "--" + name + (attribute.getValue().equals(true) ? "" : "=" + plain(attribute.getValue()));
                })
                .toList();
    }

    private static String plain(Object value) {
        if (!PLAIN.matcher(value.toString()).matches()) {
            throw new IllegalArgumentException(
                    "Slurm is given printable characters without blanks, quotes, # and backslashes");
        }
        return value.toString();
    }

    /** Generic resources, each with its prefix. */
    static String generic(Object value, String prefix) {
        return ((List<?>) value).stream().map(item -> prefix + item).collect(Collectors.joining(","));
    }

    private static List<String> generic(Resources resources) {
        NodeRequest request = resources.nodes();
        List<String> items = new ArrayList<>();
        if (request.gpus() != null) {
            items.add("gpu:" + (request.gpuModel() == null ? "" : model(request.gpuModel()) + ":") + request.gpus());
        }
        if (request.mics() != null) {
            items.add("mic:" + request.mics());
        }
        return items.isEmpty() ? null : items;
    }

    /**
     * Rounded up. Slurm has no limit for CPU time: a job that names no other gets as much wall clock time as CPU time of all its
     * slots.
     */
    private static Long minutes(Resources resources) {
        Limits limits = resources.limits();
        Duration time = limits.wallTime() == null ? limits.cpuTime() : limits.wallTime();
        return time == null ? null : Long.valueOf((time.toSeconds() + 59) / 60);
    }

    /** Of a whole node the job has all. */
    private static Long nodeMemory(Resources resources) {
        return resources.nodes().wholeNodes()
                ? Long.valueOf(0)
                : Allocation.mebibytes(resources.limits().nodeMemory());
    }

    private static Long slotMemory(Resources resources) {
        return nodeMemory(resources) == null
                ? Allocation.mebibytes(resources.limits().memory())
                : null;
    }

    private static String model(String model) {
        if (!MODEL.matcher(model).matches()) {
            throw new IllegalArgumentException(
                    "GPUModel: Slurm accepts only models of letters, digits, '_', '.' and '-'");
        }
        return model;
    }
}
