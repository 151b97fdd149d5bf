package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An embedded database that is started again, on the same data, whenever its server ended. Pools of connections
 * opened before go on with the next server; what was under way fails and nothing committed is lost. Tries are repeated for
 * ever, with a pause that doubles while servers keep ending. The server is started by one thread of its own, which the
 * first restart makes. Called from any thread.
 */
public final class RestartingMariaDb implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RestartingMariaDb.class);
    private static final Duration CLOSE_PATIENCE = Duration.ofMinutes(3);
    private static final int BY_SIGNAL = 128;

    private final EmbeddedMariaDb server;
    private final Pace pace;
    private final ScheduledThreadPoolExecutor scheduler;
    private final AtomicLong restarts = new AtomicLong();
    private long startedAt;
    private Duration pause;
    private boolean closed;
    private volatile String lastEnd;
    private volatile String outage;

    /**
     * How fast it goes.
     *
     * @param first pause before the first try after an end
     * @param longest to which the pause doubles while servers keep ending; one that lasted longer counts as stable
     */
    record Pace(Duration first, Duration longest) {
        static final Pace USUAL = new Pace(Duration.ofMillis(200), Duration.ofSeconds(30));
    }

    RestartingMariaDb(EmbeddedMariaDb server, Pace pace) {
        this.server = server;
        this.pace = pace;
        this.pause = pace.first();
        scheduler = new ScheduledThreadPoolExecutor(1, r -> {
            Thread thread = new Thread(r, "database-restart");
            thread.setDaemon(true);
            return thread;
        });
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        watch();
    }

    /**
     * Starts the server and waits until it accepts connections.
     *
     * @throws IllegalStateException when it cannot run, with what to do about it: a first start is not repeated
     */
    public static RestartingMariaDb start(EmbeddedMariaDb.Settings settings) {
        return new RestartingMariaDb(EmbeddedMariaDb.start(settings), Pace.USUAL);
    }

    private synchronized void watch() {
        startedAt = System.nanoTime();
        server.end().thenAccept(this::ended);
    }

    private synchronized void ended(int status) {
        if (closed) {
            return;
        }
        lastEnd = status > BY_SIGNAL
                ? "it was ended by signal " + (status - BY_SIGNAL)
                : "it ended by itself with status " + status;
        outage = "the embedded database is started again: " + lastEnd;
        log.error("{}; its output is in mariadbd.log.1 beside its data", outage);
        if (System.nanoTime() - startedAt > pace.longest().toNanos()) {
            pause = pace.first();
        }
        tryAgain();
    }

    private synchronized void tryAgain() {
        Duration wait = pause;
        Duration next = pause.multipliedBy(2);
        pause = next.compareTo(pace.longest()) > 0 ? pace.longest() : next;
        try {
            scheduler.schedule(this::restart, wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("the embedded database is not started again: it was closed");
        }
    }

    private void restart() {
        try {
            server.restart();
            restarts.incrementAndGet();
            outage = null;
            log.warn("The embedded database was started again");
            watch();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed: no server runs.
        } catch (IOException | RuntimeException | Error e) {
            // The error is what a JVM without threads left throws; without a next try there would be no database again.
            outage = "the embedded database cannot be started again: " + Messages.of(e) + " (" + lastEnd + ")";
            log.error("{}", outage);
            tryAgain();
        }
    }

    /** How to reach the schema as its own user; the same for all servers that follow each other. */
    public DatabaseConfig config() {
        return server.config();
    }

    /** The process id of the server, or of the last one. */
    public long pid() {
        return server.pid();
    }

    /** Servers started, the first included. */
    public long starts() {
        return restarts() + 1;
    }

    /** Servers started after one had ended. */
    public long restarts() {
        return restarts.get();
    }

    /** Why there is no server at present, and what is done about it; null while one runs. */
    public String outage() {
        return outage;
    }

    /** How the last server that was replaced ended; null when there was none. */
    public String lastEnd() {
        return lastEnd;
    }

    /** Stops the server cleanly, one that is being started too; closes no connection pool, so close those first. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        scheduler.shutdownNow();
        try {
            if (!scheduler.awaitTermination(CLOSE_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                log.error("A start of the embedded database does not end; the next start of the CE stops its server");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }
}
