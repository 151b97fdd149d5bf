package org.gelato.ce.testkit.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks a model in Promela exhaustively, by SPIN and the C compiler. Thread-safe: each check has a directory of its own. */
public final class ModelChecker {
    private static final Pattern STATES = Pattern.compile("(?m)^\\s*([0-9.e+]+) states, stored");
    private static final Pattern ERROR = Pattern.compile("(?m)^pan:\\d+: (.*)$");
    private static final Pattern ERRORS = Pattern.compile("errors: (\\d+)");

    private final Path model;
    private final Path scratch;

    /**
     * What a check found.
     *
     * @param states that were visited
     * @param error the first violation of a property; null for none
     * @param output of the program that checks
     */
    public record Result(long states, String error, String output) {}

    /**
     * @param model the file
     * @param scratch a directory for what is made
     */
    public ModelChecker(Path model, Path scratch) {
        this.model = model.toAbsolutePath();
        this.scratch = scratch.toAbsolutePath();
    }

    /** Why nothing can be checked here; empty when it can. */
    public static Optional<String> missing() {
        return List.of("/usr/bin/spin", "/usr/bin/gcc").stream()
                .filter(program -> !Files.isExecutable(Path.of(program)))
                .map(program -> program + " is missing")
                .findFirst();
    }

    /**
     * Checks the model.
     *
     * @param name of the check: of its directory
     * @param defines for the preprocessor, such as {@code JOBS=1}
     * @param level of the compiler's optimization: 0 for searches that end soon
     * @param options of the program that checks, such as {@code -m10000}
     * @throws IllegalStateException when it broke off, or did not visit all states
     */
    public Result check(String name, List<String> defines, int level, String... options) {
        try {
            Path directory = Files.createDirectories(scratch.resolve(name));
            // Beside what it includes.
            Path copy = directory.resolve(model.getFileName());
            Files.copy(model, copy, StandardCopyOption.REPLACE_EXISTING);
            List<String> spin = new ArrayList<>(List.of("/usr/bin/spin"));
            defines.forEach(define -> spin.add("-D" + define));
            spin.addAll(List.of("-a", copy.toString()));
            run(directory, spin);
            run(
                    directory,
                    List.of(
                            "/usr/bin/gcc",
                            "-w",
                            "-O" + level,
                            "-DSAFETY",
                            "-DNOCLAIM",
                            "-DCOLLAPSE",
                            "-o",
                            "pan",
                            "pan.c"));
            List<String> pan = new ArrayList<>(List.of("./pan", "-w22", "-m200000"));
            pan.addAll(List.of(options));
            return result(name, run(directory, pan));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Result result(String name, String output) {
        Matcher states = STATES.matcher(output);
        Matcher errors = ERRORS.matcher(output);
        if (!states.find() || !errors.find() || output.contains("max search depth too small")) {
            throw new IllegalStateException("the check " + name + " broke off: " + output);
        }
        Matcher error = ERROR.matcher(output);
        String first = error.find() ? error.group(1) : null;
        if (first == null && !errors.group(1).equals("0")) {
            throw new IllegalStateException("the check " + name + " found what it does not say: " + output);
        }
        return new Result((long) Double.parseDouble(states.group(1)), first, output);
    }

    private static String run(Path directory, List<String> command) throws IOException {
        Path log = directory.resolve(Path.of(command.get(0)).getFileName() + ".log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(4, TimeUnit.HOURS)) {
                throw new IllegalStateException(command + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(log);
        if (process.exitValue() != 0) {
            throw new IllegalStateException(command + " failed: " + output);
        }
        return output;
    }
}
