package org.gelato.ce.core.message;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How important a message is, from the least; the order is that of the codes in the database. */
public enum MessageLevel {
    DEBUG,
    INFO,
    WARNING,
    ERROR;

    /** As stored. */
    public int code() {
        return ordinal();
    }

    /** @throws IllegalArgumentException for a code that stands for none */
    public static MessageLevel ofCode(int code) {
        if (code < 0 || code >= values().length) {
            throw new IllegalArgumentException("no level has code " + code);
        }
        return values()[code];
    }

    /** The level of a name in any case, or of its first letter; empty for another word. */
    public static Optional<MessageLevel> ofName(String name) {
        String word = name.toUpperCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(level -> level.name().equals(word)
                        || level.name().substring(0, 1).equals(word))
                .findAny();
    }
}
