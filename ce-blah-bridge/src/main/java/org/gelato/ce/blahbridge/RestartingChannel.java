package org.gelato.ce.blahbridge;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.fault.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The helper, started again when it ended: the JVM's only process start, and none in normal life (decision 0042).
 *
 * <p>What was under way when a helper died fails with {@link org.gelato.ce.core.account.ChannelLostException}. The next one is
 * started only when the workers of the former are gone too, which the end of the stderr they share shows, so that a look
 * whether a command has reached the batch system comes after the last moment it could; workers that hang are waited for
 * {@link Pace#silence()} long. Requests in the gap wait {@link Pace#patience()} and then fail as busy: nothing was done,
 * callers come back. Called from any thread; a kill of the JVM at any instant ends the helper that runs.
 */
public final class RestartingChannel implements HelperRequests, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RestartingChannel.class);
    private static final int MAX_WAITING = 200;
    private static final String STOPPING = "the CE is stopping";

    private final Starter starter;
    private final Pace pace;
    private final Clock clock;
    private final ScheduledThreadPoolExecutor scheduler;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong starts = new AtomicLong();
    private CompletableFuture<GahpChannel> present;
    private Instant startedAt;
    /** Tries in a row; guarded by this. */
    private int failures;

    private boolean closed;
    private volatile String reason = "there is no helper";

    /** Starts a helper and waits for its banner. */
    @FunctionalInterface
    interface Starter {
        GahpChannel start() throws IOException;
    }

    /**
     * How fast it goes.
     *
     * @param pauses before a try, while helpers keep ending; one that lasted longer than the longest counts as stable
     * @param patience how long a request waits for the next helper
     * @param silence how long the workers of a dead helper are waited for
     */
    record Pace(Backoff pauses, Duration patience, Duration silence) {
        static final Pace USUAL = new Pace(
                new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30)),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10));
    }

    RestartingChannel(Starter starter, Pace pace, Clock clock) throws IOException {
        this.starter = starter;
        this.pace = pace;
        this.clock = clock;
        // Its thread is made by the first restart.
        scheduler = new ScheduledThreadPoolExecutor(1, r -> {
            Thread thread = new Thread(r, "helper-restart");
            thread.setDaemon(true);
            return thread;
        });
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        present = new CompletableFuture<>();
        begin();
    }

    /**
     * Starts the helper.
     *
     * @param command absolute program and arguments
     * @throws IOException when it does not start: a CE that never had a helper is misconfigured and must report it
     */
    public static RestartingChannel start(List<String> command, Clock clock) throws IOException {
        List<String> line = List.copyOf(command);
        return new RestartingChannel(() -> GahpChannel.start(line), Pace.USUAL, clock);
    }

    private void begin() throws IOException {
        GahpChannel channel = starter.start();
        boolean late;
        CompletableFuture<GahpChannel> open;
        synchronized (this) {
            late = closed;
            startedAt = clock.instant();
            open = present;
        }
        if (late) {
            channel.close();
            return;
        }
        if (!open.complete(channel)) { // closed meanwhile
            channel.close();
            return;
        }
        starts.incrementAndGet();
        channel.loss().thenRun(() -> successor(channel));
    }

    /** Null while there is none. */
    private static GahpChannel of(CompletableFuture<GahpChannel> present) {
        return present.isDone() && !present.isCompletedExceptionally() ? present.join() : null;
    }

    /** Begins the search for the next one, once for each that died; the future of the next. */
    private synchronized CompletableFuture<GahpChannel> successor(GahpChannel gone) {
        if (of(present) != gone) {
            return present;
        }
        present = new CompletableFuture<>();
        if (closed) {
            present.completeExceptionally(new IllegalStateException(STOPPING));
            return present;
        }
        if (startedAt.plus(pace.pauses().longest()).isBefore(clock.instant())) {
            failures = 0;
        }
        reason = "the helper ended and is started again";
        log.error("{} when its workers have ended", reason);
        gone.silence()
                .orTimeout(pace.silence().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((silent, late) -> {
                    if (late != null) {
                        log.error("Workers of the helper that ended still run; the next one is started beside them");
                    }
                    tryAgain();
                });
        return present;
    }

    private synchronized void tryAgain() {
        Duration wait = pace.pauses().after(++failures);
        try {
            scheduler.schedule(this::restart, wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("the helper is not started again: the channel was closed");
        }
    }

    private void restart() {
        try {
            begin();
            log.warn("The helper was started again");
        } catch (IOException | RuntimeException | Error e) {
            // The error is what a JVM without threads left throws, and without a next try there would never be a helper
            // again.
            reason = "the helper ended and cannot be started again: " + e.getMessage();
            log.error("{}", reason);
            tryAgain();
        }
    }

    @Override
    public CompletableFuture<List<String>> request(String verb, List<String> args) {
        CompletableFuture<GahpChannel> next;
        synchronized (this) {
            next = present;
        }
        GahpChannel channel = of(next);
        if (channel != null && channel.alive()) {
            return channel.request(verb, args);
        }
        if (channel != null) {
            next = successor(channel);
        }
        // A health check needs the result now.
        if (verb.equals("GELATO_PING") || waiting.get() >= MAX_WAITING) {
            return CompletableFuture.failedFuture(busy());
        }
        waiting.incrementAndGet();
        return next.copy()
                .orTimeout(pace.patience().toMillis(), TimeUnit.MILLISECONDS)
                .handle((found, none) -> {
                    waiting.decrementAndGet();
                    return none == null
                            ? found.request(verb, args)
                            : CompletableFuture.<List<String>>failedFuture(busy());
                })
                .thenCompose(Function.identity());
    }

    private AccountCommandException busy() {
        return new AccountCommandException(Code.BUSY, reason);
    }

    /** The helper that runs; null in the gap. */
    public synchronized GahpChannel channel() {
        GahpChannel channel = of(present);
        return channel != null && channel.alive() ? channel : null;
    }

    /** Helpers started, the first included. */
    public long starts() {
        return starts.get();
    }

    /** Helpers started after one had ended. */
    public long restarts() {
        return Math.max(0, starts.get() - 1);
    }

    /** Ends the helper; a start that is under way is ended when it is done. */
    @Override
    public void close() {
        CompletableFuture<GahpChannel> last;
        synchronized (this) {
            closed = true;
            reason = STOPPING;
            last = present;
        }
        scheduler.shutdown();
        if (!last.completeExceptionally(new IllegalStateException(STOPPING)) && !last.isCompletedExceptionally()) {
            last.join().close();
        }
    }
}
