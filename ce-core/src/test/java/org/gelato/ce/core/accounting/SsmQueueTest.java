package org.gelato.ce.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue as its readers demand it: names, what is there while a message appears, and when a reader may take it. */
class SsmQueueTest {
    private static final byte[] TEXT = "x".getBytes(StandardCharsets.US_ASCII);
    private static final String NAME = "6b057934/6b05793c3e69f7";

    @TempDir
    private Path directory;

    private SsmQueue queue;

    @BeforeEach
    void make() {
        queue = new SsmQueue(directory);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(p -> directory.relativize(p).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void namesAreOfTheirTime() {
        String name = SsmQueue.name(Instant.ofEpochSecond(0x6b05793cL, 0x3e69f * 1000L));
        assertThat(name).matches("6b057934/6b05793c3e69f[0-9a-f]");
        assertThat(Long.parseLong(name.substring(0, 8), 16) % 60).isZero();
    }

    @Test
    void aMessageAppearsWholeAndLocked() throws IOException {
        assertThat(queue.has(NAME)).isFalse();
        assertThat(queue.hold(NAME, TEXT)).isTrue();
        assertThat(files()).containsExactly(NAME, NAME + ".lck");
        assertThat(queue.has(NAME)).isTrue();
        queue.release(NAME);
        assertThat(files()).containsExactly(NAME);
        assertThat(directory.resolve(NAME)).hasBinaryContent(TEXT);
        queue.release(NAME);
    }

    /** The user who sends is another one, of the queue's group. */
    @Test
    void theQueuesGroupMayReadAndRemove() throws IOException {
        Files.setAttribute(directory, "unix:mode", 02770);
        queue.hold(NAME, TEXT);
        int place = (Integer) Files.getAttribute(directory.resolve("6b057934"), "unix:mode");
        assertThat(place & 02070).isEqualTo(02070);
        int file = (Integer) Files.getAttribute(directory.resolve(NAME), "unix:mode");
        assertThat(file & 0777).isEqualTo(0660);
    }

    @Test
    void whatACrashLeftIsReplaced() throws IOException {
        Files.createDirectory(directory.resolve("6b057934"));
        Files.writeString(directory.resolve(NAME + ".tmp"), "half");
        Files.writeString(directory.resolve(NAME + ".lck"), "half");
        Path staged = Files.createDirectory(directory.resolve(".gelato"));
        Files.writeString(staged.resolve("6b05793c3e69f7.tmp"), "half of another one");
        assertThat(queue.hold(NAME, TEXT)).isTrue();
        assertThat(files()).containsExactly(NAME, NAME + ".lck");
        assertThat(directory.resolve(NAME)).hasBinaryContent(TEXT);
    }

    /** As on a full disk, which each try would fill further. */
    @Test
    void aWriteThatFailsLeavesNothing() throws IOException {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> queue.hold(NAME, TEXT)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(directory).isEmptyDirectory();
            Path place = Files.createDirectory(directory.resolve("6b057934"));
            assertThatThrownBy(() -> queue.hold(NAME, TEXT)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(place).isEmptyDirectory();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(queue.hold(NAME, TEXT)).isTrue();
    }

    @Test
    void theNameOfAnotherIsLeftAlone() throws IOException {
        Files.createDirectory(directory.resolve("6b057934"));
        Files.writeString(directory.resolve(NAME), "other");
        Files.writeString(directory.resolve(NAME + ".lck"), "a reader's");
        assertThat(queue.hold(NAME, TEXT)).isFalse();
        assertThat(files()).containsExactly(NAME, NAME + ".lck");
        assertThat(directory.resolve(NAME)).hasContent("other");
    }

    @Test
    void aQueueThatIsNotThereIsNotMade() {
        SsmQueue none = new SsmQueue(directory.resolve("none"));
        assertThatThrownBy(() -> none.hold(NAME, TEXT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not there");
    }

    /** Readers remove directories that are empty, at any moment. */
    @Test
    void aDirectoryThatVanishesIsMadeAgain() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            while (!over.get()) {
                try {
                    Files.deleteIfExists(directory.resolve("6b057934"));
                } catch (DirectoryNotEmptyException | NoSuchFileException e) {
                    // again
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });
        reader.start();
        try {
            for (int i = 0; i < 500; i++) {
                String name = "6b057934/6b0579" + String.format("%08x", i);
                assertThat(queue.hold(name, TEXT)).isTrue();
                Files.delete(directory.resolve(name));
                queue.release(name);
            }
        } finally {
            over.set(true);
            reader.join();
        }
    }
}
