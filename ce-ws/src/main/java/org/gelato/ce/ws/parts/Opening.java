package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.http.HealthCheck;

/** What parts open with, and where they register what they do by themselves. Used by the thread that opens the CE. */
final class Opening {
    private static final int SCHEDULER_THREADS = 3;

    /** The first callers' handshakes and calls are the JVM's first: they need the processors for themselves. */
    private static final Duration WORK_AFTER = Duration.ofSeconds(1);

    private final Foundation foundation;
    private final Clock clock;
    private final ScheduledExecutorService scheduler;
    private final WatchedRoutes routes;
    private final List<HealthCheck> checks = new ArrayList<>();
    private final List<Runnable> work = new ArrayList<>();
    private boolean closed;

    Opening(Foundation foundation) {
        this.foundation = foundation;
        // The database keeps microseconds: a time must read back as it was written.
        this.clock = Clock.tick(foundation.clock(), Duration.ofNanos(1000));
        this.scheduler = Sweeps.scheduler(SCHEDULER_THREADS, r -> daemon(r, "scheduler"));
        foundation.closing().accept(() -> Sweeps.end(scheduler));
        this.routes = new WatchedRoutes(foundation.config());
    }

    Foundation foundation() {
        return foundation;
    }

    CeConfig config() {
        return foundation.config();
    }

    /** The site's policies as they are now. */
    WatchedRoutes routes() {
        return routes;
    }

    /** Waits for the database where it is still being opened. */
    Database database() {
        return foundation.database().get();
    }

    MeterRegistry meters() {
        return foundation.meters();
    }

    Clock clock() {
        return clock;
    }

    ScheduledExecutorService scheduler() {
        return scheduler;
    }

    /** Has a part closed with the CE, before those that were opened earlier. */
    <T extends AutoCloseable> T opened(T part) {
        foundation.closing().accept(part);
        return part;
    }

    void check(HealthCheck check) {
        checks.add(check);
    }

    /** Repeats something from now on, whatever it throws. */
    void every(Duration first, Duration pause, Runnable repeated) {
        scheduler.scheduleWithFixedDelay(repeated, first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Repeats a sweep from when clients are served, the first time soon after that. */
    void sweep(Duration pause, String name, Runnable sweep) {
        work(() -> new Sweeps(scheduler).every(pause, name, sweep));
    }

    /** Does something once, when clients are served, in the order of these calls. */
    void work(Runnable begin) {
        work.add(begin);
    }

    <T> void counter(String name, String description, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, of, value).description(description).register(meters());
    }

    List<HealthCheck> checks() {
        return List.copyOf(checks);
    }

    /** Has what was registered by {@link #work} begin; never while the CE closes. Called when all parts are open. */
    Runnable begin() {
        foundation.closing().accept(this::end);
        return () -> scheduler.schedule(this::workNow, WORK_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void workNow() {
        if (!closed) {
            work.forEach(Runnable::run);
        }
    }

    private synchronized void end() {
        closed = true;
    }

    static Thread daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        return t;
    }
}
