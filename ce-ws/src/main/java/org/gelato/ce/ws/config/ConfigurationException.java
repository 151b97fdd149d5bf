package org.gelato.ce.ws.config;

import java.util.List;

/** The configuration cannot be used; each problem names the key, its value and what is accepted. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    public ConfigurationException(String source, List<String> problems) {
        super("cannot use the configuration " + source + ": " + String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, a line each. */
    public List<String> problems() {
        return problems;
    }
}
