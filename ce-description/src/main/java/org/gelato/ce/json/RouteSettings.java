package org.gelato.ce.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a site's routes give a job, as it is stored with the job (docs/admin/routes.md). Immutable.
 *
 * @param routes names of those that match, in their order
 * @param values each a text, a number, true or false, by its key in a route, such as {@code set.account} or {@code set.attributes.Tier};
 *     sizes are bytes, times seconds
 */
public record RouteSettings(List<String> routes, Map<String, Object> values) {
    /** Of a job that no route matches. */
    public static final RouteSettings NONE = new RouteSettings(List.of(), Map.of());

    public RouteSettings {
        routes = List.copyOf(routes);
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /**
     * Reads what {@link #text()} wrote.
     *
     * @param text null for {@link #NONE}
     * @throws IllegalArgumentException for any other text
     */
    public static RouteSettings parse(String text) {
        if (text == null) {
            return NONE;
        }
        try {
            RouteSettings read = Json.MAPPER.readValue(text, RouteSettings.class);
            if (read == null) {
                throw new IllegalArgumentException("no settings of routes: " + text);
            }
            return read;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no settings of routes", e);
        }
    }

    /** JSON; equal for equal settings. */
    public String text() {
        try {
            return Json.MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts and numbers cannot be written as JSON", e);
        }
    }
}
