package org.gelato.ce.core.description;

import java.util.List;
import java.util.Map;

/**
 * A job description after all checks of docs/protocol/jdl.md section 2: what the rest of the CE works with.
 *
 * @param executable as written: absolute, starting with {@code $}, or a bare file name of the input sandbox
 * @param arguments shell words to be interpreted on the worker node; empty for none
 * @param stdInput null when absent
 * @param stdOutput null when absent
 * @param stdError null when absent
 * @param environment in the order of the JDL
 * @param inputSandbox items as written
 * @param inputSandboxBaseUri null when absent
 * @param outputSandbox items as written
 * @param outputSandboxBaseDestUri null when absent
 * @param outputSandboxDestUris empty when absent, else as many as items
 * @param batchSystem as written; the LRMS names compare without case
 * @param queue never null
 * @param virtualOrganisation null when absent
 * @param nodes what to ask the batch system for
 * @param gridJobId {@code edg_jobid}; null when absent
 * @param lbSequenceCode wrapper's argument 1; null when absent
 * @param others every further string-valued attribute of docs/protocol/jdl.md section 2, by its canonical name
 *     (MyProxyServer, HLRLocation, MwVersion, WMS_HOSTNAME, Requirements, Rank, ...); numbers and expressions as text
 * @param warnings what was accepted but will not be done as an old hand may expect; for the job's log
 */
public record JobRequest(
        String executable,
        String arguments,
        String stdInput,
        String stdOutput,
        String stdError,
        Map<String, String> environment,
        List<String> inputSandbox,
        String inputSandboxBaseUri,
        List<String> outputSandbox,
        String outputSandboxBaseDestUri,
        List<String> outputSandboxDestUris,
        String batchSystem,
        String queue,
        String virtualOrganisation,
        NodeRequest nodes,
        String gridJobId,
        String lbSequenceCode,
        Map<String, String> others,
        List<String> warnings) {

    /** A request that gave no cause for warnings. */
    public JobRequest(
            String executable,
            String arguments,
            String stdInput,
            String stdOutput,
            String stdError,
            Map<String, String> environment,
            List<String> inputSandbox,
            String inputSandboxBaseUri,
            List<String> outputSandbox,
            String outputSandboxBaseDestUri,
            List<String> outputSandboxDestUris,
            String batchSystem,
            String queue,
            String virtualOrganisation,
            NodeRequest nodes,
            String gridJobId,
            String lbSequenceCode,
            Map<String, String> others) {
        this(
                executable,
                arguments,
                stdInput,
                stdOutput,
                stdError,
                environment,
                inputSandbox,
                inputSandboxBaseUri,
                outputSandbox,
                outputSandboxBaseDestUri,
                outputSandboxDestUris,
                batchSystem,
                queue,
                virtualOrganisation,
                nodes,
                gridJobId,
                lbSequenceCode,
                others,
                List.of());
    }

    /** Whether the client uploads files before it starts the job, so that the sandbox must exist from register on. */
    public boolean expectsUpload() {
        return inputSandbox.stream().anyMatch(item -> SandboxItem.source(item, inputSandboxBaseUri) == null);
    }

    /**
     * What the job asks the batch system for; null for what it does not ask.
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
