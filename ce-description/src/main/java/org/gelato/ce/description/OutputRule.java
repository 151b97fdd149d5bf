package org.gelato.ce.description;

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

    public static void destinations(List<String> items, String base, List<String> destinations)
            throws DescriptionException {
        if (base != null && !destinations.isEmpty()) {
            throw new DescriptionException(
                    "OutputSandbox",
                    "one (and only one) among the OutputSandboxDestURI and"
                            + " OutputSandboxBaseDestURI attributes is allowed");
        }
        if (!items.isEmpty() && base == null && destinations.isEmpty()) {
            throw new DescriptionException(
                    "OutputSandbox",
                    "one of the following attributes OutputSandboxDestURI or"
                            + " OutputSandboxBaseDestURI must be specified");
        }
        if (base != null) {
            destination("OutputSandboxBaseDestURI", base);
            SandboxRule.joined("OutputSandbox", items, "OutputSandboxBaseDestURI", base);
        }
        if (!destinations.isEmpty()) {
            each(items, destinations);
        }
    }

    private static void destination(String attribute, String uri) throws DescriptionException {
        UriRule.check(attribute, uri, Set.of("gsiftp", "https"), "gsiftp and https");
    }

    private static void each(List<String> items, List<String> destinations) throws DescriptionException {
        for (String destination : destinations) {
            destination("OutputSandboxDestURI", destination);
        }
        if (destinations.size() != items.size()) {
            throw new DescriptionException(
                    "OutputSandboxDestURI",
                    "the OutputSandboxDestURI list must have the same cardinality" + " as the OutputSandbox list");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).chars().anyMatch(c -> "*?[]".indexOf(c) >= 0)) {
                throw new DescriptionException(
                        "OutputSandbox",
                        "wildcards are allowed with OutputSandboxBaseDestURI only: " + Excerpt.of(items.get(i)));
            }
            if (OutputDestination.isLocal(destinations.get(i))
                    && !names.add(OutputDestination.name(destinations.get(i), items.get(i)))) {
                throw new DescriptionException(
                        "OutputSandboxDestURI",
                        "two files have the same destination: " + Excerpt.of(destinations.get(i)));
            }
        }
    }
}
