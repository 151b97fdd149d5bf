package org.gelato.ce.ws.setup;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program of the site for its output: for 10 seconds and 64 KiB at the most. */
final class BoundedCommand {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int MAX = 64 * 1024;
    private static final int LINE = 300;

    private BoundedCommand() {}

    /**
     * What a program did.
     *
     * @param exit its status; -1 when it did not start or did not end in time
     * @param output at most 64 KiB of its standard output
     * @param error the first line of its standard error, or why there is no result
     */
    record Outcome(int exit, String output, String error) {
        boolean good() {
            return exit == 0;
        }
    }

    static Outcome run(List<String> command) {
        return run(command, Map.of(), LONGEST);
    }

    static Outcome run(List<String> command, Map<String, String> environment) {
        return run(command, environment, LONGEST);
    }

    /** Blocks; what is left of the program when its time is over is killed. */
    static Outcome run(List<String> command, Map<String, String> environment, Duration longest) {
        Path out = null;
        Path err = null;
        try {
            // Files, because a descendant that keeps a pipe open would keep us reading.
            out = Files.createTempFile("gelato-init", ".out");
            err = Files.createTempFile("gelato-init", ".err");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("LC_ALL", "C");
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                    return new Outcome(
                            -1, "", command.get(0) + " did not end within " + longest.toSeconds() + " seconds");
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            String reported = head(err).lines().findFirst().orElse("");
            return new Outcome(
                    process.exitValue(),
                    head(out),
                    Plain.text(
                            reported.isEmpty() ? command.get(0) + " ended with " + process.exitValue() : reported,
                            LINE));
        } catch (IOException e) {
            return new Outcome(-1, "", command.get(0) + " cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome(-1, "", command.get(0) + " was interrupted");
        } finally {
            delete(out);
            delete(err);
        }
    }

    private static String head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX), StandardCharsets.UTF_8);
        }
    }

    private static void delete(Path file) {
        if (file != null) {
            // A file that stays in the temporary directory does no harm.
            file.toFile().delete();
        }
    }
}
