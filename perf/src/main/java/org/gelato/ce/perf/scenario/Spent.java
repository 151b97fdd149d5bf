package org.gelato.ce.perf.scenario;

import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.SiteSample;

/**
 * What something took.
 *
 * @param seconds by the clock
 * @param cpuMillis of JVM, helper and database, their background with it, without the simulated batch system
 * @param sql statements as the CE counts them, those of its background with them
 */
record Spent(double seconds, double cpuMillis, double sql) {
    /** Runs the work and measures what it spends. */
    static Spent on(Stage stage, Runnable work) {
        SiteSample before = stage.sampler().now();
        Counters counted = Counters.of(stage.site());
        work.run();
        Counters since = Counters.of(stage.site()).since(counted);
        SiteSample after = stage.sampler().now();
        return new Spent(since.seconds(), after.cpuMillis() - before.cpuMillis() - since.stubCpuMillis(), since.sql());
    }

    Spent plus(Spent other) {
        return new Spent(seconds + other.seconds, cpuMillis + other.cpuMillis, sql + other.sql);
    }

    Spent per(double number) {
        return new Spent(seconds / number, cpuMillis / number, sql / number);
    }
}
