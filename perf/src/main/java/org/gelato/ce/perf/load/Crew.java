package org.gelato.ce.perf.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Threads that work beside each other: clients at once. */
public final class Crew implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "crew");
        thread.setDaemon(true);
        return thread;
    });

    /** Has each of them do its work in a thread of its own. @throws IllegalStateException when one failed */
    public <T> void each(List<T> them, Consumer<T> work) {
        List<Future<?>> all = new ArrayList<>();
        them.forEach(one -> all.add(threads.submit(() -> work.accept(one))));
        all.forEach(Crew::result);
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
