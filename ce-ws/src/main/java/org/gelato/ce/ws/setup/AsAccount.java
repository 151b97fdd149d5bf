package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs this software as another account. Functions without state. */
public final class AsAccount {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private AsAccount() {}

    /**
     * Runs a program of this class path as an account, with this process's standard streams, and waits for its end.
     *
     * @param main has the method {@code main}
     * @return its exit status
     * @throws SetupException when accounts cannot be changed here
     */
    public static int run(String user, Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        if (!Rights.isRoot() || !Files.isExecutable(SETPRIV)) {
            throw new SetupException("the files are written; what is " + user + "'s needs root and " + SETPRIV
                    + ": run as " + user + ": ce server " + String.join(" ", arguments));
        }
        List<String> command =
                new ArrayList<>(List.of(SETPRIV.toString(), "--reuid", user, "--regid", user, "--init-groups"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        // The account may not enter the directory that root is in.
        return new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .inheritIO()
                .start()
                .waitFor();
    }
}
