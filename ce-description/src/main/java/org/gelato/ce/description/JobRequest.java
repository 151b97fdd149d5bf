package org.gelato.ce.description;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job description after all checks, whatever language it was written in: what the rest of the CE works with.
 *
 * @param executable what is run
 * @param streams its standard input and output
 * @param files what is brought and taken away
 * @param resources what is requested of the batch system
 * @param environment variables of the job, in the order of the description
 * @param hooks programs before and after it
 * @param origin whose the job is and what a workload manager calls it
 * @param others every further attribute with a text, by its canonical name (MyProxyServer, HLRLocation, MwVersion, WMS_HOSTNAME,
 *     Requirements, Rank, ...); numbers and expressions as text
 * @param warnings what was accepted but will not be done as its author may expect; for the job's log
 * @param session what only jobs with a session directory say
 * @param monitoring what is sent while the job runs, beside its own messages
 * @param labels what its owner finds it by
 */
public record JobRequest(
        Executable executable,
        Streams streams,
        Files files,
        Resources resources,
        Map<String, String> environment,
        Hooks hooks,
        Origin origin,
        Map<String, String> others,
        List<String> warnings,
        Session session,
        Monitoring monitoring,
        JobLabels labels) {

    /** A program and its resources, and nothing else. */
    public static JobRequest of(Executable executable, Resources resources) {
        return new JobRequest(
                executable,
                Streams.NONE,
                Files.NONE,
                resources,
                Map.of(),
                Hooks.NONE,
                Origin.NONE,
                Map.of(),
                List.of(),
                Session.NONE,
                Monitoring.NONE,
                JobLabels.NONE);
    }

    /** The same with other streams and another environment. */
    public JobRequest with(Streams others, Map<String, String> variables) {
        return new JobRequest(
                executable,
                others,
                files,
                resources,
                variables,
                hooks,
                origin,
                this.others,
                warnings,
                session,
                monitoring,
                labels);
    }

    /** The same with other resources. */
    public JobRequest with(Resources others) {
        return new JobRequest(
                executable,
                streams,
                files,
                others,
                environment,
                hooks,
                origin,
                this.others,
                warnings,
                session,
                monitoring,
                labels);
    }

    /**
     * The same with what the site adds.
     *
     * @param variables each counts where the job does not set it
     * @param environments names of runtime environments that are set up before those that the job names; with the job's options where
     *     it names one of them, too
     */
    public JobRequest withSite(Map<String, String> variables, List<String> environments) {
        Map<String, String> all = new LinkedHashMap<>(variables);
        all.putAll(environment);
        List<RuntimeEnvironment> named = new ArrayList<>();
        List<RuntimeEnvironment> left = new ArrayList<>(session.runtimeEnvironments());
        for (String name : environments) {
            List<RuntimeEnvironment> own =
                    left.stream().filter(e -> e.name().equalsIgnoreCase(name)).toList();
            named.addAll(own.isEmpty() ? List.of(new RuntimeEnvironment(name, List.of(), false)) : own);
            left.removeAll(own);
        }
        named.addAll(left);
        return new JobRequest(
                executable,
                streams,
                files,
                resources,
                Collections.unmodifiableMap(all),
                hooks,
                origin,
                others,
                warnings,
                session.with(List.copyOf(named)),
                monitoring,
                labels);
    }

    /**
     * A program.
     *
     * @param file as written: absolute, starting with {@code $}, or the path of a file of the input sandbox
     * @param arguments shell words to be interpreted on the worker node; empty for none
     */
    public record Executable(String file, String arguments) {}

    /** Files of the standard streams; each null when absent. */
    public record Streams(String input, String output, String error) {
        public static final Streams NONE = new Streams(null, null, null);
    }

    /**
     * What is brought to the worker node and taken away.
     *
     * @param paths whether kept output has its paths in the output directory, too; otherwise all of it lies there side by side
     */
    public record Files(List<InputFile> input, List<OutputFile> output, boolean paths) {
        public static final Files NONE = new Files(List.of(), List.of(), false);

        /** Path of a standard stream's file in the output directory, when it is kept without being named; null for none. */
        public String streamName(String stream) {
            return stream == null || paths ? stream : SandboxItem.baseName(stream);
        }

        /** Paths of the files that the client uploads; the job waits for all of them where nobody starts it. */
        public List<String> uploads() {
            return input.stream()
                    .filter(file -> file.item() == null)
                    .map(InputFile::name)
                    .toList();
        }
    }

    /**
     * A file that is brought.
     *
     * @param name its path in the working directory
     * @param item a URL, or a path below the base; null when the client uploads it
     * @param base one object for all files of a description; null when absent
     * @param program whether it is made executable; the job's own program always is
     */
    public record InputFile(String name, String item, String base, boolean program) {
        /** Where it comes from, made at each call as it may be far longer than the item; null when the client uploads it. */
        public RemoteFile source() {
            return item == null ? null : SandboxItem.source(item, base);
        }
    }

    /**
     * A file that is taken away.
     *
     * @param path as written; with wildcards it is each file that matches, with a slash at its end a directory; of a job with a session
     *     directory, behind {@link #LIST}, a file that the job makes, with further files and where they go
     * @param name its path in the output directory, when it is kept there
     * @param destination null when it is kept
     * @param sentAfter the ends of the job after which it is sent; after others it is kept
     */
    public record OutputFile(String path, String name, RemoteFile destination, Ends sentAfter) {
        /** Before the path of a list, as A-REX has it. */
        public static final String LIST = "@";
    }

    /**
     * Ends of a job.
     *
     * @param success its program ended with 0
     * @param failure it ended otherwise
     * @param cancel somebody, or the batch system, ended it
     */
    public record Ends(boolean success, boolean failure, boolean cancel) {
        public static final Ends ALL = new Ends(true, true, true);
    }

    /**
     * What is requested of the batch system.
     *
     * @param batchSystem as written; names of batch systems compare without case; null where the language names none
     * @param queue null where the language needs none and none is given
     * @param further what it requires beside nodes and limits
     * @param priority among the jobs of its owner, from 0 to 100, {@link #USUAL_PRIORITY} being that of the others; null
     *     when absent
     */
    public record Resources(
            String batchSystem,
            String queue,
            NodeRequest nodes,
            Limits limits,
            FurtherRequirements further,
            Integer priority) {
        /** Of jobs that request none. */
        public static final int USUAL_PRIORITY = 50;

        /** Resources without a priority. */
        public Resources(
                String batchSystem, String queue, NodeRequest nodes, Limits limits, FurtherRequirements further) {
            this(batchSystem, queue, nodes, limits, further, null);
        }

        /** Resources that are nodes and limits. */
        public Resources(String batchSystem, String queue, NodeRequest nodes, Limits limits) {
            this(batchSystem, queue, nodes, limits, FurtherRequirements.NONE);
        }

        /** Resources without limits of their own. */
        public Resources(String batchSystem, String queue, NodeRequest nodes) {
            this(batchSystem, queue, nodes, Limits.NONE);
        }

        /** How far the priority is above the usual one; negative below it. */
        public int abovePriority() {
            return priority == null ? 0 : priority - USUAL_PRIORITY;
        }
    }

    /** One thing that a batch system can be requested to give beside a queue. An adapter hands it over, or the job's owner is warned. */
    public enum Resource {
        SLOTS("processors", false),
        WALL_TIME("wall clock time", true),
        CPU_TIME("CPU time", true),
        MEMORY("memory", true),
        NODE_CPUS("processors of a node", true),
        GPUS("GPUs", false),
        GPU_MODEL("GPUModel", false),
        GPU_MODE("GPUMode", false),
        MICS("MICs", false),
        LOW_PRIORITY("priority", false),
        HIGH_PRIORITY("priority above the usual one", false);

        private final String words;
        private final boolean requirement;

        Resource(String words, boolean requirement) {
            this.words = words;
            this.requirement = requirement;
        }

        /** What its warning calls it. */
        public String words() {
            return words;
        }

        /** Its value; null where it is not requested, as one slot is not, which every job has. */
        public Object of(Resources resources) {
            NodeRequest nodes = resources.nodes();
            Limits limits = resources.limits();
            int above = resources.abovePriority();
            return switch (this) {
                case SLOTS -> nodes.wholeNodes() || nodes.cores() > 1 ? nodes.cores() : null;
                case WALL_TIME -> limits.wallTime();
                case CPU_TIME -> limits.cpuTime();
                case MEMORY -> limits.nodeMemory() == null ? limits.memory() : limits.nodeMemory();
                case NODE_CPUS -> limits.nodeCpus();
                case GPUS -> nodes.gpus();
                case GPU_MODEL -> nodes.gpuModel();
                case GPU_MODE -> nodes.gpuMode();
                case MICS -> nodes.mics();
                case LOW_PRIORITY -> above < 0 ? above : null;
                case HIGH_PRIORITY -> above > 0 ? above : null;
            };
        }

        /** Whether every language has it as CERequirements, which a site's script is given. */
        public boolean isRequirement() {
            return requirement;
        }
    }

    /**
     * What a job needs and is to be held to; each null when absent.
     *
     * @param cpuTime of all slots together
     * @param memory bytes for each slot
     * @param nodeMemory bytes on each node
     * @param nodeCpus processors on each node, at least
     */
    public record Limits(Duration wallTime, Duration cpuTime, Long memory, Long nodeMemory, Integer nodeCpus) {
        public static final Limits NONE = new Limits(null, null, null);

        /** Bounds that say nothing of nodes. */
        public Limits(Duration wallTime, Duration cpuTime, Long memory) {
            this(wallTime, cpuTime, memory, null, null);
        }
    }

    /**
     * Attributes named in CERequirements for which the CE itself has no use.
     *
     * @param passed those that a site's submit script is given as variables
     * @param dropped those that nobody is given
     */
    public record FurtherRequirements(List<String> passed, List<String> dropped) {
        public static final FurtherRequirements NONE = new FurtherRequirements(List.of(), List.of());
    }

    /**
     * What a job with a session directory says beside the rest; each null or empty when absent.
     *
     * @param name for people
     * @param logDirectory of the CE's own words on the job, below the session directory
     * @param delegationId of the one delegation that the job uses
     * @param lifetime of the session directory after the job's end
     * @param reruns how often the job may be started again by its owner
     * @param runtimeEnvironments in the order they are set up
     * @param start before which the job is not handed over
     * @param dryRun whether the job ends where it would be handed over
     */
    public record Session(
            String name,
            String logDirectory,
            String delegationId,
            Duration lifetime,
            Integer reruns,
            List<RuntimeEnvironment> runtimeEnvironments,
            Instant start,
            boolean dryRun) {
        public static final Session NONE = new Session(null, null, null, null, null, List.of(), null, false);

        /** The same with other runtime environments. */
        Session with(List<RuntimeEnvironment> others) {
            return new Session(name, logDirectory, delegationId, lifetime, reruns, others, start, dryRun);
        }
    }

    /**
     * Software that the site sets up before the job.
     *
     * @param name with its version
     * @param options for its script
     * @param optional whether the job runs without it, too
     * @param snippet shell commands that set it up; null where there is nothing to do, and before it is looked up
     */
    public record RuntimeEnvironment(String name, List<String> options, boolean optional, String snippet) {
        /** As a description names it. */
        public RuntimeEnvironment(String name, List<String> options, boolean optional) {
            this(name, options, optional, null);
        }
    }

    /**
     * What is sent while the job runs (docs/user/live.md).
     *
     * @param liveOutput whether standard output and error are sent from the beginning
     * @param filters of its standard output
     */
    public record Monitoring(boolean liveOutput, List<Filter> filters) {
        /** Nothing but what the job sends itself. */
        public static final Monitoring NONE = new Monitoring(false, List.of());
    }

    /**
     * Makes messages of a job's standard output: of each line that matches, or of what a program prints that reads it.
     *
     * @param key of the messages; null for none
     * @param regex POSIX extended regular expression, not checked; null where a program filters
     * @param program as {@link Executable#file}; null where an expression filters
     */
    public record Filter(String key, String regex, String program) {}

    /** Programs before and after the job; each null when absent. */
    public record Hooks(Executable prologue, Executable epilogue) {
        public static final Hooks NONE = new Hooks(null, null);
    }

    /**
     * Where the job comes from; each null when absent.
     *
     * @param gridJobId a workload manager's id of the job
     * @param sequenceCode of its log; the wrapper's first argument
     */
    public record Origin(String virtualOrganisation, String gridJobId, String sequenceCode) {
        /** A single user's job. */
        public static final Origin NONE = new Origin(null, null, null);
    }

    /**
     * What the job requests of the batch system; null for what it does not request.
     *
     * @param cpus CpuNumber or NodeNumber, 1 by default
     * @param ceRequirements text of the expression
     */
    public record NodeRequest(
            int cpus,
            Integer smpGranularity,
            Integer hosts,
            boolean wholeNodes,
            Integer gpus,
            String gpuMode,
            String gpuModel,
            Integer mics,
            String ceRequirements) {
        /** Processors and nodes alone. */
        public NodeRequest(int cpus, Integer smpGranularity, Integer hosts, boolean wholeNodes) {
            this(cpus, smpGranularity, hosts, wholeNodes, null, null, null, null, null);
        }

        /** The cores that are requested on all nodes together, where they are counted; at least 1. */
        public int cores() {
            int nodes = hosts == null ? 1 : hosts;
            long together = wholeNodes && smpGranularity != null ? (long) nodes * smpGranularity : nodes;
            return (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.max(cpus, together)));
        }
    }
}
