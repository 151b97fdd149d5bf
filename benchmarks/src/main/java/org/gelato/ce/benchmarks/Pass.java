package org.gelato.ce.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Benchmarks that are run with the same settings.
 *
 * @param benchmarks {@code Class.method} of each
 * @param parameters those that differ from the benchmarks' own
 * @param warmUps iterations that do not count
 * @param iterations iterations that do
 * @param each how long an iteration takes; single shots take as long as they take
 * @param forks processes one after another; 0 for none, in this process
 */
record Pass(
        List<String> benchmarks,
        Map<String, String[]> parameters,
        int warmUps,
        int iterations,
        Duration each,
        int forks) {
    private static final String PACKAGE = Pass.class.getPackageName() + ".";

    /** The least and the largest number of stored jobs, in any run. */
    static final int LEAST = 5000;

    static final int MAX = 200_000;

    private static final int BETWEEN = 70_000;

    private static final List<String> QUEUE = List.of("QueueBenchmark.claimAndComplete");
    private static final List<String> STORED = List.of("StoredBenchmark.countOurs", "StoredBenchmark.statusOurs");
    private static final List<String> OLD_FORMS = List.of(
            "StoredBenchmark.countSubSelect",
            "StoredBenchmark.countAntiJoin",
            "StoredBenchmark.statusSubSelect",
            "StoredBenchmark.statusAntiJoin");
    private static final List<String> OTHERS = List.of(
            "RegisterBenchmark.register",
            "TextBenchmark.jdlParse",
            "TextBenchmark.wrapper",
            "SoapBenchmark.jobStatus",
            "SoapBenchmark.jobRegister",
            "HelperBenchmark.ping",
            "HelperBenchmark.stat",
            "ProxyBenchmark.cold",
            "ProxyBenchmark.cached");

    /** All benchmarks with all their parameters. */
    static List<Pass> full() {
        Duration each = Duration.ofMillis(500);
        return List.of(
                new Pass(QUEUE, Map.of(), 1, 4, Duration.ZERO, 1),
                new Pass(STORED, Map.of(), 3, 6, each, 1),
                // An operation takes longer than an iteration where much is stored.
                new Pass(OLD_FORMS, Map.of(), 1, 2, each, 1),
                new Pass(OTHERS, Map.of(), 4, 6, each, 1));
    }

    /**
     * All benchmarks, with fewer parameters and iterations, in this process; those of ours that bounds are about, twice. Of the
     * {@link #MAX} jobs only {@link #STORED} are requested here: {@link #wholeHistories}.
     */
    static List<Pass> quick() {
        Duration each = Duration.ofMillis(250);
        String[] ends = {Integer.toString(LEAST), Integer.toString(MAX)};
        Map<String, String[]> little = Map.of("stored", new String[] {ends[0]}, "ids", new String[] {"100"});
        Pass stored = new Pass(STORED, Map.of("stored", ends), 1, 2, each, 0);
        // Ours twice, so that what disturbs the machine for a while does not fall on one side of a ratio alone. The
        // foreign
        // queues once, as they take most of the time: what disturbs them makes no ratio worse.
        return List.of(
                queue("OURS", 1, 2),
                stored,
                queue("DB_SCHEDULER", 1, 1),
                queue("NAIVE", 0, 1),
                new Pass(OLD_FORMS, little, 1, 1, each, 0),
                new Pass(OTHERS, Map.of(), 1, 2, each, 0),
                stored,
                queue("OURS", 0, 3));
    }

    private static Pass queue(String kind, int warmUps, int iterations) {
        return new Pass(QUEUE, Map.of("queue", new String[] {kind}), warmUps, iterations, Duration.ZERO, 0);
    }

    /** The numbers of stored jobs that need a schema; none where nothing of it is measured. */
    static List<Integer> stored(List<Pass> passes, boolean quick) {
        boolean asked = passes.stream()
                .flatMap(pass -> pass.benchmarks().stream())
                .anyMatch(name -> STORED.contains(name) || OLD_FORMS.contains(name));
        if (!asked) {
            return List.of();
        }
        return quick ? List.of(LEAST, MAX) : List.of(LEAST, BETWEEN, MAX);
    }

    /**
     * Whether the schema with so many jobs needs their texts, past states and commands. They are most of what is to be
     * written, and neither the count nor the status has a reason to read them; what reads all records of the history
     * still finds one for each job.
     */
    static boolean wholeHistories(int stored, boolean quick) {
        return !quick || stored != MAX;
    }

    /** The same with those benchmarks alone in whose names the pattern is found. */
    Pass only(Pattern pattern) {
        return new Pass(
                benchmarks.stream().filter(name -> pattern.matcher(name).find()).toList(),
                parameters,
                warmUps,
                iterations,
                each,
                forks);
    }

    /** Whether a benchmark of this class is among them. */
    boolean uses(Class<?> benchmark) {
        return benchmarks.stream().anyMatch(name -> name.startsWith(benchmark.getSimpleName() + "."));
    }

    /**
     * The same for JMH.
     *
     * @param properties of the processes it starts
     */
    OptionsBuilder options(Map<String, String> properties) {
        OptionsBuilder options = new OptionsBuilder();
        benchmarks.forEach(name -> options.include(Pattern.quote(PACKAGE + name) + "$"));
        parameters.forEach(options::param);
        ChainedOptionsBuilder chained = options.forks(forks)
                .warmupIterations(warmUps)
                .measurementIterations(iterations)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (!each.isZero()) {
            chained.warmupTime(TimeValue.milliseconds(each.toMillis()))
                    .measurementTime(TimeValue.milliseconds(each.toMillis()));
        }
        List<String> definitions = new ArrayList<>();
        new TreeMap<>(properties).forEach((name, value) -> definitions.add("-D" + name + "=" + value));
        chained.jvmArgsAppend(definitions.toArray(String[]::new));
        return options;
    }
}
