package org.gelato.ce.description.adl;

import java.util.HashMap;
import java.util.Map;

/** Every element that is known, by its path, and what is done with it; docs/user/descriptions.md shows the same table. */
final class AdlElements {
    /** What is done with an element. */
    enum Use {
        /** Read, at most once within its parent. */
        ONCE,
        /** Read, as often as it stands there. */
        MANY,
        /** Accepted with a warning. */
        IGNORED,
        /** Refused unless it is optional. */
        REFUSED
    }

    static final Map<String, Use> TABLE = table();

    private AdlElements() {}

    private static Map<String, Use> table() {
        Map<String, Use> table = new HashMap<>();
        String[] once = {
            "ActivityIdentification",
            "ActivityIdentification/Name",
            "ActivityIdentification/Type",
            "Application",
            "Application/Executable",
            "Application/Executable/Path",
            "Application/PreExecutable",
            "Application/PreExecutable/Path",
            "Application/PostExecutable",
            "Application/PostExecutable/Path",
            "Application/Input",
            "Application/Output",
            "Application/Error",
            "Application/WipeTime",
            "Application/LoggingDirectory",
            "Application/DryRun",
            "Application/Priority",
            "Application/ProcessingStartTime",
            "Application/Rerun",
            "Application/StartTime",
            "Resources",
            "Resources/QueueName",
            "Resources/WallTime",
            "Resources/TotalCPUTime",
            "Resources/IndividualCPUTime",
            "Resources/IndividualPhysicalMemory",
            "Resources/SlotRequirement",
            "Resources/SlotRequirement/NumberOfSlots",
            "Resources/SlotRequirement/SlotsPerHost",
            "Resources/SlotRequirement/ExclusiveExecution",
            "Resources/RuntimeEnvironment/Name",
            "Resources/RuntimeEnvironment/Version",
            "Application/Environment/Name",
            "Application/Environment/Value",
            "DataStaging",
            "DataStaging/DelegationID",
            "DataStaging/InputFile/Name",
            "DataStaging/InputFile/IsExecutable",
            "DataStaging/InputFile/Source",
            "DataStaging/InputFile/Source/URI",
            "DataStaging/InputFile/Source/DelegationID",
            "DataStaging/OutputFile/Name",
            "DataStaging/OutputFile/Target",
            "DataStaging/OutputFile/Target/URI",
            "DataStaging/OutputFile/Target/DelegationID",
            "DataStaging/OutputFile/Target/UseIfCancel",
            "DataStaging/OutputFile/Target/UseIfFailure",
            "DataStaging/OutputFile/Target/UseIfSuccess",
        };
        String[] many = {
            "ActivityIdentification/Annotation",
            "Application/Executable/Argument",
            "Application/PreExecutable/Argument",
            "Application/PostExecutable/Argument",
            "Application/Environment",
            "Resources/RuntimeEnvironment",
            "Resources/RuntimeEnvironment/Option",
            "DataStaging/InputFile",
            "DataStaging/OutputFile",
        };
        String[] ignored = {
            "ActivityIdentification/Description",
            "Application/Executable/FailIfExitCodeNotEqualTo",
            "Application/PreExecutable/FailIfExitCodeNotEqualTo",
            "Application/PostExecutable/FailIfExitCodeNotEqualTo",
            "Application/AccessControl",
            "Application/CredentialService",
            "Application/ExpirationTime",
            "Application/Notification",
            "Application/RemoteLogging",
            "Resources/OperatingSystem",
            "Resources/Platform",
            "Resources/NetworkInfo",
            "Resources/NodeAccess",
            "Resources/Benchmark",
            "Resources/DiskSpaceRequirement",
            "Resources/IndividualVirtualMemory",
            "DataStaging/ClientDataPush",
            "DataStaging/InputFile/Source/Option",
            "DataStaging/OutputFile/Target/Mandatory",
            "DataStaging/OutputFile/Target/Option",
            "DataStaging/OutputFile/Target/CreationFlag",
        };
        String[] refused = {
            "Resources/Coprocessor", "Resources/ParallelEnvironment", "Resources/RemoteSessionAccess",
        };
        fill(table, Use.ONCE, once);
        fill(table, Use.MANY, many);
        fill(table, Use.IGNORED, ignored);
        fill(table, Use.REFUSED, refused);
        return Map.copyOf(table);
    }

    private static void fill(Map<String, Use> table, Use use, String... paths) {
        for (String path : paths) {
            table.put(path, use);
        }
    }
}
