package org.gelato.ce.ws.config;

import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one configuration. Used by one thread. */
final class Problems {
    private final KeyOrigins origins;
    private final List<ConfigurationException.Problem> all = new ArrayList<>();

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
        ConfigurationException.Problem problem = new ConfigurationException.Problem(key, where, text);
        if (!all.contains(problem)) {
            all.add(problem);
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    List<ConfigurationException.Problem> all() {
        return all;
    }
}
