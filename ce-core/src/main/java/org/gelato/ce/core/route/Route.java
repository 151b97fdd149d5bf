package org.gelato.ce.core.route;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One policy of a site. Immutable.
 *
 * @param values what it gives the jobs it matches, by key, as in {@link org.gelato.ce.json.RouteSettings}; limits with it
 */
public record Route(String name, RouteMatch match, Map<String, Object> values) {
    public Route {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
}
