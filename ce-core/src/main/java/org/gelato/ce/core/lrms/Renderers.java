package org.gelato.ce.core.lrms;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.core.route.Setting;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.json.RouteSettings;

/**
 * An adapter's table of what jobs request and what the site's routes set: options, in their order, each with how its value is made and of
 * what. A request that no row has is warned of, a setting is refused with the configuration.
 *
 * @param <K> names of options
 */
public final class Renderers<K> {
    private final List<Row<K>> rows = new ArrayList<>();
    private final Map<Setting, BiConsumer<Object, Map<K, Object>>> settings = new EnumMap<>(Setting.class);

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

    /** Adds the option of a setting, with the setting as its value. */
    public Renderers<K> with(Setting setting, K option) {
        return with(setting, (value, options) -> options.put(option, value));
    }

    /**
     * Adds a setting.
     *
     * @param writer gets its value, as of {@link Setting#of}, and adds to the options of what the job requests; throws
     *     {@link IllegalArgumentException} for a value that the batch system can never be given
     */
    public Renderers<K> with(Setting setting, BiConsumer<Object, Map<K, Object>> writer) {
        settings.put(setting, writer);
        return this;
    }

    /**
     * Refuses settings that cannot be rendered.
     *
     * @param batchSystem its name, for the message
     * @throws IllegalArgumentException that begins with the key in a route
     */
    public void check(String batchSystem, RouteSettings given) {
        for (Setting setting : Setting.values()) {
            Object value = setting.of(given);
            if (value == null) {
                continue;
            }
            if (!settings.containsKey(setting)) {
                throw new IllegalArgumentException(setting.key() + ": " + batchSystem + " has nothing for it");
            }
            try {
                settings.get(setting).accept(value, new HashMap<>());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(setting.key() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Adds the options of a job to {@code out}, those of its requests first, and returns that. */
    public Map<K, Object> render(Resources resources, RouteSettings given, Map<K, Object> out) {
        render(resources, out);
        settings.forEach((setting, writer) -> {
            Object value = setting.of(given);
            if (value != null) {
                writer.accept(value, out);
            }
        });
        return out;
    }

    /** Adds the options of what a job requests to {@code out}, and returns that. */
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
