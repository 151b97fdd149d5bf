package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.gelato.ce.blahbridge.HelperCounters;
import org.gelato.ce.blahbridge.RestartingChannel;
import org.gelato.ce.core.db.embedded.RestartingMariaDb;

/**
 * Meters of the processes started for the CE: {@code ce_process_starts_total} by kind, where {@code helper} and
 * {@code database} are what the JVM starts itself, once in normal life, with {@code ce_helper_restarts_total} and
 * {@code ce_database_restarts_total}. Called once.
 */
public final class ProcessStarts {
    private static final String NAME = "ce.process.starts";
    private static final String WHAT =
            "Processes started: helpers and databases by the JVM, workers by helpers, commands by workers";
    // So much is lost from the count when a helper is killed.
    private static final long REFRESH_SECONDS = 10;

    private ProcessStarts() {}

    public static void meter(RestartingChannel channel, MeterRegistry meters, ScheduledExecutorService scheduler) {
        HelperCounters counters = new HelperCounters(channel);
        counter(meters, "helper", channel, RestartingChannel::starts);
        counter(meters, "worker", counters, HelperCounters::workers);
        counter(meters, "command", counters, HelperCounters::commands);
        FunctionCounter.builder("ce.helper.restarts", channel, RestartingChannel::restarts)
                .description("Starts of the helper after it had ended")
                .register(meters);
        FunctionCounter.builder("ce.helper.workers.lost", counters, HelperCounters::lostWorkers)
                .description("Workers of the helper that were killed or crashed")
                .register(meters);
        Gauge.builder("ce.helper.workers", counters, HelperCounters::runningWorkers)
                .description("Workers that the helper has, one for each account with work")
                .register(meters);
        scheduler.scheduleWithFixedDelay(counters::refresh, REFRESH_SECONDS, REFRESH_SECONDS, TimeUnit.SECONDS);
    }

    public static void meter(RestartingMariaDb database, MeterRegistry meters) {
        counter(meters, "database", database, RestartingMariaDb::starts);
        FunctionCounter.builder("ce.database.restarts", database, RestartingMariaDb::restarts)
                .description("Starts of the embedded database after it had ended")
                .register(meters);
    }

    private static <T> void counter(MeterRegistry meters, String kind, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(NAME, of, value)
                .description(WHAT)
                .tag("kind", kind)
                .register(meters);
    }
}
