package org.gelato.ce.cli.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopiesTest {
    @TempDir
    Path folder;

    @Test
    void whatIsTooLargeIsRefusedAndRemoved() {
        try (Copies copies = new Copies(Map.of("TMPDIR", folder.toString()), 2048)) {
            assertThat(copies.of("x", new ByteArrayInputStream(new byte[2048]))).hasSize(2048);
            assertThatThrownBy(() -> copies.of("standard input", new ByteArrayInputStream(new byte[2049])))
                    .isInstanceOf(CliException.class)
                    .hasMessage(
                            "standard input is larger than 2 KiB, the most that is read from a pipe: write it into a"
                                    + " file, and bring that (--input FILE, or InputSandbox)");
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** A pipe can be read once. */
    @Test
    void whatSeveralJobsNameIsReadOnce() throws IOException {
        Path given = Files.writeString(folder.resolve("given"), "x");
        try (Copies copies = new Copies(Map.of("TMPDIR", folder.toString()))) {
            Path first = copies.of("given", given);
            Files.delete(given);
            assertThat(copies.of("given", given)).isEqualTo(first).hasContent("x");
        }
    }

    @Test
    void sizesAreForPeople() {
        assertThat(Copies.size(1)).isEqualTo("1 byte");
        assertThat(Copies.size(1023)).isEqualTo("1023 bytes");
        assertThat(Copies.size(1536)).isEqualTo("1.5 KiB");
        assertThat(Copies.size(1_258_291)).isEqualTo("1.2 MiB");
        assertThat(Copies.size(Copies.MAX_BYTES)).isEqualTo("100 MiB");
    }
}
