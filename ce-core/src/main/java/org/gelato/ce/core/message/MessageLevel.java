package org.gelato.ce.core.message;

import java.util.Optional;

/** How important a message is, from the least; the order is that of the codes in the database. */
public enum MessageLevel {
    DEBUG,
    INFO,
    WARNING,
    ERROR;

    /** The number that stands for it in the database. */
    public int code() {
        return ordinal();
    }

    /** @throws ArrayIndexOutOfBoundsException for a code the database should not hold */
    public static MessageLevel ofCode(int code) {
        return values()[code];
    }

    /** The level of a name in any case, or of its first letter; empty for another word. */
    public static Optional<MessageLevel> ofName(String name) {
        for (MessageLevel level : values()) {
            String whole = level.name();
            if (whole.equalsIgnoreCase(name) || whole.substring(0, 1).equalsIgnoreCase(name)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
