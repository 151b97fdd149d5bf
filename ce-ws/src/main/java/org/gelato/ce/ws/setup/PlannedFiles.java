package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.ws.setup.PlannedFile.State;

/**
 * Files that are written together: all are checked, then all are written beside their places, then each is renamed into
 * its place. A run that was killed left each file as it was or as it shall be, and the next run completes it.
 */
final class PlannedFiles {
    private static final String PREFIX = ".gelato-init-";

    private final List<PlannedFile> files;

    PlannedFiles(List<PlannedFile> files) {
        this.files = List.copyOf(files);
    }

    List<PlannedFile> all() {
        return files;
    }

    /** Files whose place has other content, a sentence each. */
    List<String> conflicts() {
        return files.stream()
                .filter(f -> f.state() == State.OTHER)
                .map(f ->
                        f.path() + " is there with other content: compare it with --dry-run, then repeat with --force ("
                                + f.kept() + " will hold what is there now)")
                .toList();
    }

    /**
     * Writes what differs.
     *
     * @return what was done, a line for each file
     * @throws SetupException when a program that checks a file refuses it, or another account could change its directory; nothing
     *     was replaced then
     */
    List<String> write() throws IOException {
        List<String> done = new ArrayList<>();
        Map<PlannedFile, Path> beside = new LinkedHashMap<>();
        files.forEach(file -> RootsPlace.directory(file.path().getParent()));
        try {
            for (PlannedFile file : files) {
                State state = file.state();
                if (state == State.SAME) {
                    done.add("unchanged: " + file.path());
                } else {
                    beside.put(file, prepared(file));
                }
            }
            for (Map.Entry<PlannedFile, Path> entry : beside.entrySet()) {
                done.add(replace(entry.getKey(), entry.getValue()));
            }
        } finally {
            for (Path left : beside.values()) {
                Files.deleteIfExists(left);
            }
        }
        return done;
    }

    private static Path prepared(PlannedFile file) throws IOException {
        Path directory = file.path().getParent();
        String prefix = PREFIX + file.path().getFileName() + ".";
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path old : left) {
                Files.deleteIfExists(old);
            }
        }
        Path beside = Files.createTempFile(
                directory,
                prefix,
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        boolean good = false;
        try {
            try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(file.content().getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                file.rights().give(beside);
                channel.force(true);
            }
            validate(file, beside);
            good = true;
            return beside;
        } finally {
            if (!good) {
                Files.deleteIfExists(beside);
            }
        }
    }

    private static void validate(PlannedFile file, Path beside) {
        if (file.validator().isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(file.validator());
        command.add(beside.toString());
        BoundedCommand.Outcome outcome = BoundedCommand.run(command);
        if (!outcome.good()) {
            throw new SetupException(file.validator().get(0) + " refuses the text for " + file.path() + ": "
                    + outcome.error() + "; nothing was replaced");
        }
    }

    private static String replace(PlannedFile file, Path beside) throws IOException {
        boolean kept = false;
        if (file.state() == State.OTHER || file.state() == State.REPLACEABLE) {
            Path copy = file.path().resolveSibling(PREFIX + file.path().getFileName() + ".old");
            Files.copy(file.path(), copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            force(copy);
            Files.move(copy, file.kept(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            kept = true;
        }
        Files.move(beside, file.path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(file.path().getParent());
        return "written: " + file.path() + (kept ? "; what was there is in " + file.kept() : "");
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
