package org.gelato.ce.benchmarks;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.jdl.Jdl;

/** The queue with an unindexed flag. Each claimer is a thread that takes one command, does it and ends it. */
final class NaiveQueue implements Queue {
    private final Database database;
    private final QueueStore queue;
    private final int claimers;
    private final Clock clock = CoreParts.clock();
    private final ExecutorService threads;

    NaiveQueue(Database database, QueueStore queue, int claimers) {
        this.database = database;
        this.queue = queue;
        this.claimers = claimers;
        threads = Executors.newFixedThreadPool(claimers);
    }

    @Override
    public void fill() {
        database.inTransaction(h -> queue.queueNaive(h));
    }

    @Override
    public void empty() {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < claimers; i++) {
            all.add(threads.submit(this::claim));
        }
        try {
            for (Future<?> one : all) {
                one.get(PATIENCE, TimeUnit.SECONDS);
            }
        } catch (TimeoutException e) {
            throw new IllegalStateException("the naive queue is not empty after " + PATIENCE + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a claimer of the naive queue failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Void claim() throws DescriptionException {
        while (true) {
            Optional<QueueStore.Taken> taken = database.inTransaction(h -> queue.takeNaive(h, clock.instant()));
            if (taken.isEmpty()) {
                return null;
            }
            Jdl.parse(taken.get().work().jdl());
            database.inTransaction(h -> {
                queue.endNaive(h, taken.get(), clock.instant());
                return null;
            });
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
