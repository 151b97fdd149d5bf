package org.gelato.ce.ws.check;

import java.util.Locale;

/**
 * Something that a check found.
 *
 * @param level whether the CE works nevertheless
 * @param key of the configuration that names the part
 * @param where file and line of that key, or {@code default}
 * @param what the value and what is wrong with it
 * @param advice what to do
 */
public record Finding(Level level, String key, String where, String what, String advice) {
    /** How much it matters. */
    public enum Level {
        /** The CE does not start, or does not do its work. */
        ERROR,
        /** The CE works, perhaps not for long or not for everybody. */
        WARNING,
        /** Nothing is wrong, though it may look so. */
        NOTE
    }

    /** One line for an administrator. */
    public String text() {
        return level.name().toLowerCase(Locale.ROOT) + ": " + key + " (" + where + "): " + what + "; " + advice;
    }
}
