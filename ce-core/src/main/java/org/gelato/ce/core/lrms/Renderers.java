package org.gelato.ce.core.lrms;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.JobRequest.Resources;

/**
 * An adapter's table of what jobs request: options, in their order, each with how its value is made and of which resources. What no
 * row has is warned of.
 *
 * @param <K> names of options
 */
public final class Renderers<K> {
    private final List<Row<K>> rows = new ArrayList<>();

    private record Row<K>(K option, Function<Resources, ?> value, Set<Resource> resources) {}

    /**
     * Adds a row.
     *
     * @param value null for none; throws {@link IllegalArgumentException}, with a message for the user, for what the batch system can never be
     *     given
     */
    public Renderers<K> with(K option, Function<Resources, ?> value, Resource... resources) {
        rows.add(new Row<>(option, value, Set.of(resources)));
        return this;
    }

    /** Adds the options of a job to {@code out}, and returns that. */
    public Map<K, Object> render(Resources resources, Map<K, Object> out) {
        for (Row<K> row : rows) {
            Object value = row.value().apply(resources);
            if (value != null) {
                out.put(row.option(), value);
            }
        }
        return out;
    }

    /** @param script as of {@link SupportedRequests} */
    public SupportedRequests options(boolean script) {
        return new SupportedRequests(
                rows.stream().flatMap(row -> row.resources().stream()).collect(Collectors.toSet()), script);
    }
}
