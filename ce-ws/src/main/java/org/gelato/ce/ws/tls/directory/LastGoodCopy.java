package org.gelato.ce.ws.tls.directory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A private copy of a trust directory that takes a file only when its content matches its name. The libraries that
 * read trust directories drop what they can't read, and a CA without its CRL or its signing policy is trusted more, not
 * less; from this copy they read the last valid version instead. A file that became unreadable is an ERROR in the log,
 * once per change. A file that was removed is removed here too. One thread refreshes, any thread may read; the copy is
 * made anew at each start.
 */
public final class LastGoodCopy {
    private static final Logger log = LoggerFactory.getLogger(LastGoodCopy.class);
    private static final int MAX_FILES = 50_000;
    private static final int MAX_BYTES = 64 * 1024 * 1024;

    /** Judges a file by its name and content. */
    @FunctionalInterface
    public interface Check {
        /**
         * @param relative to the directory
         * @param copy of the content, under its own name
         * @return false for a file that is not read, which is left out
         * @throws Exception why it can't be used
         */
        boolean usable(Path relative, Path copy) throws Exception;
    }

    /** A file that can't be used yet, and may be later without a change. */
    public static final class NotYetException extends IOException {
        private static final long serialVersionUID = 1L;

        public NotYetException(String message) {
            super(message);
        }
    }

    /** What distinguishes one version of a file from another. */
    private record Stamp(FileTime modified, long size, Object inode) {
        /** Of a file that is there and cannot be reached: a link that leads nowhere or into a closed directory. */
        static final Stamp UNREACHABLE = new Stamp(FileTime.fromMillis(0), 0, null);
    }

    private final Path source;
    private final int depth;
    private final Predicate<Path> names;
    private final Check check;
    private final Path copy;
    private final Path next;
    private final Map<Path, Stamp> seen = new HashMap<>();
    private final Map<Path, String> broken = new ConcurrentSkipListMap<>();

    /**
     * Copies what is there.
     *
     * @param depth levels of directories that are read: 1 for the directory alone
     * @param names of files that are read; others are not looked at
     * @param place an empty directory for the copy
     * @throws IOException when there is no room for the copy
     */
    public LastGoodCopy(Path source, int depth, Predicate<Path> names, Check check, Path place) throws IOException {
        this.source = source;
        this.depth = depth;
        this.names = names;
        this.check = check;
        this.copy = Files.createDirectory(place.resolve("good"));
        this.next = Files.createDirectory(place.resolve("new"));
        refresh();
    }

    /** The directory of the copy. */
    public Path directory() {
        return copy;
    }

    /** Files whose present content is not in force, and why. */
    public Map<Path, String> broken() {
        return new TreeMap<>(broken);
    }

    /** Of {@link #broken} the files without a version that is in force. */
    public Map<Path, String> leftOut() {
        return broken.entrySet().stream()
                .filter(file ->
                        !file.getKey().equals(source) && !Files.exists(copy.resolve(source.relativize(file.getKey()))))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Checks every file; returns whether the copy has changed. */
    public boolean refresh() {
        Map<Path, Stamp> present = new HashMap<>();
        try {
            list(source, depth, present);
            broken.remove(source);
        } catch (IOException | DirectoryIteratorException e) {
            complain(source, "can't be listed: " + e.getMessage(), false);
            return false;
        }
        boolean changed = false;
        // What never could be read is among the broken ones alone.
        for (Path gone : Stream.concat(seen.keySet().stream(), broken.keySet().stream())
                .distinct()
                .filter(f -> !f.equals(source) && !present.containsKey(f))
                .toList()) {
            changed |= remove(gone);
        }
        for (Map.Entry<Path, Stamp> file : present.entrySet()) {
            if (!file.getValue().equals(seen.get(file.getKey()))) {
                changed |= take(file.getKey(), file.getValue());
            }
        }
        return changed;
    }

    private void list(Path directory, int levels, Map<Path, Stamp> found) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                BasicFileAttributes a;
                try {
                    // Links are followed: trust directories are full of them.
                    a = Files.readAttributes(entry, BasicFileAttributes.class);
                } catch (FileSystemException e) {
                    if (names.test(entry) && (!(e instanceof NoSuchFileException) || Files.isSymbolicLink(entry))) {
                        add(found, entry, Stamp.UNREACHABLE);
                    }
                    continue;
                }
                if (a.isDirectory() && levels > 1) {
                    list(entry, levels - 1, found);
                } else if (a.isRegularFile() && names.test(entry)) {
                    add(found, entry, new Stamp(a.lastModifiedTime(), a.size(), a.fileKey()));
                }
            }
        }
    }

    private static void add(Map<Path, Stamp> found, Path file, Stamp stamp) throws IOException {
        if (found.size() == MAX_FILES) {
            throw new IOException("more than " + MAX_FILES + " files");
        }
        found.put(file, stamp);
    }

    private boolean remove(Path file) {
        seen.remove(file);
        broken.remove(file);
        try {
            boolean was = Files.deleteIfExists(copy.resolve(source.relativize(file)));
            if (was) {
                log.info("{} is gone", file);
            }
            return was;
        } catch (IOException e) {
            complain(file, "its copy can't be removed: " + e.getMessage(), true);
            return false;
        }
    }

    private boolean take(Path file, Stamp stamp) {
        Path relative = source.relativize(file);
        Path candidate = next.resolve(file.getFileName());
        try {
            if (stamp.size() > MAX_BYTES) {
                seen.put(file, stamp);
                throw new IOException("larger than " + MAX_BYTES + " bytes");
            }
            try (InputStream in = Files.newInputStream(file)) {
                Files.copy(in, candidate, StandardCopyOption.REPLACE_EXISTING);
            }
            boolean usable;
            try {
                usable = check.usable(relative, candidate);
            } catch (FileSystemException | NotYetException e) { // the first is of the copy, and not of what is in it
                throw e;
            } catch (Exception | StackOverflowError e) { // parsers of libraries throw anything over what is in a file
                seen.put(file, stamp);
                complain(file, printable(e), true);
                return false;
            }
            if (usable) {
                Path target = copy.resolve(relative);
                Files.createDirectories(target.getParent());
                Files.move(candidate, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                if (broken.remove(file) != null) {
                    log.info("{} can be used again", file);
                }
            }
            seen.put(file, stamp);
            return usable;
        } catch (IOException e) { // tried again at the next refresh, as it is not the file's content
            complain(file, printable(e), false);
            return false;
        } finally {
            discard(candidate);
        }
    }

    private static String printable(Throwable e) {
        if (e instanceof NoSuchFileException) {
            return "leads to no file";
        }
        if (e instanceof AccessDeniedException) {
            return "may not be read by the CE's account";
        }
        return Messages.of(e);
    }

    private void discard(Path candidate) {
        try {
            Files.deleteIfExists(candidate);
        } catch (IOException e) {
            log.warn("{} can't be removed: {}", candidate, e.getMessage());
        }
    }

    private void complain(Path file, String why, boolean changed) {
        if (changed || !why.equals(broken.get(file))) {
            boolean older = !file.equals(source) && Files.exists(copy.resolve(source.relativize(file)));
            log.error(
                    "{}: {}; {}",
                    file,
                    why,
                    older || file.equals(source) ? "what was read last stays in force" : "it is left out");
            broken.put(file, why);
        }
    }
}
