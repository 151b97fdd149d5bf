package org.gelato.ce.benchmarks;

import picocli.CommandLine;

/** The process of {@code ce perf jmh}. */
public final class Main {
    private static final String LOGGING = "logback.configurationFile";

    private Main() {}

    public static void main(String[] args) {
        if (System.getProperty(LOGGING) == null) {
            System.setProperty(LOGGING, "benchmarks-logback.xml");
        }
        System.exit(commandLine().execute(args));
    }

    /** The command; separate from {@link #main} so that it can be run without ending the process. */
    static CommandLine commandLine() {
        return new CommandLine(new JmhCommand()).setExecutionExceptionHandler((e, failed, result) -> {
            failed.getErr().println("ce perf: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            return JmhCommand.FAILED;
        });
    }
}
