package org.gelato.ce.it.arcrest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;

/** A client written in Python, in the environment that dev/python made for it, driven by a script of ours. */
public final class PythonClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Path LISTS = Path.of("src", "test", "resources", "python");

    private final String name;
    private final Path python;

    private PythonClient(String name, Path python) {
        this.name = name;
        this.python = python;
    }

    /**
     * The client of this list of packages. Without its environment, or with one made from another list, the test skips itself.
     *
     * @param name of the list, without its ending
     * @param shown the client's name in the report of the run
     */
    public static PythonClient of(String name, String shown) throws IOException {
        Path environment = SiteCe.cache().resolve("python").resolve(name);
        Path installed = environment.resolve("installed.txt");
        if (!Files.exists(installed) || Files.mismatch(installed, LISTS.resolve(name + ".txt")) != -1) {
            Skipped.because(shown, name + " is not installed: dev/python installs it, and says why it cannot");
        }
        return new PythonClient(name, environment.resolve("bin").resolve("python"));
    }

    /**
     * Runs the client's script to its end, and returns the JSON that it printed last.
     *
     * @param directory where it runs; its output stays there
     * @param environment variables beside those of this process
     */
    public JsonNode run(Path directory, Map<String, String> environment, String... arguments) {
        return runScript(name + "_client.py", directory, environment, arguments);
    }

    /** As {@link #run}, with another script beside the client's own. */
    public JsonNode runScript(String script, Path directory, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                python.toString(), LISTS.resolve(script).toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        try {
            Path out = Files.createTempFile(directory, name, ".out");
            Path err = Files.createTempFile(directory, name, ".err");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("HOME", directory.toString());
            // A library takes these before the authorities that its program names.
            builder.environment().keySet().removeAll(List.of("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"));
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            String printed = Files.readString(out, StandardCharsets.UTF_8).strip();
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(name + (ended ? " failed: " : " does not end: ") + tail(printed) + "\n"
                        + tail(Files.readString(err, StandardCharsets.UTF_8)));
            }
            return JSON.readTree(printed.substring(printed.lastIndexOf('\n') + 1));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Starts a program of the repository, which runs on.
     *
     * @param program path below the root of the repository
     * @param output what it prints, errors too, is appended there
     */
    public Process start(String program, Path output, Map<String, String> environment, String... arguments)
            throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        List<String> command =
                new ArrayList<>(List.of(python.toString(), root.resolve(program).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** The end of what was printed, where the error is. */
    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - 4000));
    }
}
