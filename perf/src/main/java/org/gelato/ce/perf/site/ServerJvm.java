package org.gelato.ce.perf.site;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The JVM of a server that is measured: with the options of {@code ce server}, which {@code ce perf} hands on. */
public final class ServerJvm {
    private static final String FLAGS = "gelato.perf.server-flags";
    /** Of the archive of the CE's classes; empty without one. */
    private static final String ARCHIVE_FLAGS = "gelato.perf.archive-flags";
    /** The class path that the archive was made for: Java uses one where its own class path begins so. */
    private static final String ARCHIVED = "gelato.perf.archived-path";

    private ServerJvm() {}

    /** Everything before the main class of a CE: with the archive of its classes, as an installed one has it. */
    public static List<String> command() {
        List<String> command = start();
        add(command, ARCHIVE_FLAGS);
        String archived = System.getProperty(ARCHIVED, "");
        return withPath(command, archived.isEmpty() ? own() : archived + File.pathSeparator + own());
    }

    /** Everything before the main class of another server: as Java starts it, without an archive of its own. */
    public static List<String> plain() {
        return withPath(start(), own());
    }

    private static List<String> start() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        add(command, FLAGS);
        return command;
    }

    private static void add(List<String> command, String property) {
        Arrays.stream(System.getProperty(property, "").split(" "))
                .filter(flag -> !flag.isEmpty())
                .forEach(command::add);
    }

    private static List<String> withPath(List<String> command, String path) {
        command.add("-cp");
        command.add(path);
        return command;
    }

    private static String own() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
