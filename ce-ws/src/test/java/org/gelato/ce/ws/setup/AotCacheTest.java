package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an AOT cache gets its place, with stand-ins for Java and the training; ServerArchiveIT has the real ones. */
class AotCacheTest {
    private static final String OUTPUT = "-XX:AOTCacheOutput=";

    /** Keeps its options, and accepts a cache as long as the file "refuses" is not there. */
    private static final String JAVA = """
            #!/bin/sh
            home=$(dirname "$(dirname "$0")")
            echo "$@" >"$home/options"
            [ ! -e "$home/refuses" ] || { echo "Unable to use AOT cache." >&2; exit 1; }
            """;

    @TempDir
    private Path directory;

    private Path java;
    private Path file;
    private final List<String> server = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        java = directory.resolve("java");
        Files.createDirectories(java.resolve("bin"));
        Files.writeString(java.resolve("bin/java"), JAVA);
        Files.setPosixFilePermissions(java.resolve("bin/java"), PosixFilePermissions.fromString("rwxr-xr-x"));
        file = directory.resolve("cache").resolve("archive.aot");
    }

    private AotCache cache() {
        return new AotCache(file, java, List.of("-XX:+UseSerialGC", "-Xmx2g"), "ours.jar:theirs.jar");
    }

    private static Path output(List<String> command) {
        return Path.of(command.stream()
                .filter(option -> option.startsWith(OUTPUT))
                .findFirst()
                .orElseThrow()
                .substring(OUTPUT.length()));
    }

    /** As Java at the end of a run, and as one that was killed: the configuration stays. */
    private AotCache.Training trained(String content) {
        return (command, longest) -> {
            server.addAll(command);
            Files.writeString(output(command), content);
            Files.writeString(Path.of(output(command) + ".config"), "half");
        };
    }

    private void old() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "old");
    }

    private List<String> beside() throws IOException {
        try (Stream<Path> all = Files.list(file.getParent())) {
            return all.map(p -> p.getFileName().toString()).toList();
        }
    }

    @Test
    void takesThePlaceOfTheOldOneAfterATrainingAndACheckWithTheServersOptions() throws IOException {
        old();
        cache().make(trained("new"));
        assertThat(file).hasContent("new");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("r--r--r--"));
        assertThat(beside()).containsExactlyInAnyOrder("archive.aot", "archive.aot.lock");
        assertThat(server)
                .startsWith(java.resolve("bin/java").toString(), "-XX:+UseSerialGC", "-Xmx2g")
                .endsWith("-cp", "ours.jar:theirs.jar");
        assertThat(java.resolve("options"))
                .content()
                .startsWith("-XX:+UseSerialGC -Xmx2g ")
                .contains(" -XX:AOTMode=on -XX:AOTCache=" + file + ".new ")
                .endsWith(" -cp ours.jar:theirs.jar -version\n");
    }

    private void refused(AotCache.Training training, String why) throws IOException {
        old();
        assertThatThrownBy(() -> cache().make(training))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining(why);
        assertThat(file).hasContent("old");
        assertThat(beside()).containsExactlyInAnyOrder("archive.aot", "archive.aot.lock");
    }

    @Test
    void whatJavaDoesNotAcceptGetsNoName() throws IOException {
        Files.writeString(java.resolve("refuses"), "");
        refused(trained("new"), "Java does not accept the AOT cache that it made: Unable to use AOT cache.");
    }

    @Test
    void aRunWithoutACacheIsSaid() throws IOException {
        refused((command, longest) -> {}, "Java made no AOT cache at the end of the training");
    }

    @Test
    void aCacheThatIsTooLargeGetsNoName() throws IOException {
        refused(
                (command, longest) -> {
                    try (RandomAccessFile large =
                            new RandomAccessFile(output(command).toFile(), "rw")) {
                        large.setLength(300_000_001);
                    }
                },
                "the AOT cache has 300000001 bytes, of at most 300000000");
    }

    @Test
    void aTrainingThatFailsLeavesTheOldOne() throws IOException {
        refused(
                (command, longest) -> {
                    Files.writeString(output(command), "half");
                    throw new SetupException("the training run did not work: no database");
                },
                "the training run did not work: no database");
    }
}
