package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.ws.http.HealthCheck;

/**
 * Reports which files that are read again while the CE runs are broken, so that an older version of them is in force: as
 * the gauge {@code ce.configuration.file.broken} per file, and in the response of {@code /health/ready}, which stays ready
 * and is degraded: the CE works, perhaps not for everybody. Any client may read both, so they name the files and not their content; the log has the details.
 */
public final class ConfigurationFiles {
    private final List<Supplier<Map<Path, String>>> sources;
    private final GaugePerTag gauge;

    /** @param sources files with what is wrong with each; the empty text for nothing */
    public ConfigurationFiles(MeterRegistry meters, List<Supplier<Map<Path, String>>> sources) {
        this.sources = List.copyOf(sources);
        this.gauge = new GaugePerTag(
                meters,
                "ce.configuration.file.broken",
                "1 while an older version of the file is in force, or lines of it are left out",
                null,
                "file",
                Tags.empty(),
                0);
    }

    /** Brings the gauge up to date; files of the trust directories have one from when they were broken first. */
    public void meter() {
        Map<String, Double> now = new HashMap<>();
        state().forEach((file, broken) -> now.put(file.toString(), broken.isEmpty() ? 0.0 : 1.0));
        gauge.set(now);
    }

    public HealthCheck check() {
        return HealthCheck.ofState("configuration-files", () -> {
            String broken = state().entrySet().stream()
                    .filter(e -> !e.getValue().isEmpty())
                    .map(e -> e.getKey().toString())
                    .collect(Collectors.joining(", "));
            return broken.isEmpty()
                    ? new HealthCheck.Outcome(true, "in force")
                    : HealthCheck.Outcome.degraded("broken, see the log: " + broken);
        });
    }

    private Map<Path, String> state() {
        Map<Path, String> state = new TreeMap<>();
        sources.forEach(source -> state.putAll(source.get()));
        return state;
    }
}
