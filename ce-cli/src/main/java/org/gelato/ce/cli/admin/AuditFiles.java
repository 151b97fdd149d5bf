package org.gelato.ce.cli.admin;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;

/**
 * All files of an audit log, merged by time: FILE, those the CE moved away by size (FILE.1), those of logrotate (FILE-20260131),
 * compressed ones too. All are opened at first, so that one that is renamed meanwhile is neither lost nor read twice.
 */
final class AuditFiles {
    private static final int MAX_FILES = 2000;
    private static final int MAX_TRIES = 10;
    private static final Pattern ROTATED = Pattern.compile("([.][0-9]{1,6}|-[0-9]{8,14})?([.][0-9]{1,6})?([.]gz)?");

    private long damaged;
    private final List<String> unreadable = new ArrayList<>();

    private record Head(AuditRecord record, AuditLines file, int order) {}

    /** Lines left out because they were cut or too long. */
    long damaged() {
        return damaged;
    }

    /** Files that could not be read to their end, each with the reason. */
    List<String> unreadable() {
        return List.copyOf(unreadable);
    }

    /**
     * Reads all records in the order of their time; in a file whose times go back, its own order counts.
     *
     * @throws CliException when there is no such file, or there are too many
     */
    void read(Path file, Consumer<AuditRecord> consumer) {
        Map<Object, AuditLines> open = new HashMap<>();
        try {
            open(file, open);
            PriorityQueue<Head> heads = new PriorityQueue<>((a, b) -> {
                int byTime = a.record().time().compareTo(b.record().time());
                return byTime == 0 ? Integer.compare(a.order(), b.order()) : byTime;
            });
            int order = 0;
            for (AuditLines lines : open.values()) {
                advance(lines, order++, heads);
            }
            while (!heads.isEmpty()) {
                Head head = heads.remove();
                consumer.accept(head.record());
                advance(head.file(), head.order(), heads);
            }
        } finally {
            open.values().forEach(this::close);
        }
    }

    private void advance(AuditLines lines, int order, PriorityQueue<Head> heads) {
        try {
            Optional<AuditRecord> next = lines.next();
            next.ifPresent(record -> heads.add(new Head(record, lines, order)));
        } catch (IOException e) {
            unreadable.add(lines.file() + ": " + FileTrouble.reason(e));
        }
    }

    private void close(AuditLines lines) {
        damaged += lines.damaged();
        try {
            lines.close();
        } catch (IOException e) {
            unreadable.add(lines.file() + ": " + FileTrouble.reason(e));
        }
    }

    /** Until a listing shows nothing but what is open: a file renamed between two steps is found under its next name. */
    private void open(Path file, Map<Object, AuditLines> open) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Map<Object, Path> listed = list(file);
            listed.keySet().removeAll(open.keySet());
            if (listed.isEmpty() && (!open.isEmpty() || !unreadable.isEmpty())) {
                return;
            }
            if (listed.isEmpty()) {
                throw new CliException(file + ": no such file; name the CE's gelato.audit.file with --file");
            }
            listed.forEach((key, path) -> {
                try {
                    if (key.equals(key(path))) {
                        open.put(key, new AuditLines(path));
                    }
                } catch (NoSuchFileException e) {
                    // Renamed: the next listing has it.
                } catch (IOException e) {
                    String text = path + " cannot be read (" + e.getClass().getSimpleName()
                            + "): run as root or as a member of the group that owns it";
                    if (!unreadable.contains(text)) {
                        unreadable.add(text);
                    }
                }
            });
            if (!unreadable.isEmpty() && open.size() + unreadable.size() >= listed.size()) {
                return;
            }
        }
    }

    private static Object key(Path path) throws IOException {
        return Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class)
                .fileKey();
    }

    private static Map<Object, Path> list(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        String name = file.getFileName().toString();
        Map<String, Path> found = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                directory,
                p -> p.getFileName().toString().startsWith(name)
                        && ROTATED.matcher(p.getFileName().toString().substring(name.length()))
                                .matches()
                        && Files.isRegularFile(p))) {
            files.forEach(p -> found.put(p.getFileName().toString(), p));
        } catch (IOException e) {
            throw new CliException(
                    directory + " cannot be listed (" + e.getClass().getSimpleName()
                            + "): run as root or as a member of the group that owns it",
                    e);
        }
        if (found.size() > MAX_FILES) {
            throw new CliException(directory + " has more than " + MAX_FILES + " files " + name
                    + "*: move old ones to another directory");
        }
        Map<Object, Path> byKey = new HashMap<>();
        for (Path path : found.values()) {
            // logrotate compresses to FILE.gz before it removes FILE: the same lines.
            String plain = path.getFileName().toString().replaceFirst("[.]gz$", "");
            if (!plain.equals(path.getFileName().toString()) && found.containsKey(plain)) {
                continue;
            }
            try {
                byKey.put(key(path), path);
            } catch (IOException e) {
                // Renamed between listing and look: the caller lists again.
                byKey.put(path, path);
            }
        }
        return byKey;
    }
}
