package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs this software as another account. Functions without state. */
public final class AsAccount {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private AsAccount() {}

    /**
     * The account as which the CE runs, where this process is root and the CE does not run as root; empty elsewhere.
     *
     * @param home the CE's directory, which is its account's
     */
    public static Optional<String> instead(Path home) {
        try {
            return Optional.of(Files.getOwner(home).getName()).filter(name -> Rights.isRoot() && !name.equals("root"));
        } catch (IOException e) {
            return Optional.empty(); // It is not there yet: nobody owns it.
        }
    }

    /**
     * Runs a program of this class path as an account, with this process's standard streams, and waits for its end.
     *
     * @param main has the method {@code main}
     * @return its exit status
     * @throws SetupException when accounts cannot be changed here
     */
    public static int run(String user, Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        if (!Rights.isRoot() || !Files.isExecutable(SETPRIV)) {
            throw new SetupException("what is " + user + "'s needs root and " + SETPRIV + ": run as " + user
                    + ": ce server " + String.join(" ", arguments));
        }
        BoundedCommand.Outcome group = BoundedCommand.run(List.of("id", "-g", user));
        if (!group.good()) {
            throw new SetupException("the group of " + user + " is not known: " + group.error());
        }
        List<String> command = new ArrayList<>(List.of(
                SETPRIV.toString(), "--reuid", user, "--regid", group.output().strip(), "--init-groups"));
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
