package org.gelato.ce.description.jdl;

import java.util.List;

/**
 * The attributes a CE knows (docs/developer/protocol/jdl.md section 2). Others are stored and do nothing, so that a misspelt one is a mistake
 * that nobody reports but this.
 */
public final class AttributeNames {
    /** As the page spells them; they compare without case. */
    public static final List<String> KNOWN = List.of(
            "Type",
            "JobType",
            "Executable",
            "Arguments",
            "StdInput",
            "StdOutput",
            "StdError",
            "InputSandbox",
            "InputSandboxBaseURI",
            "OutputSandbox",
            "OutputSandboxDestURI",
            "OutputSandboxBaseDestURI",
            "MaxOutputSandboxSize",
            "OutputData",
            "Prologue",
            "PrologueArguments",
            "Epilogue",
            "EpilogueArguments",
            "Environment",
            "BatchSystem",
            "QueueName",
            "VirtualOrganisation",
            "CpuNumber",
            "NodeNumber",
            "HostNumber",
            "WholeNodes",
            "SMPGranularity",
            "GPUNumber",
            "GPUMode",
            "GPUModel",
            "MICNumber",
            "CERequirements",
            "MyProxyServer",
            "HLRLocation",
            "MwVersion",
            "WMS_HOSTNAME",
            "LBAddress",
            "LB_sequence_code",
            "edg_jobid",
            "ReallyRunningToken",
            "PerusalFileEnable",
            "PerusalFilesDestURI",
            "PerusalListFileURI",
            "PerusalTimeInterval",
            "MonitorFilters",
            "LiveOutput",
            "JobName",
            "Labels",
            // Of the workload manager: stored without a meaning here, and no mistake.
            "Requirements",
            "Rank",
            "RetryCount",
            "ShallowRetryCount",
            "VirtualOrganization",
            "JobProvenance",
            "AllowZippedISB",
            "ExpiryTime");

    private AttributeNames() {}

    /** Whether a CE does something with the attribute, or its users may expect it to be ignored. */
    public static boolean isKnown(String name) {
        return KNOWN.stream().anyMatch(name::equalsIgnoreCase);
    }
}
