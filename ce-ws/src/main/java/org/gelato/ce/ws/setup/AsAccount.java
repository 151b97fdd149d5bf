package org.gelato.ce.ws.setup;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Runs this software as another account. Functions without state. */
public final class AsAccount {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final Pattern KEPT = Pattern.compile("PATH|LANG|LC_[A-Z]+");

    /** Fields of an account. */
    private static final int GROUP = 3;

    private static final int HOME = 5;

    private AsAccount() {}

    /**
     * As which account a command reads what the CE reads.
     *
     * @param account the CE's, as which the command is to be run once more; null when this process is to read
     * @param doubt that this process may read what the CE's account may not, why, and what to do; null when it may not
     */
    public record Choice(String account, String doubt) {}

    /**
     * The account that may read what the CE may, where this process is root.
     *
     * @param home the CE's directory, which is its account's
     * @param command the arguments of {@code ce server} that are to be run as that account
     */
    public static Choice choice(Path home, List<String> command) {
        if (!Rights.isRoot()) {
            return new Choice(null, null);
        }
        String account = "the CE's account";
        String why;
        try {
            String owner = Files.getOwner(home).getName();
            if (owner.equals("root")) {
                why = "gelato.home (" + home + ") belongs to root";
            } else {
                account = owner;
                why = problem(owner).orElse(null);
                if (why == null) {
                    return new Choice(owner, null);
                }
            }
        } catch (IOException e) {
            why = "gelato.home (" + home + ") is not there";
        }
        return new Choice(
                null,
                why + ", so this reads as root, who may read what the CE's account may not; run as " + account
                        + ": ce server " + String.join(" ", command));
    }

    /**
     * Why nothing can be run as an account here: this process is not root, programs of Linux are missing, the account has no name, or it may
     * not read this software. Empty when it can.
     */
    public static Optional<String> problem(String user) {
        if (!Rights.isRoot()) {
            return Optional.of("only root runs programs as " + user);
        }
        for (Path program : List.of(SETPRIV, SETSID)) {
            if (!Files.isExecutable(program)) {
                return Optional.of(program + " is not there");
            }
        }
        String[] account = account(user);
        if (account.length <= HOME) {
            return Optional.of("the account " + user + " is not known on this host");
        }
        String software = System.getProperty("java.class.path").split(File.pathSeparator, 2)[0];
        List<String> command = as(user, account);
        command.addAll(List.of("test", "-r", software, "-a", "-x", java()));
        return BoundedCommand.run(command).good()
                ? Optional.empty()
                : Optional.of(user + " may not read " + software + " or not run " + java());
    }

    /** The fields of its line; fewer than all when there is none. */
    private static String[] account(String user) {
        return BoundedCommand.run(List.of("getent", "passwd", user))
                .output()
                .strip()
                .split(":", -1);
    }

    /** A session of its own has no terminal: into root's the account could type commands. */
    private static List<String> as(String user, String[] account) {
        return new ArrayList<>(List.of(
                SETSID.toString(),
                "--wait",
                SETPRIV.toString(),
                "--reuid",
                user,
                "--regid",
                account[GROUP],
                "--init-groups"));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * Runs a program of this class path as an account, with this process's standard output and error, and waits for its end. Of root's
     * environment it gets the path of programs and the language alone.
     *
     * @param main has the method {@code main}
     * @return its exit status
     * @throws SetupException when accounts cannot be changed here
     */
    public static int run(String user, Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        return run(user, main, arguments, ProcessBuilder.Redirect.INHERIT);
    }

    /** As {@link #run(String, Class, List)}, with its standard output elsewhere. */
    public static int run(String user, Class<?> main, List<String> arguments, ProcessBuilder.Redirect output)
            throws IOException, InterruptedException {
        String problem = problem(user).orElse(null);
        if (problem != null) {
            throw new SetupException(problem + ": run as " + user + ": ce server " + String.join(" ", arguments));
        }
        String[] account = account(user);
        List<String> command = as(user, account);
        command.add(java());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        // The account may not enter the directory that root is in.
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> !KEPT.matcher(name).matches());
        builder.environment().put("HOME", account[HOME]);
        Process process = builder.start();
        // Ctrl-C does not reach another session.
        Thread end = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        int status = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        return status;
    }
}
