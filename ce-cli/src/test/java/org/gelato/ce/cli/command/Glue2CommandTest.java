package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Glue2CommandTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String ENTRY = "dn: GLUE2ServiceID=x,GLUE2GroupID=resource,o=glue\n\n";

    @TempDir
    private Path directory;

    private String out;
    private String err;

    private Path file(String text, Duration age) throws IOException {
        Path file = Files.writeString(directory.resolve("glue2.ldif"), text);
        return Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
    }

    private int run() {
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        ByteArrayOutputStream e = new ByteArrayOutputStream();
        int exit = Main.run(
                new CliContext(
                        new StandardStreams(
                                new PrintStream(o, false, StandardCharsets.UTF_8),
                                new PrintStream(e, true, StandardCharsets.UTF_8),
                                InputStream.nullInputStream(),
                                false),
                        Map.of(),
                        directory,
                        Clock.fixed(NOW, ZoneOffset.UTC),
                        time -> {},
                        (endpoint, options, context) -> {
                            throw new AssertionError("nothing is to be connected");
                        }),
                "glue2",
                "--file",
                "glue2.ldif");
        out = o.toString(StandardCharsets.UTF_8);
        err = e.toString(StandardCharsets.UTF_8);
        return exit;
    }

    @Test
    void whatTheCeWroteIsPrintedByteForByte() throws IOException {
        file(ENTRY.repeat(1000), Duration.ofMinutes(10));
        assertThat(run()).isZero();
        assertThat(out).isEqualTo(ENTRY.repeat(1000));
        assertThat(err).isEmpty();
    }

    @Test
    void nothingIsPrintedOfACeThatDoesNotRun() throws IOException {
        file(ENTRY, Duration.ofMinutes(10).plusMillis(1));
        assertThat(run()).isEqualTo(1);
        assertThat(out).isEmpty();
        assertThat(err).contains("glue2.ldif is of 2026-01-02T02:54:04.999Z", "the CE does not run");
    }

    @Test
    void aFileThatIsNotThereIsExplained() {
        assertThat(run()).isEqualTo(1);
        assertThat(out).isEmpty();
        assertThat(err).contains("glue2.ldif is not there", "gelato.information.site", "--file");
    }

    @Test
    void aFileThatIsNoneOfTheCesIsNotPrinted() throws IOException {
        file("x".repeat(25_000_001), Duration.ZERO);
        assertThat(run()).isEqualTo(1);
        assertThat(out).isEmpty();
        Files.delete(directory.resolve("glue2.ldif"));
        Files.createDirectory(directory.resolve("glue2.ldif"));
        assertThat(run()).isEqualTo(1);
        assertThat(out).isEmpty();
    }

    /** A BDII waits for it. Reads are counted by the JVM: of the file as many as it has pieces, of connections none. */
    @Test
    void theFileIsReadOnceAndNothingElse() throws IOException {
        Path file = file(ENTRY.repeat(1000), Duration.ZERO);
        Path recorded = directory.resolve("reads.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of("jdk.FileRead", "jdk.SocketRead", "jdk.SocketWrite")) {
                recording.enable(event).withThreshold(Duration.ZERO).withoutStackTrace();
            }
            recording.start();
            assertThat(run()).isZero();
            recording.stop();
            recording.dump(recorded);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(recorded);
        List<Long> reads = events.stream()
                .filter(e -> e.getEventType().getName().equals("jdk.FileRead")
                        && e.getString("path").equals(file.toString()))
                .map(e -> e.getLong("bytesRead"))
                .toList();
        long bytes = reads.stream().mapToLong(read -> Math.max(0, read)).sum();
        assertThat(bytes).isEqualTo(Files.size(file));
        assertThat(reads).hasSizeLessThanOrEqualTo((int) (Files.size(file) / 8192) + 2);
        assertThat(events.stream().map(e -> e.getEventType().getName()))
                .doesNotContainAnyElementsOf(Arrays.asList("jdk.SocketRead", "jdk.SocketWrite"));
    }
}
