package org.gelato.ce.core.message;

import java.util.Optional;

/** How important a message is, from the least; the order is that of the codes in the database. */
public enum MessageLevel {
    DEBUG,
    INFO,
    WARNING,
    ERROR;

    private static final MessageLevel[] LEVELS = values();

    /** The number that stands for it in the database. */
    public int code() {
        return ordinal();
    }

    /** @throws IllegalArgumentException for a code that stands for none */
    public static MessageLevel ofCode(int code) {
        if (code < 0 || code >= LEVELS.length) {
            throw new IllegalArgumentException("no level has code " + code);
        }
        return LEVELS[code];
    }

    /** The level of a name in any case, or of its first letter; empty for another word. */
    public static Optional<MessageLevel> ofName(String name) {
        for (MessageLevel level : LEVELS) {
            String whole = level.name();
            if (whole.equalsIgnoreCase(name) || whole.substring(0, 1).equalsIgnoreCase(name)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
