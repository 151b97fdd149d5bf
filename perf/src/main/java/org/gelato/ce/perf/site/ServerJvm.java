package org.gelato.ce.perf.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The JVM of a server that is measured: with the options of {@code ce server}, which {@code ce perf} hands on. */
public final class ServerJvm {
    private static final String FLAGS = "gelato.perf.server-flags";

    private ServerJvm() {}

    /** Everything before the main class. */
    public static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Arrays.stream(System.getProperty(FLAGS, "").split(" "))
                .filter(flag -> !flag.isEmpty())
                .forEach(command::add);
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        return command;
    }
}
