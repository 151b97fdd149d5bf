package org.gelato.ce.perf.scenario;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.perf.measure.Latencies;
import org.gelato.ce.perf.measure.SiteSample;

/** What a run writes down. Latencies may be added by any thread; everything else by the run's own. */
public final class RunRecord {
    private final Instant begun = Instant.now();
    private final Map<String, Number> counts = new LinkedHashMap<>();
    private final Map<String, Latencies> latencies = new LinkedHashMap<>();
    private final Map<String, Double> marks = new LinkedHashMap<>();
    private final Map<String, Long> reasons = new LinkedHashMap<>();
    private final List<Check> checks = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private List<SiteSample> samples = List.of();

    /** A number of the run. */
    void count(String name, Number value) {
        counts.put(name, value);
    }

    void check(Check check) {
        checks.add(check);
    }

    /** Something a reader must know: time compression, what was stored by SQL. */
    void note(String text) {
        notes.add(text);
    }

    /**
     * A phase begins.
     *
     * @param seconds by the clock of the samples
     */
    void mark(String phase, double seconds) {
        marks.put(phase, seconds);
    }

    /** The latencies of this name; made at the first call. */
    synchronized Latencies latencies(String name) {
        return latencies.computeIfAbsent(name, n -> new Latencies());
    }

    void failures(Map<String, Long> byReason) {
        reasons.putAll(byReason);
    }

    void samples(List<SiteSample> all) {
        samples = List.copyOf(all);
    }

    public Instant begun() {
        return begun;
    }

    public Map<String, Number> counts() {
        return counts;
    }

    public synchronized Map<String, Latencies> latencies() {
        return new LinkedHashMap<>(latencies);
    }

    public Map<String, Double> marks() {
        return marks;
    }

    /** Jobs that failed, by reason. */
    public Map<String, Long> failures() {
        return reasons;
    }

    public List<Check> checks() {
        return checks;
    }

    public List<String> notes() {
        return notes;
    }

    public List<SiteSample> samples() {
        return samples;
    }

    /** What does not hold. */
    public List<Check> broken() {
        return checks.stream().filter(c -> !c.held()).toList();
    }
}
