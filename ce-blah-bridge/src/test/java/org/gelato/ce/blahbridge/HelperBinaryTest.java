package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelperBinaryTest {
    private static final int TIMES = 40;

    @TempDir
    private Path directory;

    private static Object inode(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    @Test
    void aProgramThatIsThereIsKeptAndAnotherIsReplaced() throws IOException {
        Path program = HelperBinary.extract(directory);
        Object first = inode(program);
        assertThat(inode(HelperBinary.extract(directory))).isEqualTo(first);
        Files.write(program, new byte[] {1, 2, 3});
        HelperBinary.extract(directory);
        assertThat(Files.size(program)).isGreaterThan(1000);
        assertThat(directory.toFile().list()).containsExactly("gelato-helper");
    }

    /** A start runs the database's programs at the same time. */
    @Test
    void theProgramCanBeRunWhateverElseIsStartedMeanwhile() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread other = new Thread(() -> {
                while (!over.get()) {
                    try {
                        new ProcessBuilder("true").start().waitFor();
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            other.start();
            others.add(other);
        }
        try {
            for (int i = 0; i < TIMES; i++) {
                Path program = HelperBinary.extract(directory.resolve("at" + i));
                Process helper = new ProcessBuilder(program.toString())
                        .redirectInput(new File("/dev/null"))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                helper.destroyForcibly().waitFor();
            }
        } finally {
            over.set(true);
            for (Thread other : others) {
                other.join();
            }
        }
    }
}
