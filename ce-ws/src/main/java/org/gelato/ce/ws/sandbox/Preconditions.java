package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Supplier;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.ws.web.Refusal;

/**
 * What a request wants to be so of the file that is there: {@code If-Match} and {@code If-None-Match} of RFC 9110 section 13.
 *
 * @param match tags of which the file must have one, or {@code *} for any file; empty without a condition
 * @param noneMatch tags of which the file must have none, or {@code *} for no file; empty without a condition
 */
record Preconditions(String match, String noneMatch) {
    static final int FAILED = 412;

    private static final String ANY = "*";

    static Preconditions of(HttpServletRequest request) {
        return new Preconditions(values(request, "If-Match"), values(request, "If-None-Match"));
    }

    private static String values(HttpServletRequest request, String name) {
        return String.join(",", Collections.list(request.getHeaders(name))).strip();
    }

    /**
     * Checks a request that changes a file.
     *
     * @param present looks for the file; called only where there is a condition
     * @throws Refusal 412 when it is not so
     */
    void check(Supplier<Optional<FileVersion>> present) {
        if (match.isEmpty() && noneMatch.isEmpty()) {
            return;
        }
        Optional<FileVersion> file = present.get();
        requireMatch(file);
        if (has(noneMatch, file, true)) {
            throw new Refusal(FAILED, "If-None-Match: such a file is there");
        }
    }

    /**
     * Whether who reads a file has it already.
     *
     * @throws Refusal 412 when the file is another one than its reader wants
     */
    boolean isKnown(FileVersion file) {
        requireMatch(Optional.of(file));
        return has(noneMatch, Optional.of(file), true);
    }

    private void requireMatch(Optional<FileVersion> file) {
        if (!match.isEmpty() && !has(match, file, false)) {
            throw new Refusal(FAILED, "If-Match: " + (file.isPresent() ? "another file is there" : "no file is there"));
        }
    }

    /** @param weak whether a weak tag counts as the strong one */
    private static boolean has(String tags, Optional<FileVersion> file, boolean weak) {
        if (file.isEmpty() || tags.isEmpty()) {
            return false;
        }
        String own = tag(file.get());
        return tags.equals(ANY)
                || Arrays.stream(tags.split(","))
                        .map(String::strip)
                        .map(tag -> weak && tag.startsWith("W/") ? tag.substring(2) : tag)
                        .anyMatch(own::equals);
    }

    /** The strong entity tag of a version. */
    static String tag(FileVersion version) {
        return '"' + version.version() + '"';
    }
}
