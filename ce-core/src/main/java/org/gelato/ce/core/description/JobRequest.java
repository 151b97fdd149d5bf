package org.gelato.ce.core.description;

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
        List<String> warnings) {

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
                List.of());
    }

    /** The same with other streams and another environment. */
    public JobRequest with(Streams others, Map<String, String> variables) {
        return new JobRequest(executable, others, files, resources, variables, hooks, origin, this.others, warnings);
    }

    /**
     * A program.
     *
     * @param file as written: absolute, starting with {@code $}, or a bare file name of the input sandbox
     * @param arguments shell words to be interpreted on the worker node; empty for none
     */
    public record Executable(String file, String arguments) {}

    /** Files of the standard streams; each null when absent. */
    public record Streams(String input, String output, String error) {
        /** No files. */
        public static final Streams NONE = new Streams(null, null, null);
    }

    /**
     * What is brought to the worker node and taken away, each item as written.
     *
     * @param inputBase from which relative items of the input start; null when absent
     * @param outputBase to which output goes that has no destination of its own; null when absent
     * @param destinations of the output, as many as items; empty when absent
     */
    public record Files(
            List<String> input, String inputBase, List<String> output, String outputBase, List<String> destinations) {
        /** No files. */
        public static final Files NONE = new Files(List.of(), null, List.of(), null, List.of());

        /** Whether the client uploads files before it starts the job, so that the sandbox must exist from register on. */
        public boolean expectUpload() {
            return input.stream().anyMatch(item -> SandboxItem.source(item, inputBase) == null);
        }
    }

    /**
     * What is requested of the batch system.
     *
     * @param batchSystem as written; names of batch systems compare without case
     * @param queue never null
     */
    public record Resources(String batchSystem, String queue, NodeRequest nodes) {}

    /** Programs before and after the job; each null when absent. */
    public record Hooks(Executable prologue, Executable epilogue) {
        /** No programs. */
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
            String ceRequirements) {}
}
