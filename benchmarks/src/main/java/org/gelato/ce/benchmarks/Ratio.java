package org.gelato.ce.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A comparison of the least iterations of two scores of one run, the ones least disturbed by others on the machine, with the
 * largest value that holds.
 *
 * @param name as in the result
 * @param of the score above the line
 * @param to the score below it
 * @param bound infinite where the ratio is only reported
 */
record Ratio(String name, String of, String to, double bound) {
    private static final String CLAIM = "QueueBenchmark.claimAndComplete";
    private static final double UNBOUNDED = Double.POSITIVE_INFINITY;

    /** A ratio with what was measured; null when one of its scores is missing. */
    record Measured(Ratio ratio, Double value) {
        boolean isMissing() {
            return value == null;
        }

        /** Whether it was measured and is within its bound; a number that is none is not. */
        boolean holds() {
            return value != null && value <= ratio.bound;
        }

        @Override
        public String toString() {
            return value == null
                    ? ratio.name + " was not measured"
                    : String.format(Locale.ROOT, "%s is %.2f, the bound is %.2f", ratio.name, value, ratio.bound);
        }
    }

    /** Whether it can break. */
    boolean isBounded() {
        return bound != UNBOUNDED;
    }

    Measured measured(Map<String, Score> scores) {
        Score above = scores.get(of);
        Score below = scores.get(to);
        return new Measured(this, above == null || below == null ? null : above.least() / below.least());
    }

    /** All that are reported, for a run with these sizes; the bounds are those of docs/developer/performance/scenarios.md. */
    static List<Ratio> all(int least, int most) {
        return List.of(
                claims("ours_to_naive_1", "OURS", 1, "NAIVE", 1, 1),
                claims("ours_to_naive_40", "OURS", 40, "NAIVE", 40, 1),
                claims("ours_to_db_scheduler_1", "OURS", 1, "DB_SCHEDULER", 1, 1.5),
                claims("ours_to_db_scheduler_40", "OURS", 40, "DB_SCHEDULER", 40, 1.5),
                claims("ours_40_claimers_to_1", "OURS", 40, "OURS", 1, 5),
                claims("naive_40_claimers_to_1", "NAIVE", 40, "NAIVE", 1, UNBOUNDED),
                stored("count_" + most + "_to_" + least, "countOurs", most, "countOurs", least, Map.of(), 5),
                stored("status_1_" + most + "_to_" + least, "statusOurs", most, "statusOurs", least, ids(1), 5),
                stored("status_100_" + most + "_to_" + least, "statusOurs", most, "statusOurs", least, ids(100), 5),
                stored("status_5000_" + most + "_to_" + least, "statusOurs", most, "statusOurs", least, ids(5000), 5),
                stored("count_ours_to_sub_select", "countOurs", least, "countSubSelect", least, Map.of(), 1),
                stored("count_ours_to_anti_join", "countOurs", least, "countAntiJoin", least, Map.of(), 1),
                stored(
                        "status_100_ours_to_sub_select",
                        "statusOurs",
                        least,
                        "statusSubSelect",
                        least,
                        ids(100),
                        UNBOUNDED),
                stored(
                        "status_100_ours_to_anti_join",
                        "statusOurs",
                        least,
                        "statusAntiJoin",
                        least,
                        ids(100),
                        UNBOUNDED),
                new Ratio(
                        "register_100_to_1",
                        Score.name("RegisterBenchmark.register", Map.of("jobs", "100")),
                        Score.name("RegisterBenchmark.register", Map.of("jobs", "1")),
                        UNBOUNDED),
                new Ratio("proxy_cached_to_cold", "ProxyBenchmark.cached", "ProxyBenchmark.cold", UNBOUNDED));
    }

    private static Ratio claims(String name, String of, int claimers, String to, int claimersBelow, double bound) {
        return new Ratio("claim_" + name, claim(of, claimers), claim(to, claimersBelow), bound);
    }

    private static String claim(String queue, int claimers) {
        return Score.name(CLAIM, Map.of("queue", queue, "claimers", Integer.toString(claimers)));
    }

    private static Map<String, String> ids(int count) {
        return Map.of("ids", Integer.toString(count));
    }

    private static Ratio stored(
            String name, String of, int stored, String to, int storedBelow, Map<String, String> more, double bound) {
        return new Ratio(name, stored(of, stored, more), stored(to, storedBelow, more), bound);
    }

    private static String stored(String method, int stored, Map<String, String> more) {
        Map<String, String> parameters = new java.util.TreeMap<>(more);
        parameters.put("stored", Integer.toString(stored));
        return Score.name("StoredBenchmark." + method, parameters);
    }
}
