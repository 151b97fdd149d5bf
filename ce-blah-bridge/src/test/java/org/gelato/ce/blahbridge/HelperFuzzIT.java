package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * libFuzzer with address and undefined behaviour sanitizers against the helper's reading of requests, for 15 seconds, and longer in
 * proportion where {@code -Djqwik.tries.default} is more than 1000, from the seed {@code -Dfuzz.seed} (1). An input that breaks something
 * stays in {@code target/fuzz}; docs/developer/fuzzing.md explains how to handle it.
 */
class HelperFuzzIT {
    private static final Path SOURCES = Path.of("src", "main", "c").toAbsolutePath();
    private static final Path HARNESS = Path.of("src", "test", "c").toAbsolutePath();
    private static final Path FOLDER = Path.of("target", "fuzz").toAbsolutePath();
    private static final List<String> FUZZED = List.of(
            "buf.c",
            "line.c",
            "codec.c",
            "request.c",
            "http.c",
            "path.c",
            "home.c",
            "config.c",
            "trusted.c",
            // what follows for the work on files that arrive in parts
            "frame.c",
            "work.c",
            "reply.c",
            "command.c",
            "stream.c",
            "file.c",
            "upload.c");

    private static final List<String> COMPILE = List.of(
            "clang",
            "-std=c11",
            "-D_GNU_SOURCE",
            "-O1",
            "-g",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsanitize=fuzzer,address,undefined",
            "-fno-sanitize-recover=all");

    private static final int MEGABYTES = 256;
    private static final int SECONDS_OF_ONE_INPUT = 10;

    @Test
    void noInputBreaksTheReadingOfRequests() throws IOException {
        clean();
        Path corpus = Files.createDirectories(FOLDER.resolve("corpus"));
        Path fuzzer = fuzzer();
        Path log = FOLDER.resolve("run.log");
        int exit = end(
                List.of(
                        fuzzer.toString(),
                        "-seed=" + Long.getLong("fuzz.seed", 1),
                        "-max_total_time=" + seconds(),
                        "-max_len=8192",
                        "-len_control=0",
                        "-timeout=" + SECONDS_OF_ONE_INPUT,
                        "-rss_limit_mb=" + MEGABYTES,
                        "-dict=" + HARNESS.resolve("fuzz_request.dict"),
                        "-artifact_prefix=" + FOLDER + "/",
                        "-print_final_stats=1",
                        corpus.toString(),
                        HARNESS.resolve("corpus").toString()),
                log);
        String told = Files.readString(log);
        assertThat(exit).as("%s%n%s", told, broken()).isZero();
        assertThat(told).containsPattern("(?m)^Done [0-9]+ runs");
    }

    private static long seconds() {
        return Math.max(15, Long.getLong("jqwik.tries.default", 1000) * 15 / 1000);
    }

    /** Compiles the harness, or skips where there is no libFuzzer. */
    private static Path fuzzer() throws IOException {
        Path program = FOLDER.resolve("fuzz-request");
        Path log = FOLDER.resolve("cc.log");
        Path probe = FOLDER.resolve("probe.c");
        Files.writeString(
                probe, "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n; }\n");
        assumeTrue(clangExists(), "clang is not installed (Debian: clang, libclang-rt-dev)");
        assumeTrue(
                end(with(COMPILE, "-Wno-error", "-o", program.toString(), probe.toString()), log) == 0,
                () -> "clang has no libFuzzer or no sanitizers (Debian: libclang-rt-dev)");
        List<String> command = with(COMPILE, "-I" + SOURCES, "-o", program.toString());
        command.add(HARNESS.resolve("fuzz_request.c").toString());
        FUZZED.forEach(name -> command.add(SOURCES.resolve(name).toString()));
        assertThat(end(command, log)).as(Files.readString(log)).isZero();
        return program;
    }

    private static boolean clangExists() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "clang")));
    }

    private static List<String> with(List<String> command, String... more) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(more));
        return all;
    }

    /** The inputs that broke something, to be read in the report. */
    private static String broken() throws IOException {
        StringBuilder words = new StringBuilder();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(p -> p.getFileName().toString().matches("(crash|leak|oom|timeout)-.*"))
                    .toList()) {
                words.append(file)
                        .append(": ")
                        .append(HexFormat.of().formatHex(Files.readAllBytes(file)))
                        .append('\n');
            }
        }
        return words.toString();
    }

    /** What a run before left would lead this one elsewhere. */
    private static void clean() throws IOException {
        if (!Files.exists(FOLDER)) {
            return;
        }
        try (Stream<Path> all = Files.walk(FOLDER)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static int end(List<String> command, Path log) throws IOException {
        // libFuzzer's memory limit is for the highest resident size, which a program inherits from the JVM that starts
        // it; a
        // shell's fork begins anew
        List<String> forked = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\"; exit $?", "sh"));
        forked.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(forked)
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        // freed memory is kept back to catch its use; by default as much as all a run may take
        builder.environment().put("ASAN_OPTIONS", "quarantine_size_mb=32");
        Process process = builder.start();
        try {
            if (!process.waitFor(seconds() + 300, TimeUnit.SECONDS)) {
                throw new AssertionError(command.get(0) + " does not end, see " + log);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
