package org.gelato.ce.blahbridge.fork;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.gelato.ce.blahbridge.DirectoryIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state directory: one small file per job, and the highest number ever given out.
 *
 * <p>A file is written beside, synced and renamed, and the directory is synced, so that a crash at any moment leaves the
 * former state or the new one. One JVM at a time has the directory. Used by one thread at a time.
 */
final class ForkState implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ForkState.class);
    private static final String SUFFIX = ".job";
    private static final String UNREADABLE = SUFFIX + ".unreadable";
    private static final Pattern NUMBERED = Pattern.compile("[0-9]{1,18}" + Pattern.quote(UNREADABLE));
    private static final String SEQUENCE = "sequence";
    private static final long BLOCK = 1000;

    private final Path directory;
    private final FileChannel lockChannel;
    private final FileLock lock;
    private final Map<Long, Path> unreadable = new TreeMap<>();
    private long next;
    private long reserved;

    ForkState(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        lockChannel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock = lock(lockChannel);
        if (lock == null) {
            lockChannel.close();
            throw new IOException("another CE uses the fork batch system's state in " + directory);
        }
        DirectoryIdentity.give(directory);
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) { // within this JVM
            return null;
        }
    }

    /** Jobs whose files can't be read, until an administrator removes those: where each is. */
    Map<Long, Path> unreadable() {
        return unreadable;
    }

    /** All jobs; a file that cannot be read is set aside, not lost, and logged. */
    List<ForkJob> load() throws IOException {
        List<ForkJob> jobs = new ArrayList<>();
        long highest = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (name.endsWith(".tmp")) {
                    Files.deleteIfExists(file);
                } else if (name.endsWith(SUFFIX)) {
                    try {
                        ForkJob job = ForkJob.decode(Files.readString(file));
                        jobs.add(job);
                        highest = Math.max(highest, job.number());
                    } catch (IllegalArgumentException | IOException e) {
                        name = name.substring(0, name.length() - SUFFIX.length()) + UNREADABLE;
                        Files.move(file, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                        log.error(
                                "state file {} cannot be read and is set aside, its job may run and keeps its state: remove {} when it"
                                        + " does not: {}",
                                file,
                                directory.resolve(name),
                                e.getMessage());
                    }
                }
                if (NUMBERED.matcher(name).matches()) {
                    long number = Long.parseLong(name.substring(0, name.length() - UNREADABLE.length()));
                    unreadable.put(number, directory.resolve(name));
                    highest = Math.max(highest, number);
                }
            }
        }
        Path sequence = directory.resolve(SEQUENCE);
        if (Files.exists(sequence)) {
            try {
                highest = Math.max(
                        highest, Long.parseLong(Files.readString(sequence).trim()));
            } catch (NumberFormatException e) {
                throw new IOException("no number in " + sequence, e);
            }
        }
        next = highest + 1;
        reserved = highest;
        return jobs;
    }

    /** A number no job ever had, also after a restart. */
    long nextNumber() throws IOException {
        if (next > reserved) {
            write(directory.resolve(SEQUENCE), (next + BLOCK - 1) + "\n");
            reserved = next + BLOCK - 1;
        }
        return next++;
    }

    void write(ForkJob job) throws IOException {
        write(file(job.number()), job.encode());
    }

    void delete(ForkJob job) throws IOException {
        Files.deleteIfExists(file(job.number()));
    }

    boolean has(long number) {
        return Files.exists(file(number));
    }

    private Path file(long number) {
        return directory.resolve(number + SUFFIX);
    }

    private void write(Path target, String text) throws IOException {
        Path temporary = directory.resolve(target.getFileName() + ".tmp");
        try (FileChannel out = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel dir = FileChannel.open(directory, StandardOpenOption.READ)) {
            dir.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lockChannel.close();
    }
}
