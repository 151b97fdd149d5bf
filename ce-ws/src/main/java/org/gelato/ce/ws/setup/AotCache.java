package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The ahead-of-time cache of the server (JEP 483, 514, 515): its classes loaded and linked, and which of their methods a CE
 * at work called and how, so that they are compiled at once. Java writes it at the end of a training run. It fits one build
 * of Java, one set of jars and some options of the JVM, which the JVM compares at each start.
 */
public final class AotCache {
    /** The first Java that writes one from one run, with profiles. */
    public static final int FIRST_JAVA = 25;

    /** Of the whole run; a machine that is slower does without. */
    private static final Duration LONGEST = Duration.ofSeconds(Long.getLong("gelato.test.aot-seconds", 115));

    private static final Duration CHECK = Duration.ofSeconds(30);
    private static final long MAX_BYTES = 300_000_000;

    private final Path file;
    private final Path java;
    private final List<String> options;
    private final String classPath;

    /** Runs a CE, has it work and stops it. */
    @FunctionalInterface
    interface Training {
        /**
         * @param server Java with its options, without the main class
         * @param longest how long it may take, the end of the process included
         * @throws SetupException when the CE does not start, work or end
         */
        void run(List<String> server, Duration longest) throws IOException;
    }

    /**
     * Describes one; nothing is made.
     *
     * @param file where it is to be
     * @param java home of the Java that will read it, {@value #FIRST_JAVA} or newer
     * @param options of the JVM of its readers
     * @param classPath of jars alone, with which the class path of its readers begins
     */
    public AotCache(Path file, Path java, List<String> options, String classPath) {
        this.file = file.toAbsolutePath();
        this.java = java;
        this.options = List.copyOf(options);
        this.classPath = classPath;
    }

    /**
     * Makes it, in place of one that is there; takes up to two minutes.
     *
     * @throws SetupException when others may write to its directory, another process makes it, the CE of the training
     *     does not run, or the JVM makes none
     * @throws IOException when a file cannot be written
     */
    public void make() throws IOException {
        make(new TrainingRun());
    }

    void make(Training training) throws IOException {
        new ArchiveFile(file).replace(next -> {
            try {
                training.run(server("-XX:AOTCacheOutput=" + next), LONGEST);
                accepted(next);
            } finally {
                // What Java makes the cache of; it stays when the run is cut short.
                Files.deleteIfExists(Path.of(next + ".config"));
            }
        });
    }

    private List<String> server(String... more) {
        List<String> command = new ArrayList<>();
        command.add(java.resolve("bin").resolve("java").toString());
        command.addAll(options);
        command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
        command.addAll(List.of(more));
        command.addAll(List.of("-cp", classPath));
        return command;
    }

    private void accepted(Path next) throws IOException {
        if (!Files.exists(next)) {
            throw new SetupException("Java made no AOT cache at the end of the training");
        }
        long size = Files.size(next);
        if (size > MAX_BYTES) {
            throw new SetupException("the AOT cache has " + size + " bytes, of at most " + MAX_BYTES);
        }
        // The JVM ends with this mode where it would go on without the cache.
        List<String> check = server("-XX:AOTMode=on", "-XX:AOTCache=" + next, "-XX:+VerifySharedSpaces");
        check.add("-version");
        BoundedCommand.Outcome outcome = BoundedCommand.run(check, Map.of(), CHECK);
        if (!outcome.good()) {
            throw new SetupException("Java does not accept the AOT cache that it made: " + outcome.error());
        }
    }
}
