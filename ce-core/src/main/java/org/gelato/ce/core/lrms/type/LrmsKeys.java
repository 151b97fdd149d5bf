package org.gelato.ce.core.lrms.type;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the site's configuration by whole keys. What is wrong with a value is collected, and the default is returned in its place, so
 * that an administrator sees all problems at once.
 */
public interface LrmsKeys {
    /**
     * A text that matches, or is empty.
     *
     * @param accepted what is accepted, in words
     */
    String text(String key, Pattern pattern, String accepted);

    List<String> texts(String key);

    boolean flag(String key);

    int number(String key, int min, int max);

    /** A value with a unit. */
    Duration duration(String key, Duration min, Duration max);

    /** An absolute, normalised path. */
    Path path(String key);

    /** As {@link #path}, or null for the empty text. */
    Path optionalPath(String key);

    /** One of an enum's names, written in small letters with dashes. */
    <E extends Enum<E>> E choice(String key, Class<E> type);

    /** Reports a value that is valid by itself but not here. */
    void refuse(String key, String accepted);
}
