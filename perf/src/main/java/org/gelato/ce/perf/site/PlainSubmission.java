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
import java.util.stream.Stream;

/**
 * The batch system's own command, as a user without a CE calls it: from shells, as the account the CE's jobs run as. It
 * shows what the machine and the batch system can take.
 */
public final class PlainSubmission {
    private static final String DOES_NOTHING = "#!/bin/sh\n:\n";

    // Each caller is a loop of the one shell; the job does nothing.
    private static final String CALLERS = """
            share=$1; callers=$2; shift 2
            for ((c = 0; c < callers; c++)); do
                (for ((i = 0; i < share; i++)); do "$@" > /dev/null || exit 1; done) &
                all+=($!)
            done
            for one in "${all[@]}"; do wait "$one" || exit 1; done
            """;

    /** Of the script, and so of each job. */
    static final String NAME = "bare.sh";

    private final String account;
    private final Path log;
    private final Map<String, String> environment;
    private final List<String> command;
    private final List<String> ended;

    /**
     * @param base of the measurement; the job's script and the log are laid there
     * @param command to which the script's path is added
     * @param ended prints a line for each of these jobs that has ended well; empty where there is no such command
     */
    PlainSubmission(
            Path base, String account, Map<String, String> environment, List<String> command, List<String> ended)
            throws IOException {
        this(base, account, environment, command, ended, DOES_NOTHING);
    }

    /** @param text of the file whose path is added to the command, where that is no script */
    PlainSubmission(
            Path base,
            String account,
            Map<String, String> environment,
            List<String> command,
            List<String> ended,
            String text)
            throws IOException {
        this.account = account;
        this.environment = environment;
        log = base.resolve("bare.log");
        Path script = Files.writeString(base.resolve(NAME), text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.command = new ArrayList<>(command);
        this.command.add(script.toString());
        this.ended = List.copyOf(ended);
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
        long begin = System.nanoTime();
        run(shell, log);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** How many of all these jobs have ended well by the batch system's word; Slurm alone has one. */
    public long ended() {
        Path listing = log.resolveSibling("bare.ended");
        run(ended, listing);
        try (Stream<String> lines = Files.lines(listing)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(List<String> words, Path output) {
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            if (builder.start().waitFor() != 0) {
                throw new IllegalStateException(words + " failed: " + Files.readString(output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
