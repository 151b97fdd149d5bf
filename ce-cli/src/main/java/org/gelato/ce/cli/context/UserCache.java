package org.gelato.ce.cli.context;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of lines in the user's cache, {@code $XDG_CACHE_HOME/gelato} or {@code ~/.cache/gelato}. Nothing depends on it: what can't be
 * read or written is left. Processes that write at once lose lines of each other, and no file is ever half written.
 */
public final class UserCache {
    private static final int MAX_BYTES = 64 * 1024;

    private final Path file;

    private UserCache(Path file) {
        this.file = file;
    }

    /** The file of this name; empty for a user without a home. */
    public static Optional<UserCache> of(Map<String, String> environment, String name) {
        String cache = environment.get("XDG_CACHE_HOME");
        String home = environment.get("HOME");
        if (cache != null && cache.startsWith("/")) {
            return Optional.of(new UserCache(Path.of(cache, "gelato", name)));
        }
        return home != null && home.startsWith("/")
                ? Optional.of(new UserCache(Path.of(home, ".cache", "gelato", name)))
                : Optional.empty();
    }

    public Path file() {
        return file;
    }

    /** Its lines; none where it is not there, or larger than all that is ever written. */
    public List<String> lines() {
        try {
            return Files.exists(file) && Files.size(file) <= MAX_BYTES
                    ? Files.readAllLines(file, StandardCharsets.ISO_8859_1)
                    : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Writes it anew, for this user alone. */
    public void write(List<String> lines) {
        try {
            Files.createDirectories(file.getParent());
            Path part =
                    Files.createTempFile(file.getParent(), file.getFileName().toString(), ".part");
            try {
                Files.write(part, lines, StandardCharsets.ISO_8859_1);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            // A home that is full, or another's, is no reason for a command to fail.
        }
    }
}
