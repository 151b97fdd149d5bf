package org.gelato.ce.ws.gridftp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the GridFTP server running: the helper starts it as its own account, waits for its end and kills it when the helper
 * itself ends, which it does when the CE ends in whatever way (decision 0015). A server that ended is started again, after
 * a pause that grows while it keeps ending. No thread of its own.
 */
final class GridFtpServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GridFtpServer.class);
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    private static final int MAX_OUTPUT = 4096;
    // The helper does not hold a service to it.
    private static final Duration UNUSED_TIMEOUT = Duration.ofDays(1);

    private final AccountCommands accounts;
    private final List<String> line;
    private final InetSocketAddress address;
    private final ScheduledExecutorService scheduler;
    private final Clock clock;
    private final AtomicLong restarts = new AtomicLong();
    private volatile boolean closed;
    /** As the helper says, whose child it is. */
    private volatile boolean running;

    /** Ends in a row. */
    private volatile int failures;

    /**
     * @param line program and arguments, a service in the helper's configuration
     * @param address where it listens, as seen from this host
     */
    GridFtpServer(
            AccountCommands accounts,
            List<String> line,
            InetSocketAddress address,
            ScheduledExecutorService scheduler,
            Clock clock) {
        this.accounts = accounts;
        this.line = List.copyOf(line);
        this.address = address;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** Starts it; returns at once. */
    void start() {
        if (closed) {
            return;
        }
        Instant started = clock.instant();
        running = true;
        try {
            accounts.run(
                            AccountCommands.SELF,
                            new AccountCommands.Run(
                                    line, null, Map.of(), new byte[0], List.of(), UNUSED_TIMEOUT, MAX_OUTPUT))
                    .whenComplete((end, failure) -> ended(started, end, failure));
        } catch (RuntimeException | Error e) {
            ended(started, null, e);
        }
    }

    private void ended(Instant started, Completed end, Throwable failure) {
        running = false;
        if (closed) {
            return;
        }
        boolean lasted = started.plus(PAUSES.longest()).isBefore(clock.instant());
        int inARow = lasted ? 1 : failures + 1;
        failures = inARow;
        Duration wait = PAUSES.after(inARow);
        log.warn("The GridFTP server ended and is started again in {} s: {}", wait.toSeconds(), reason(end, failure));
        restarts.incrementAndGet();
        try {
            scheduler.schedule(this::start, wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.info("The GridFTP server is not started again: the CE is stopping");
        }
    }

    private static String reason(Completed end, Throwable failure) {
        if (failure != null) {
            return failure.getMessage();
        }
        return "exit " + end.exit() + " " + (end.stdout() + " " + end.stderr()).strip();
    }

    /** How often it had to be started again. */
    long restarts() {
        return restarts.get();
    }

    /** Whether it runs and its port takes connections: while it does not run, who listens there is another. */
    CompletableFuture<Boolean> listens() {
        if (!running) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> response = new CompletableFuture<>();
        try {
            AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
            response.whenComplete((listens, failure) -> close(channel));
            channel.connect(address, null, new CompletionHandler<Void, Void>() {
                @Override
                public void completed(Void nothing, Void none) {
                    response.complete(true);
                }

                @Override
                public void failed(Throwable failure, Void none) {
                    response.complete(false);
                }
            });
        } catch (IOException e) {
            response.completeExceptionally(e);
        }
        return response;
    }

    private static void close(AsynchronousSocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            log.debug("A connection of the health check was not closed cleanly", e);
        }
    }

    /** From now on it is not started again. The helper, closed next, ends it. */
    @Override
    public void close() {
        closed = true;
    }
}
