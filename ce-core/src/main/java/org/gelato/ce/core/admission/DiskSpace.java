package org.gelato.ce.core.admission;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The room that a file system has for uploads. Input leaves free what admission wants free, so that what is refused as a job is not taken
 * as a file; output of jobs that were admitted leaves half of that, for the database and the CE's own files. Between two samples what
 * was taken here is counted; who else writes is seen at the next. Thread-safe; only {@link #sample} looks at the file system, and may
 * take as long as that takes to respond.
 */
public final class DiskSpace {
    private static final double PERCENT = 100;
    private static final int OUTPUT_SHARE = 2;

    private final Supplier<Space> reading;
    private final int limit;
    private Space space;
    /** Bytes taken, less what was given back. */
    private long taken;
    /** Those of them that may not be on the disk yet. */
    private long underWay;
    /** As many of them as the sample has seen, at the least. */
    private long seen;

    private long seenNext;

    /**
     * What a file system has.
     *
     * @param bytes that may be used, by files and free; 0 when unknown
     * @param free of them
     */
    public record Space(long bytes, long free) {
        /** Of the file system of a directory, as {@code df} counts: what only root may still use is not there. */
        static Space of(Path directory) {
            // Not by its FileStore: that looks the mount up in a list which does not fit inside a chroot.
            File file = directory.toFile();
            long free = file.getUsableSpace();
            return new Space(file.getTotalSpace() - file.getFreeSpace() + free, free);
        }
    }

    /**
     * Why bytes are refused.
     *
     * @param free bytes of the file system
     * @param kept bytes of them that are left free
     */
    public record Refused(long free, long kept) {}

    /**
     * @param reading reads the file system
     * @param limit percent of it in use beyond which no new jobs come in; -1 for none
     */
    public DiskSpace(Supplier<Space> reading, int limit) {
        this.reading = reading;
        this.limit = limit;
    }

    /** The room below a directory. */
    public static DiskSpace of(Path directory, int limit) {
        return new DiskSpace(() -> Space.of(directory), limit);
    }

    /** Reads the file system; one thread at a time. Until then, and when it cannot be read, there is room for all. */
    public void sample() {
        synchronized (this) {
            seenNext = taken - underWay;
        }
        Space now = reading.get();
        synchronized (this) {
            space = now;
            seen = seenNext;
        }
    }

    /** Bytes of the file system; 0 when unknown. */
    public synchronized long bytes() {
        return space == null ? 0 : space.bytes();
    }

    /** Why so many bytes more would be refused now; empty when they would not. */
    public synchronized Optional<Refused> refusal(long bytes, boolean output) {
        if (limit < 0 || bytes() <= 0) {
            return Optional.empty();
        }
        long kept = (long) (space.bytes() * (PERCENT - limit) / PERCENT) / (output ? OUTPUT_SHARE : 1);
        long free = space.free() - (taken - seen);
        return bytes <= free - kept ? Optional.empty() : Optional.of(new Refused(Math.max(0, free), kept));
    }

    /**
     * Takes room for bytes that are about to be written; {@link #written} follows.
     *
     * @return why they are refused; empty when they are taken
     */
    public synchronized Optional<Refused> take(long bytes, boolean output) {
        Optional<Refused> refused = refusal(bytes, output);
        if (refused.isEmpty()) {
            taken += bytes;
            underWay += bytes;
        }
        return refused;
    }

    /** Bytes that were taken are on the disk, or will not be. */
    public synchronized void written(long bytes) {
        underWay -= bytes;
    }

    /** Bytes of files have gone from the disk, or were taken and not written. */
    public synchronized void giveBack(long bytes) {
        taken -= bytes;
        // A sample that is being taken may have seen them go, or not.
        seenNext -= bytes;
    }
}
