package org.gelato.ce.ws.config;

import com.typesafe.config.ConfigValue;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** The configuration cannot be used; each problem names the key, its value and what is accepted. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<Problem> found;

    /**
     * Something that is wrong.
     *
     * @param key whose value is wrong; empty where a file as a whole is
     * @param where file and line, the file alone, or {@code default}; may be empty
     * @param text for an administrator
     */
    public record Problem(String key, String where, String text) implements Serializable {}

    public ConfigurationException(String source, List<String> problems) {
        this(problems.stream().map(problem -> new Problem("", source, problem)).toList(), source);
    }

    ConfigurationException(List<Problem> found, String source) {
        super("cannot use the configuration " + source + ": "
                + String.join("; ", found.stream().map(Problem::text).toList()));
        this.found = List.copyOf(found);
    }

    /** All that is wrong, a line each. */
    public List<String> problems() {
        return found.stream().map(Problem::text).toList();
    }

    /** The same with keys and places. */
    public List<Problem> found() {
        return found;
    }

    /** Collects what is wrong with one configuration. Used by one thread. */
    static final class Problems {
        private final KeyOrigins origins;
        private final List<Problem> all = new ArrayList<>();

        Problems(KeyOrigins origins) {
            this.origins = origins;
        }

        void add(String key, String text) {
            add(key, origins.where(key), text);
        }

        void add(String key, ConfigValue value, String text) {
            add(key, origins.where(value.origin()), text);
        }

        /** A key may count for several batch systems. */
        private void add(String key, String where, String text) {
            Problem problem = new Problem(key, where, text);
            if (!all.contains(problem)) {
                all.add(problem);
            }
        }

        boolean isEmpty() {
            return all.isEmpty();
        }

        List<Problem> all() {
            return all;
        }
    }
}
