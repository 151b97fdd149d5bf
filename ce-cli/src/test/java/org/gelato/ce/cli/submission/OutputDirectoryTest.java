package org.gelato.ce.cli.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.OutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A CE that chooses evil names gets nothing written outside the directory. */
class OutputDirectoryTest {
    @TempDir
    Path temp;

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private OutputDirectory directory() {
        return OutputDirectory.create(temp.resolve("out"));
    }

    @Test
    void savesFilesAndDirectoriesBelow() {
        assertThat(directory().save(new OutputFile("env.out", 2), () -> text("hi")))
                .hasContent("hi");
        assertThat(directory().save(new OutputFile("a/b.out", 2), () -> text("yo")))
                .hasContent("yo");
        assertThat(temp.resolve("out/a/b.out")).hasContent("yo");
    }

    /** As at Ctrl-C. */
    @Test
    void whatIsThereOfAFileGoesWithTheProgram() {
        assertThatThrownBy(() -> directory().save(new OutputFile("env.out", 2), () -> {
                    assertThat(temp.resolve("out")).isNotEmptyDirectory();
                    OutputDirectory.removeParts();
                    assertThat(temp.resolve("out")).isEmptyDirectory();
                    throw new ConnectionFailure("interrupted", null);
                }))
                .isInstanceOf(ConnectionFailure.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../x",
                "a/../../x",
                "a/../x",
                "/etc/x",
                "./x",
                "a//../x",
                "x\u0000y",
                "x\ny",
                "../out"
            })
    void refusesNamesThatLeave(String name) throws IOException {
        assertThatThrownBy(() -> directory().save(new OutputFile(name, 1), () -> text("evil")))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("could leave");
        try (Stream<Path> all = Files.walk(temp)) {
            assertThat(all.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void refusesToWriteThroughLinks() throws IOException {
        Path outside = Files.createDirectory(temp.resolve("outside"));
        OutputDirectory directory = directory();
        Files.createSymbolicLink(temp.resolve("out/link"), outside);
        Files.createSymbolicLink(temp.resolve("out/file"), outside.resolve("target"));
        assertThatThrownBy(() -> directory.save(new OutputFile("link/x", 1), () -> text("evil")))
                .hasMessageContaining("not a directory");
        assertThatThrownBy(() -> directory.save(new OutputFile("file", 1), () -> text("evil")))
                .hasMessageContaining("there already");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void keepsWhatIsThere() throws IOException {
        OutputDirectory directory = directory();
        Files.writeString(temp.resolve("out/env.out"), "mine");
        assertThatThrownBy(() -> directory.save(new OutputFile("env.out", 1), () -> text("theirs")))
                .hasMessageContaining("there already");
        assertThat(temp.resolve("out/env.out")).hasContent("mine");
    }

    @Test
    void brokenConnectionLeavesNoHalfFile() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                throw new IOException("reset");
            }
        };
        assertThatThrownBy(() -> directory().save(new OutputFile("env.out", 1), () -> broken))
                .isInstanceOf(ConnectionFailure.class);
        assertThat(temp.resolve("out")).isEmptyDirectory();
    }

    @Test
    void targetThatIsAFileIsReported() throws IOException {
        Files.writeString(temp.resolve("out"), "a file");
        assertThatThrownBy(this::directory).isInstanceOf(CliException.class).hasMessageContaining("out");
    }
}
