package org.gelato.ce.cli.jdl;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.cli.terminal.Nearest;

/**
 * The attributes a CE knows (docs/developer/protocol/jdl.md section 2). Others are stored and do nothing, so that a misspelt one is a mistake
 * that nobody reports but this.
 */
public final class AttributeNames {
    private static final List<String> KNOWN = List.of(
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

    private static final Set<String> IN_SMALL =
            KNOWN.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());

    private AttributeNames() {}

    /** Whether a CE does something with the attribute, or its users may expect it to be ignored. */
    public static boolean isKnown(String name) {
        return IN_SMALL.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * What is to be said of an attribute that no CE knows: with the one it may have been meant for.
     *
     * @return empty for a known one
     */
    public static Optional<String> warning(String name) {
        if (isKnown(name)) {
            return Optional.empty();
        }
        return Optional.of("attribute " + name + " is not known and will do nothing"
                + Nearest.of(name, KNOWN)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(""));
    }
}
