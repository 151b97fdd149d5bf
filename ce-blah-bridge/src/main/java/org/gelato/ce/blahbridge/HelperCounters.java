package org.gelato.ce.blahbridge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Processes started for this CE since its start, as its helpers count them: they never go back when a helper is replaced, and
 * cost one line on the channel a query, none a job. What a helper started between the last query and its death is not
 * counted. For any thread.
 */
public final class HelperCounters {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PATIENCE_MILLIS = 1000;

    private final RestartingChannel channel;
    private GahpChannel last;
    private long running;
    private Counts former = new Counts(0, 0, 0);
    private Counts present = new Counts(0, 0, 0);
    private long lookedAt = System.nanoTime() - FRESH_NANOS;

    private record Counts(long forks, long execs, long lost) {
        Counts plus(Counts other) {
            return new Counts(forks + other.forks, execs + other.execs, lost + other.lost);
        }
    }

    public HelperCounters(RestartingChannel channel) {
        this.channel = channel;
    }

    /** Worker processes that the helper has forked since it started. */
    public long workers() {
        return read().forks();
    }

    /** Commands and jobs started by workers. */
    public long commands() {
        return read().execs();
    }

    /** Workers that died, killed or crashed. */
    public long lostWorkers() {
        return read().lost();
    }

    /** Workers that the helper has now, one for each account with work; 0 while there is no helper. */
    public long runningWorkers() {
        read();
        synchronized (this) {
            return channel.channel() == last ? running : 0;
        }
    }

    /** Queries the helper, so that its death later loses little; returns at once. */
    public CompletableFuture<Void> refresh() {
        GahpChannel current = channel.channel();
        if (current == null) {
            return CompletableFuture.completedFuture(null);
        }
        return current.ask("GELATO_STATS").thenAccept(words -> take(current, words));
    }

    private synchronized void take(GahpChannel from, List<String> words) {
        if (from != last) {
            former = former.plus(present);
            last = from;
        }
        Map<String, Long> stats = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            stats.put(word.substring(0, equals), Long.valueOf(word.substring(equals + 1)));
        }
        present = new Counts(stats.get("forks"), stats.get("execs"), stats.get("lost"));
        running = stats.get("workers");
        lookedAt = System.nanoTime();
    }

    private Counts read() {
        boolean old;
        synchronized (this) {
            old = System.nanoTime() - lookedAt >= FRESH_NANOS;
        }
        if (old) {
            try {
                refresh().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // What was known before counts; readiness reports the helper.
                return known();
            }
        }
        return known();
    }

    private synchronized Counts known() {
        return former.plus(present);
    }
}
