package org.gelato.ce.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.cli.terminal.GivenFile.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GivenFileTest {
    @TempDir
    Path folder;

    @Test
    void aPipeIsReadOnceAndKept() throws Exception {
        Path pipe = folder.resolve("pipe");
        Pipes.write(pipe, "token");
        assertThat(GivenFile.read(pipe, 100)).asString().isEqualTo("token");
        assertThat(GivenFile.read(pipe, 100)).asString().isEqualTo("token");
        assertThat(GivenFile.kind(pipe)).isEqualTo(Kind.PIPE);
    }

    @Test
    void whatIsNeitherPipeNorFileIsOther() throws Exception {
        assertThat(GivenFile.kind(Files.createFile(folder.resolve("file")))).isEqualTo(Kind.REGULAR);
        assertThat(GivenFile.kind(Path.of("/dev/null"))).isEqualTo(Kind.OTHER);
        assertThat(GivenFile.kind(folder)).isEqualTo(Kind.OTHER);
        assertThat(GivenFile.kind(folder.resolve("absent"))).isEqualTo(Kind.OTHER);
    }

    @Test
    void noMoreIsReadThanAByteBeyondTheBound() throws Exception {
        assertThat(GivenFile.read(new ByteArrayInputStream(new byte[4]), 4)).hasSize(4);
        ByteArrayInputStream more = new ByteArrayInputStream(new byte[9]);
        assertThat(GivenFile.read(more, 4)).hasSize(5);
        assertThat(more.available()).isEqualTo(4);
    }
}
