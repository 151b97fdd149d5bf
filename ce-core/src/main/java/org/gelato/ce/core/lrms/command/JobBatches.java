package org.gelato.ce.core.lrms.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Does something to many jobs, a bounded number in one call. Functions without state. */
public final class JobBatches {
    /** Ids in one command; the helper accepts 512 arguments in all. */
    public static final int MAX = 200;

    private JobBatches() {}

    /**
     * One call after the other, each for some of these ids or names.
     *
     * @param most in one call
     * @param call for some; what it returns for each
     * @return what the calls returned; fails with the first that fails, and makes no further one
     */
    public static <T> CompletableFuture<Map<String, T>> inChunks(
            Collection<String> ids, int most, Function<List<String>, CompletableFuture<Map<String, T>>> call) {
        List<String> all = List.copyOf(ids);
        CompletableFuture<Map<String, T>> done = CompletableFuture.completedFuture(new LinkedHashMap<>());
        for (int i = 0; i < all.size(); i += most) {
            List<String> some = all.subList(i, Math.min(i + most, all.size()));
            done = done.thenCompose(sum -> call.apply(some).thenApply(part -> {
                sum.putAll(part);
                return sum;
            }));
        }
        return done;
    }

    /**
     * A call for those that have the form of an id; it is not made where none has.
     *
     * @param otherwise the message for each other
     */
    public static CompletableFuture<Map<String, String>> valid(
            Collection<String> ids,
            Pattern form,
            String otherwise,
            Function<List<String>, CompletableFuture<Map<String, String>>> call) {
        Map<String, String> result = new LinkedHashMap<>();
        List<String> valid = new ArrayList<>();
        for (String id : ids) {
            if (form.matcher(id).matches()) {
                valid.add(id);
            } else {
                result.put(id, otherwise);
            }
        }
        if (valid.isEmpty()) {
            return CompletableFuture.completedFuture(result);
        }
        return call.apply(valid).thenApply(part -> {
            result.putAll(part);
            return result;
        });
    }
}
