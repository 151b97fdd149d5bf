package org.gelato.ce.description;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How the output files and their destinations must fit together. */
public final class OutputRule {
    private OutputRule() {}

    /** StdOutput and StdError end up side by side: one name may not mean two files. */
    public static void streams(String stdOutput, String stdError) throws DescriptionException {
        boolean clash = stdOutput != null
                && stdError != null
                && !stdOutput.equals(stdError)
                && SandboxItem.baseName(stdOutput).equals(SandboxItem.baseName(stdError));
        if (clash) {
            throw DescriptionException.naming(
                    "StdError",
                    "StdOutput & StdError: the values specified have the same name but with different paths");
        }
    }

    /**
     * The files of an output sandbox.
     *
     * @param base null when absent
     * @param destinations one for each item, or none; without both the files are kept at the CE, where CREAM refuses the description
     */
    public static List<JobRequest.OutputFile> check(List<String> items, String base, List<String> destinations)
            throws DescriptionException {
        if (base != null && !destinations.isEmpty()) {
            throw new DescriptionException(
                    "OutputSandbox",
                    "one (and only one) among the OutputSandboxDestURI and"
                            + " OutputSandboxBaseDestURI attributes is allowed");
        }
        if (base != null) {
            destination("OutputSandboxBaseDestURI", base);
            SandboxRule.joined("OutputSandbox", items, "OutputSandboxBaseDestURI", base);
        }
        if (!destinations.isEmpty()) {
            return each(items, destinations);
        }
        RemoteFile directory = base == null ? null : OutputDestination.directory(base);
        return items.stream()
                .map(item -> file(item, SandboxItem.baseName(item), directory))
                .toList();
    }

    private static JobRequest.OutputFile file(String item, String name, RemoteFile destination) {
        return new JobRequest.OutputFile(item, name, destination, JobRequest.Ends.ALL);
    }

    private static void destination(String attribute, String uri) throws DescriptionException {
        UriRule.check(attribute, uri, Set.of("gsiftp", "https"), "gsiftp and https");
    }

    private static List<JobRequest.OutputFile> each(List<String> items, List<String> destinations)
            throws DescriptionException {
        for (String destination : destinations) {
            destination("OutputSandboxDestURI", destination);
        }
        if (destinations.size() != items.size()) {
            throw new DescriptionException(
                    "OutputSandboxDestURI",
                    "the OutputSandboxDestURI list must have the same cardinality" + " as the OutputSandbox list");
        }
        Set<String> names = new HashSet<>();
        List<JobRequest.OutputFile> files = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).chars().anyMatch(c -> "*?[]".indexOf(c) >= 0)) {
                throw new DescriptionException(
                        "OutputSandbox",
                        "wildcards are allowed with OutputSandboxBaseDestURI only: " + SafeText.of(items.get(i)));
            }
            JobRequest.OutputFile file = file(
                    items.get(i),
                    OutputDestination.name(destinations.get(i), items.get(i)),
                    OutputDestination.file(destinations.get(i)));
            if (file.destination() == null && !names.add(file.name())) {
                throw new DescriptionException(
                        "OutputSandboxDestURI",
                        "two files have the same destination: " + SafeText.of(destinations.get(i)));
            }
            files.add(file);
        }
        return List.copyOf(files);
    }
}
