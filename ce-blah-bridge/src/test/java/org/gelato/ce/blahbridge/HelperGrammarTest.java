package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raw bytes on the helper's stdin, without the channel's checks. */
class HelperGrammarTest {
    @TempDir
    Path temporary;

    private record Ended(int exit, List<String> lines, String errors) {}

    private Ended talk(Path program, byte[] input, int replies) throws Exception {
        Path errors = temporary.resolve("errors");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "-s",
                        temporary.resolve("root").toString(),
                        "-m",
                        "1000",
                        "-x",
                        "/usr/bin/true")
                .redirectError(errors.toFile())
                .start();
        Thread writer = new Thread(() -> {
            try (OutputStream out = process.getOutputStream()) {
                out.write(input);
            } catch (IOException e) {
                // the helper ended first, which the test checks
            }
        });
        writer.start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.ISO_8859_1))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        }
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        writer.join(10_000);
        assertThat(lines).hasSizeGreaterThan(replies);
        return new Ended(process.exitValue(), lines, Files.readString(errors));
    }

    private Path program() throws IOException {
        return HelperBinary.extract(temporary.resolve("bin"));
    }

    @Test
    void everyLineGetsOneReplyAndTheEndOfInputEnds() throws Exception {
        String input = "VERSION\r\nversion\nRESULTS\n\nFOO\\ BAR x\nGELATO_PING 0\nGELATO_PING 12\nASYNC_MODE_ON 1\n";
        Ended ended = talk(program(), input.getBytes(StandardCharsets.US_ASCII), 0);
        assertThat(ended.exit).isEqualTo(1);
        assertThat(ended.lines.subList(1, ended.lines.size()))
                .containsExactly(
                        "S " + ended.lines.get(0),
                        "S " + ended.lines.get(0),
                        "S 0",
                        "E Unknown\\ command",
                        "E Unknown\\ command",
                        "E Bad\\ request\\ id",
                        "S",
                        "E expected\\ 0\\ parameters,\\ 1\\ found");
    }

    @Test
    void resultsAreReportedOnceAndNeverInsideAReply() throws Exception {
        String input = "ASYNC_MODE_ON\nGELATO_PING 1\nGELATO_PING 2\nRESULTS\nGELATO_PING 3\nQUIT\nVERSION\n";
        Ended ended = talk(program(), input.getBytes(StandardCharsets.US_ASCII), 6);
        assertThat(ended.exit).isZero();
        assertThat(ended.lines).filteredOn(l -> l.equals("R")).hasSizeBetween(0, 2);
        int results = ended.lines.indexOf("S 2");
        assertThat(ended.lines.subList(results + 1, results + 3)).containsExactly("1 0 No\\ error", "2 0 No\\ error");
        assertThat(ended.lines).contains("S Server\\ exiting").noneMatch(l -> l.startsWith("S $Gahp"));
    }

    @Test
    void anOversizeLineEndsTheHelperWithAMessage() throws Exception {
        byte[] input = new byte[(16 << 20) + 100];
        java.util.Arrays.fill(input, (byte) 'a');
        Ended ended = talk(program(), input, 0);
        assertThat(ended.exit).isEqualTo(2);
        assertThat(ended.errors).contains("longer than");
    }

    @Test
    void thousandsOfMalformedLinesUnderSanitizers() throws Exception {
        Path program = temporary.resolve("sanitized");
        List<String> cc = new ArrayList<>(List.of(
                "cc",
                "-std=c11",
                "-O1",
                "-g",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-D_GNU_SOURCE",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-o",
                program.toString()));
        try (Stream<Path> sources = Files.list(Path.of("src/main/c"))) {
            sources.filter(p -> p.toString().endsWith(".c")).map(Path::toString).forEach(cc::add);
        }
        Path log = temporary.resolve("cc.log");
        int built = new ProcessBuilder(cc)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        String output = Files.readString(log);
        assumeTrue(
                built == 0 || !output.matches("(?s).*(cannot find|unrecognized).*san.*"),
                "this compiler has no address sanitizer: " + output);
        assertThat(built).as(output).isZero();

        List<byte[]> lines = malformed(new Random(20261121));
        java.io.ByteArrayOutputStream input = new java.io.ByteArrayOutputStream();
        for (byte[] line : lines) {
            input.write(line);
            input.write('\n');
        }
        input.write("GELATO_STATS\n".getBytes(StandardCharsets.US_ASCII));
        Ended ended = talk(program, input.toByteArray(), lines.size() / 2);
        assertThat(ended.errors).doesNotContain("ERROR: ").doesNotContain("runtime error");
        assertThat(ended.exit).isEqualTo(1);
        assertThat(ended.lines.stream().filter(l -> l.startsWith("S forks=")).count())
                .isEqualTo(1);
    }

    private List<byte[]> malformed(Random random) {
        String root = temporary.resolve("root").toString();
        String account = RunningHelper.ROOT ? "nobody" : "-";
        String list = Base64.getEncoder().encodeToString("/usr/bin/true\0".getBytes(StandardCharsets.US_ASCII));
        String cut = Base64.getEncoder().encodeToString("no end".getBytes(StandardCharsets.US_ASCII));
        List<String> good = List.of(
                "GELATO_RUN 1 " + account + " / " + list + " - - 1000 100",
                "GELATO_RUN 1 " + account + " " + root + "/v/h/d " + list + " " + list + " eA== 10 99999999 " + root
                        + "/v/h/f 600 eA==",
                "GELATO_RUN 1 " + account + " / " + cut + " - - 1 1",
                "GELATO_SPAWN 2 " + account + " " + root + "/v/h " + list + " - " + root + "/v/h/o " + root + "/v/h/e",
                "GELATO_SIGNAL 3 " + account + " 99999999 9",
                "GELATO_MKDIR 4 " + account + " " + root + "/v/h/a/b/c",
                "GELATO_PUT 5 " + account + " " + root + "/v/h/a/x 640 eHh4",
                "GELATO_GET 6 " + account + " " + root + "/v/h/a/x 1 1048576",
                "GELATO_LIST 7 " + account + " " + root + "/v/h/a 100000",
                "GELATO_COLLECT 8 " + account + " " + root + "/v/h/a 999999999 999999999999",
                "GELATO_DISCARD 9 " + account + " " + root + "/v/h/a " + list,
                "GELATO_RENAME 10 " + account + " " + root + "/v/h/a " + root + "/v/h/t/a",
                "GELATO_REMOVE 11 " + account + " " + root + "/v/h/t",
                "RESULTS",
                "COMMANDS",
                "ASYNC_MODE_ON",
                "GELATO_PING 1");
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            byte[] line = good.get(random.nextInt(good.size())).getBytes(StandardCharsets.US_ASCII);
            int changes = random.nextInt(4);
            for (int k = 0; k < changes; k++) {
                int at = random.nextInt(line.length);
                switch (random.nextInt(4)) {
                    case 0 -> line[at] = (byte) random.nextInt(256);
                    case 1 -> line[at] = (byte) " \\=/-.9\r".charAt(random.nextInt(8));
                    case 2 -> line = java.util.Arrays.copyOf(line, at + 1);
                    default -> {
                        byte[] twice = java.util.Arrays.copyOf(line, line.length + at);
                        System.arraycopy(line, 0, twice, line.length, at);
                        line = twice;
                    }
                }
            }
            lines.add(line);
        }
        return lines;
    }
}
