package org.gelato.ce.perf.measure;

import java.util.HashMap;
import java.util.Map;

/** One reading of the page {@code /metrics}: each name's values added up over its labels. */
public final class Metrics {
    private final Map<String, Double> values = new HashMap<>();

    /** @param page in the text format of Prometheus */
    public Metrics(String page) {
        page.lines().filter(line -> !line.startsWith("#") && !line.isBlank()).forEach(this::read);
    }

    private void read(String line) {
        int value = line.lastIndexOf(' ');
        int labels = line.indexOf('{');
        String name = line.substring(0, labels < 0 ? line.indexOf(' ') : labels);
        values.merge(name, Double.valueOf(line.substring(value + 1)), Double::sum);
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** @throws IllegalStateException when the CE does not count it */
    public double of(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalStateException("the CE's metrics have no " + name);
        }
        return value;
    }
}
