package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The place of an archive, which holds code: it lies where its owner alone may write, and it gets its name when it is
 * complete, on the disk and accepted by the JVM. A start finds the old one or the new one, and after a crash the next making
 * replaces what is left.
 */
final class ArchiveFile {
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("r--r--r--");
    private static final Set<PosixFilePermission> OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Path file;

    ArchiveFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** Makes an archive. */
    @FunctionalInterface
    interface Maker {
        /** @param next gets an archive that the JVM accepts; absent */
        void make(Path next) throws IOException;
    }

    /**
     * Makes it, in place of one that is there.
     *
     * @throws SetupException when others may write to its directory or lead root elsewhere, another process makes it, or the maker does not
     * @throws IOException when a file cannot be written
     */
    void replace(Maker maker) throws IOException {
        Path directory = file.getParent();
        RootsPlace.make(directory);
        ownersAlone(directory);
        Path next = sibling(".new");
        try (FileChannel guard = FileChannel.open(
                sibling(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            lock(guard);
            Files.deleteIfExists(next);
            try {
                maker.make(next);
                Files.setPosixFilePermissions(next, READABLE);
                onDisk(next);
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
        }
    }

    private Path sibling(String ending) {
        return Path.of(file + ending);
    }

    private void ownersAlone(Path directory) throws IOException {
        if (Files.getPosixFilePermissions(directory).stream().anyMatch(OF_OTHERS::contains)) {
            throw new SetupException("others may write to " + directory
                    + ", and the server would read code from there: chmod go-w it, or name another file");
        }
    }

    /** Until the channel is closed. */
    private void lock(FileChannel guard) throws IOException {
        FileLock lock;
        try {
            lock = guard.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null; // another thread of this process has it
        }
        if (lock == null) {
            throw new SetupException("another process makes " + file + ": wait until it has ended");
        }
    }

    /** Or a power failure after the file got its name could leave it with that name and without its content. */
    private static void onDisk(Path path) throws IOException {
        try (FileChannel written = FileChannel.open(path, StandardOpenOption.READ)) {
            written.force(true);
        }
    }
}
