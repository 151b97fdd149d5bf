package org.gelato.ce.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTroubleTest {
    @TempDir
    private Path home;

    private static String reason(Path file) {
        try {
            Files.write(file, new byte[1]);
            return "none";
        } catch (IOException e) {
            return FileTrouble.reason(e);
        }
    }

    /** As the library throws them. */
    @Test
    void theReasonIsInWordsAndWithoutTheName() throws IOException {
        assertThat(reason(home.resolve("absent/file"))).isEqualTo("no such file or directory");
        assertThat(reason(Files.createFile(home.resolve("file")).resolve("below")))
                .isEqualTo("Not a directory");
        assertThat(reason(home)).isEqualTo("Is a directory");
        assertThat(reason(Path.of("/dev/full"))).isEqualTo("No space left on device");
        assertThat(FileTrouble.reason(new AccessDeniedException("/secret"))).isEqualTo("permission denied");
        assertThat(FileTrouble.reason(new NoSuchFileException("/absent"))).isEqualTo("no such file or directory");
    }

    @Test
    void withoutAReasonTheKindIsNamed() {
        assertThat(FileTrouble.reason(new NotDirectoryException("/file"))).isEqualTo("NotDirectoryException");
        assertThat(FileTrouble.reason(new FileSystemException("/file"))).isEqualTo("FileSystemException");
        assertThat(FileTrouble.reason(new IOException())).isEqualTo("IOException");
        assertThat(FileTrouble.reason(new IOException("cut"))).isEqualTo("cut");
    }
}
