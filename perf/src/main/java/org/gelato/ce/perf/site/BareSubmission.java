package org.gelato.ce.perf.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The batch system's own command, as a user without a CE calls it: from shells, as the account the CE's jobs run as. It
 * shows what the machine and the batch system can take.
 */
public final class BareSubmission {
    // Each caller is a loop of the one shell; the job does nothing.
    private static final String CALLERS = """
            share=$1; callers=$2; shift 2
            for ((c = 0; c < callers; c++)); do
                (for ((i = 0; i < share; i++)); do "$@" > /dev/null || exit 1; done) &
                all+=($!)
            done
            for one in "${all[@]}"; do wait "$one" || exit 1; done
            """;

    private final String account;
    private final Path log;
    private final Map<String, String> environment;
    private final List<String> command;

    /**
     * @param base of the measurement; the job's script and the log are laid there
     * @param command to which the script's path is added
     */
    BareSubmission(Path base, String account, Map<String, String> environment, List<String> command)
            throws IOException {
        this.account = account;
        this.environment = environment;
        log = base.resolve("bare.log");
        Path script = Files.writeString(base.resolve("bare.sh"), "#!/bin/sh\n:\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.command = new ArrayList<>(command);
        this.command.add(script.toString());
    }

    /**
     * Submits so many jobs by each caller, all callers at once.
     *
     * @return until the last is accepted
     * @throws IllegalStateException when one was refused
     */
    public Duration submit(int jobsPerCaller, int callers) {
        List<String> shell = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            shell.addAll(List.of("runuser", "-u", account, "--"));
        }
        shell.addAll(List.of("bash", "-c", CALLERS, "bare", "" + jobsPerCaller, "" + callers));
        shell.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(shell)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            long begin = System.nanoTime();
            int exit = builder.start().waitFor();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            if (exit != 0) {
                throw new IllegalStateException(command + " failed: " + Files.readString(log));
            }
            return took;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
