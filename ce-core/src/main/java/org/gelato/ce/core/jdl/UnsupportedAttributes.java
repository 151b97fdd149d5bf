package org.gelato.ce.core.jdl;

import java.util.List;
import java.util.Map;

/**
 * Refuses, by name, what the job wrapper cannot do: a description that asked for it and was accepted would run without it.
 * Called last, so that what is wrong with a description is told before what is not offered.
 */
final class UnsupportedAttributes {
    private static final List<String> NOT_OFFERED =
            List.of("Prologue", "Epilogue", "PerusalFileEnable", "ReallyRunningToken");

    private UnsupportedAttributes() {}

    static void check(JobRequest request) throws JdlException {
        others(request.others());
        input(request);
        output(request);
    }

    private static void others(Map<String, String> others) throws JdlException {
        for (String name : NOT_OFFERED) {
            if (others.containsKey(name)) {
                throw new JdlException(name + ": not supported by this CE");
            }
        }
    }

    private static void input(JobRequest request) throws JdlException {
        if (request.inputSandboxBaseUri() != null) {
            throw new JdlException(
                    "InputSandboxBaseURI: not supported by this CE, only files that the client uploads are");
        }
        for (String item : request.inputSandbox()) {
            if (!SandboxItem.isLocal(item)) {
                throw new JdlException(
                        "InputSandbox: not supported by this CE, only files that the client uploads are: "
                                + Excerpt.of(item));
            }
        }
    }

    private static void output(JobRequest request) throws JdlException {
        String base = request.outputSandboxBaseDestUri();
        if (base != null && !OutputDestination.isLocal(base)) {
            throw elsewhere("OutputSandboxBaseDestURI", base);
        }
        for (String destination : request.outputSandboxDestUris()) {
            if (!OutputDestination.isLocal(destination)) {
                throw elsewhere("OutputSandboxDestURI", destination);
            }
        }
    }

    private static JdlException elsewhere(String attribute, String destination) {
        return new JdlException(attribute + ": not supported by this CE, only gsiftp://localhost destinations are: "
                + Excerpt.of(destination));
    }
}
