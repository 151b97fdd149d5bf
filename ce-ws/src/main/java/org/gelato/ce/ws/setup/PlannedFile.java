package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A file as it shall be.
 *
 * @param path absolute
 * @param content the whole text
 * @param rights owner, group and mode
 * @param replaceable contents that may be replaced without being asked for
 * @param validator program and arguments that check a file whose path is added; empty for none
 */
record PlannedFile(Path path, String content, Rights rights, Set<String> replaceable, List<String> validator) {
    private static final long LARGEST = 1 << 20;

    /** What is in its place now. */
    enum State {
        ABSENT("new"),
        SAME("unchanged"),
        RIGHTS("unchanged but for owner and mode"),
        REPLACEABLE("replaces an unmodified one"),
        OTHER("replaces other content");

        private final String text;

        State(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    PlannedFile(Path path, String content, Rights rights) {
        this(path, content, rights, Set.of(), List.of());
    }

    /** @throws SetupException when what is there is no file that could be replaced */
    State state() {
        try {
            if (!Files.exists(path)) {
                return State.ABSENT;
            }
            if (!Files.isRegularFile(path)) {
                throw new SetupException(path + " is not a regular file: remove it");
            }
            if (Files.size(path) > LARGEST) {
                return State.OTHER;
            }
            // Not as text: a file in another encoding is other content, and no error.
            byte[] there = Files.readAllBytes(path);
            if (Arrays.equals(there, content.getBytes(StandardCharsets.UTF_8))) {
                return rights.has(path) ? State.SAME : State.RIGHTS;
            }
            return replaceable.contains(new String(there, StandardCharsets.UTF_8)) ? State.REPLACEABLE : State.OTHER;
        } catch (IOException e) {
            throw new SetupException(path + " cannot be read: " + e.getMessage());
        }
    }

    /** Where the content is kept that this file replaces. */
    Path kept() {
        return path.resolveSibling(path.getFileName() + ".old");
    }
}
