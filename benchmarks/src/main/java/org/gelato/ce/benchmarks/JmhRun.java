package org.gelato.ce.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.gelato.ce.core.db.Database;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/** One run of the benchmarks: makes the server and its schemas, runs the passes, removes everything. */
final class JmhRun {
    /** For forks and for this process. */
    private static final String LOGGING = "logback.configurationFile";

    private final List<Pass> passes;
    private final boolean quick;
    private final Consumer<String> progress;

    /**
     * @param only benchmarks in whose names it is found
     * @param progress receives what begins
     * @throws IllegalArgumentException when no benchmark is left
     */
    JmhRun(boolean quick, Pattern only, Consumer<String> progress) {
        this.quick = quick;
        this.progress = progress;
        passes = (quick ? Pass.quick() : Pass.full())
                .stream()
                        .map(pass -> pass.only(only))
                        .filter(pass -> !pass.benchmarks().isEmpty())
                        .toList();
        if (passes.isEmpty()) {
            throw new IllegalArgumentException("no benchmark's name contains " + only);
        }
    }

    /**
     * Measures.
     *
     * @throws IllegalStateException when a benchmark failed
     */
    Collection<RunResult> measure() {
        // Several users of one machine would wait for each other by a file of JMH's; what they disturb are times, not
        // ratios.
        System.setProperty("jmh.ignoreLock", "true");
        List<RunResult> results = new ArrayList<>();
        try (BenchSite site = BenchSite.open()) {
            fill(site);
            Map<String, String> properties = new TreeMap<>(site.properties());
            properties.put("jmh.ignoreLock", "true");
            properties.put("slf4j.internal.verbosity", "ERROR");
            if (System.getProperty(LOGGING) != null) {
                properties.put(LOGGING, System.getProperty(LOGGING));
            }
            for (Pass pass : passes) {
                progress.accept(String.join(", ", pass.benchmarks()));
                results.addAll(new Runner(pass.options(properties).build()).run());
            }
        } catch (RunnerException e) {
            Throwable root = e;
            while (root.getCause() != null && root.getCause() != root) {
                root = root.getCause();
            }
            Throwable[] also = root.getSuppressed();
            String why = also.length == 0 ? root.toString() : also[0].toString();
            throw new IllegalStateException("a benchmark failed: " + why, e);
        }
        return results;
    }

    private void fill(BenchSite site) {
        for (int stored : Pass.stored(passes, quick)) {
            progress.accept("filling in " + stored + " jobs");
            schema(site, StoredBenchmark.schema(stored), stored, Pass.wholeHistories(stored, quick));
        }
        if (passes.stream().anyMatch(pass -> pass.uses(RegisterBenchmark.class))) {
            schema(site, RegisterBenchmark.SCHEMA, RegisterBenchmark.STORED, true);
        }
        if (passes.stream().anyMatch(pass -> pass.uses(QueueBenchmark.class))) {
            schema(site, QueueBenchmark.SCHEMA, QueueBenchmark.STORED, true);
            try (Database database = BenchSite.open(QueueBenchmark.SCHEMA, 1)) {
                QueueStore store = new QueueStore(QueueBenchmark.STORED, QueueBenchmark.COMMANDS);
                database.inTransaction(h -> {
                    store.makeTables(h);
                    return null;
                });
            }
        }
    }

    private static void schema(BenchSite site, String name, int jobs, boolean whole) {
        try (Database database = site.make(name)) {
            new FillStore().fill(database, jobs, whole);
        }
    }
}
