package org.gelato.ce.cli.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ResourceName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptions as editors save them. */
class DescriptionFileTest {
    private static final String JDL = "[ Executable=\"/bin/true\"; ]";

    @TempDir
    Path folder;

    private String fromFile(byte[] bytes) throws IOException {
        Files.write(folder.resolve("a.jdl"), bytes);
        return DescriptionFile.read("a.jdl", folder, InputStream.nullInputStream());
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheDescription() throws IOException {
        byte[] marked = ("\uFEFF" + JDL).getBytes(StandardCharsets.UTF_8);
        assertThat(fromFile(marked)).isEqualTo(JDL);
        assertThat(DescriptionFile.read("-", folder, new ByteArrayInputStream(marked)))
                .isEqualTo(JDL);
        assertThat(JdlFile.of("a.jdl", fromFile(marked), ResourceName.parse("ce:8443/cream-slurm-long"), false)
                        .isEmpty())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32"})
    void textInWiderCharactersIsNamed(String charset) {
        for (String text : new String[] {JDL, "\uFEFF" + JDL}) {
            assertThatThrownBy(() -> fromFile(text.getBytes(Charset.forName(charset))))
                    .isInstanceOf(CliException.class)
                    .hasMessage("a.jdl: is text in UTF-16 or UTF-32; save it as UTF-8");
        }
    }

    @Test
    void anEmptyFileIsRead() throws IOException {
        assertThat(fromFile(new byte[0])).isEmpty();
        assertThat(fromFile(new byte[] {'['})).isEqualTo("[");
    }
}
