package org.gelato.ce.perf.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Threads that work beside each other: clients at once, and things done over and over in the background. */
public final class Crew implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "crew");
        thread.setDaemon(true);
        return thread;
    });

    /** A task that runs until it is stopped. */
    public static final class Running {
        private final AtomicBoolean stop;
        private final Future<?> end;

        private Running(AtomicBoolean stop, Future<?> end) {
            this.stop = stop;
            this.end = end;
        }

        /** Lets the present turn end. @throws IllegalStateException when a turn failed */
        public void stop() {
            stop.set(true);
            result(end);
        }

        /** @throws IllegalStateException when a turn failed already */
        public void check() {
            if (end.isDone()) {
                result(end);
            }
        }
    }

    /** Has each of them do its work in a thread of its own. @throws IllegalStateException when one failed */
    public <T> void each(List<T> them, Consumer<T> work) {
        List<Future<?>> all = new ArrayList<>();
        them.forEach(one -> all.add(threads.submit(() -> work.accept(one))));
        all.forEach(Crew::result);
    }

    /**
     * Does something over and over.
     *
     * @param pauseMillis from the begin of a turn to the next one's; a turn that took longer is followed at once
     */
    public Running repeat(long pauseMillis, Runnable turn) {
        AtomicBoolean stop = new AtomicBoolean();
        return new Running(stop, threads.submit(() -> {
            while (!stop.get()) {
                long begin = System.nanoTime();
                turn.run();
                pause(begin + TimeUnit.MILLISECONDS.toNanos(pauseMillis), stop);
            }
        }));
    }

    private static void pause(long until, AtomicBoolean stop) {
        long left = until - System.nanoTime();
        while (left > 0 && !stop.get()) {
            // Stopping takes no longer than this, however long the pause is.
            rest(Math.min(left, TimeUnit.MILLISECONDS.toNanos(200)));
            left = until - System.nanoTime();
        }
    }

    /** Does nothing for a while. */
    public static void rest(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void result(Future<?> end) {
        try {
            end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed: " + e.getCause().getMessage(), e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
