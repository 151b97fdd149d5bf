package org.gelato.ce.core.accounting;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The directory queue from which a Secure STOMP Messenger sends (docs/developer/protocol/accounting.md section 2). A message is a file with a name
 * made of its time, which appears complete or not at all. It appears locked, as by a reader, until {@link #release}: what depends
 * on its being there can be stored before a reader takes it away. After a crash readers drop a lock that is ten minutes old.
 */
final class SsmQueue {
    private static final String TEMPORARY = ".tmp";
    private static final String LOCK = ".lck";
    private static final int GRANULARITY = 60;
    private static final int TRIES = 20;
    /** The group, whose member the reader is, may write. */
    private static final int GROUP_WRITES = 0070;

    private static final int FILE_MODE = 0660;
    private static final String MODE = "unix:mode";

    private final Path directory;

    SsmQueue(Path directory) {
        this.directory = directory;
    }

    /** A name for a message: directory and file. */
    static String name(Instant now) {
        long second = now.getEpochSecond();
        return String.format(
                "%08x/%08x%05x%01x",
                second - second % GRANULARITY,
                second,
                now.getNano() / 1000,
                ThreadLocalRandom.current().nextInt(16));
    }

    /** Whether a message of this name is there. */
    boolean has(String name) {
        return Files.exists(directory.resolve(name));
    }

    /**
     * Puts a message into the queue, locked.
     *
     * @return false when another producer has this name
     * @throws IOException when it cannot be written; then it is not there
     */
    boolean hold(String name, byte[] content) throws IOException {
        Path file = directory.resolve(name);
        Path temporary = sibling(file, TEMPORARY);
        Path lock = sibling(file, LOCK);
        for (int tries = 1; ; tries++) {
            try {
                if (Files.exists(file)) {
                    return false;
                }
                // Of an earlier try of ours: nobody else makes either before the file is there.
                Files.deleteIfExists(temporary);
                Files.deleteIfExists(lock);
                removeStaged();
                if (Files.isDirectory(file.getParent())) {
                    write(temporary, content);
                } else {
                    writeWithDirectory(temporary, content);
                }
                Files.createLink(lock, temporary);
                Files.createLink(file, temporary);
                Files.delete(temporary);
                sync(file.getParent());
                return true;
            } catch (NoSuchFileException e) {
                // Readers remove directories that are empty; the next try brings its own with it.
                if (tries == TRIES) {
                    throw e;
                }
            } catch (FileAlreadyExistsException e) {
                Files.deleteIfExists(temporary);
                if (Files.exists(file)) {
                    Files.deleteIfExists(lock);
                }
                return false;
            } catch (IOException e) {
                discard(temporary, e);
                throw e;
            }
        }
    }

    /** A disk that is full must not be filled further by each try. */
    private void discard(Path temporary, IOException cause) {
        try {
            Files.deleteIfExists(temporary);
            removeStaged();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Lets readers have a message. */
    void release(String name) throws IOException {
        Files.deleteIfExists(sibling(directory.resolve(name), LOCK));
    }

    private static Path sibling(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /** Readers remove directories that are empty, at any moment: the directory appears with the file in it. */
    private void writeWithDirectory(Path temporary, byte[] content) throws IOException {
        Path place = temporary.getParent();
        if (!Files.isDirectory(directory)) {
            throw new IOException("the queue " + directory + " is not there");
        }
        if (Files.isRegularFile(place)) {
            throw new IOException(place + " is no directory");
        }
        Path staged = staged();
        Files.createDirectory(staged);
        // Not by permissions of Java's own, which would drop the bit that gives the group of the queue to what is in
        // it.
        Files.setAttribute(staged, MODE, (Integer) Files.getAttribute(staged, MODE) | GROUP_WRITES);
        write(staged.resolve(temporary.getFileName()), content);
        try {
            Files.move(staged, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            removeStaged();
            if (!Files.isDirectory(place)) {
                throw e;
            }
            // Another producer made it meanwhile.
            write(temporary, content);
        }
        sync(directory);
    }

    /** Of a name that readers pass over; always the same one, so that what a killed process left is found. */
    private Path staged() {
        return directory.resolve(".gelato");
    }

    private void removeStaged() throws IOException {
        if (Files.isDirectory(staged())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(staged())) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(staged());
        }
    }

    private static void write(Path file, byte[] content) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Files.setAttribute(file, MODE, FILE_MODE);
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }

    private static void sync(Path place) throws IOException {
        try (FileChannel in = FileChannel.open(place, StandardOpenOption.READ)) {
            in.force(true);
        }
    }
}
