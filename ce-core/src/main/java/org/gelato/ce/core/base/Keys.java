package org.gelato.ce.core.base;

import java.util.List;

/**
 * Reads the site's configuration. What is wrong with a value is collected, and the default is used in its place, so that an administrator
 * sees all problems at once.
 */
public interface Keys {
    /**
     * Makes a record of a section.
     *
     * @param section its whole name, without a dot at the end
     * @param given values of the components that are no {@link Key}, in their order
     * @throws IllegalArgumentException by the record itself
     */
    <R extends Record> R read(String section, Class<R> type, Object... given);

    /** A list of texts, by the whole name of its key. */
    List<String> texts(String key);

    /** Reports a value that is valid by itself but not here. */
    void refuse(String key, String accepted);
}
