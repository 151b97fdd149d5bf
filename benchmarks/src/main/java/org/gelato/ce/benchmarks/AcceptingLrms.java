package org.gelato.ce.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;

/** A batch system that takes every job at once, remembers none and only counts them. Thread-safe. */
final class AcceptingLrms implements Lrms {
    private final AtomicInteger accepted = new AtomicInteger();

    /** Jobs taken since {@link #forget}. */
    int accepted() {
        return accepted.get();
    }

    /** Counts from nothing again. */
    void forget() {
        accepted.set(0);
    }

    @Override
    public String name() {
        return Scene.LRMS;
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        return batch.stream()
                .map(s -> CompletableFuture.<SubmitResult>completedFuture(
                        new SubmitResult.Accepted(Integer.toString(accepted.incrementAndGet()))))
                .toList();
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return CompletableFuture.completedFuture(Map.of());
    }

    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return CompletableFuture.completedFuture(Map.of());
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return CompletableFuture.completedFuture(Map.of());
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        return CompletableFuture.completedFuture(Map.of());
    }

    @Override
    public CompletableFuture<Health> health() {
        return CompletableFuture.completedFuture(new Health(true, "takes everything"));
    }
}
