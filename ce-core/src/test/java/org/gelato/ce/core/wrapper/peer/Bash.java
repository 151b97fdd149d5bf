package org.gelato.ce.core.wrapper.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A real bash, in a directory of its own and with nothing inherited from the test's environment. */
public final class Bash {
    private Bash() {}

    public static byte[] run(String script, Path directory, Map<String, String> environment) {
        try {
            Path file = Files.writeString(directory.resolve(".script"), script);
            Path errors = directory.resolve(".errors");
            ProcessBuilder bash = new ProcessBuilder("bash", file.toString())
                    .directory(directory.toFile())
                    .redirectError(errors.toFile());
            bash.environment().clear();
            bash.environment().put("PATH", "/usr/bin:/bin");
            bash.environment().putAll(environment);
            Process process = bash.start();
            process.getOutputStream().close();
            byte[] output = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0 || Files.size(errors) > 0) {
                throw new AssertionError(Files.readString(errors) + "\n" + script);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** What stands before each NUL. */
    public static List<String> split(byte[] bytes) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                parts.add(new String(bytes, start, i - start, StandardCharsets.UTF_8));
                start = i + 1;
            }
        }
        return parts;
    }
}
