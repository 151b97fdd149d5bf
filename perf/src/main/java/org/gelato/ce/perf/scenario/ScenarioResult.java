package org.gelato.ce.perf.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** A run that came to its end. Immutable apart from the protocol, which is no longer written. */
public record ScenarioResult(Scenario scenario, ScenarioPlan plan, RunRecord protocol, Duration took, Machine machine) {
    /** The machine that it ran on. */
    public record Machine(int processors, long memoryMib, String system, String java, double load, String commit) {
        static Machine here() {
            return new Machine(
                    Runtime.getRuntime().availableProcessors(),
                    totalMib(),
                    System.getProperty("os.name") + " " + System.getProperty("os.version"),
                    System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                    loadNow(),
                    System.getProperty("gelato.perf.commit", "unknown"));
        }

        private static long totalMib() {
            String total = first("/proc/meminfo").replaceAll("[^0-9]", "");
            return total.isEmpty() ? 0 : Long.parseLong(total) >> 10;
        }

        private static double loadNow() {
            String averages = first("/proc/loadavg");
            return averages.isEmpty() ? 0 : Double.parseDouble(averages.substring(0, averages.indexOf(' ')));
        }

        private static String first(String file) {
            try {
                return Files.readString(Path.of(file), StandardCharsets.US_ASCII)
                        .lines()
                        .findFirst()
                        .orElse("");
            } catch (IOException e) {
                return "";
            }
        }
    }

    /**
     * Runs a scenario.
     *
     * @throws org.gelato.ce.perf.site.NotPossibleException when it cannot be run on this machine or this batch system
     */
    public static ScenarioResult of(Scenario scenario, ScenarioPlan plan) {
        if (!scenario.batches().contains(plan.batch())) {
            throw new org.gelato.ce.perf.site.NotPossibleException(scenario.name() + " does not run on " + plan.batch()
                    + ", only on " + scenario.batches().stream().sorted().toList());
        }
        if (plan.jobs() < scenario.fewestJobs()) {
            throw new IllegalArgumentException(scenario.name() + " needs at least " + scenario.fewestJobs() + " jobs");
        }
        // Before the run: its own load is not the machine's.
        Machine machine = Machine.here();
        RunRecord protocol = new RunRecord();
        scenario.run(plan, protocol);
        return new ScenarioResult(scenario, plan, protocol, Duration.between(protocol.begun(), Instant.now()), machine);
    }
}
