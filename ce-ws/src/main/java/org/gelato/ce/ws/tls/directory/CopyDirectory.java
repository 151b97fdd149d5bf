package org.gelato.ce.ws.tls.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of this process alone, which holds a lock beside it as long as it lives. A process that was killed leaves its
 * directory; the next one that makes its own below the same parent removes it. The directories of living processes are
 * never touched, should two CEs be given the same home.
 */
public final class CopyDirectory implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CopyDirectory.class);
    private static final String LOCK = ".lock";
    private static final Object ONE_AT_A_TIME = new Object();

    private final Path directory;
    private final Path lockFile;
    private final FileChannel lock;

    /**
     * Makes the directory after it has removed what dead processes left.
     *
     * @param parent made when absent, with access for its owner alone
     * @throws IOException when it can't be made
     */
    public CopyDirectory(Path parent) throws IOException {
        Files.createDirectories(parent);
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx------"));
        synchronized (ONE_AT_A_TIME) {
            // Or another process would take the file that is made here for that of a dead one before it is locked.
            try (FileChannel all = open(parent.resolve("start"));
                    FileLock held = all.lock()) {
                sweep(parent);
                String name = UUID.randomUUID().toString();
                directory = Files.createDirectory(parent.resolve(name));
                lockFile = parent.resolve(name + LOCK);
                lock = open(lockFile);
                lock.lock();
                log.debug("{} is locked: {}", directory, held.isValid());
            }
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, "*" + LOCK)) {
            for (Path file : locks) {
                try (FileChannel channel = open(file);
                        FileLock dead = channel.tryLock()) {
                    if (dead != null) {
                        String name = file.getFileName().toString();
                        remove(parent.resolve(name.substring(0, name.length() - LOCK.length())));
                        Files.deleteIfExists(file);
                    }
                } catch (OverlappingFileLockException oursAndAlive) {
                    log.debug("{} is in use", file);
                }
            }
        }
    }

    private static void remove(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        } catch (NoSuchFileException gone) {
            log.debug("{} is gone", tree);
        }
    }

    /** Makes a directory in it. */
    public Path make(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }

    @Override
    public void close() {
        try {
            remove(directory);
            Files.deleteIfExists(lockFile);
            lock.close();
        } catch (IOException e) {
            log.warn("{} can't be removed: {}", directory, e.getMessage());
        }
    }
}
