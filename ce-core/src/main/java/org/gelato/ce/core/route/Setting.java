package org.gelato.ce.core.route;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.json.RouteSettings;

/** One thing that a route can set for the batch system. An adapter has a renderer for it, or the site's configuration is refused. */
public enum Setting {
    ACCOUNT,
    QOS,
    PARTITION,
    RESERVATION,
    /** On nodes, in the batch system's own terms. */
    CONSTRAINT,
    LICENSES,
    /** A number; the higher, the later the job runs. */
    NICE,
    ACCOUNTING_GROUP,
    /** By name, what the batch system has beside: a map of texts, numbers, true and false. */
    ATTRIBUTES;

    private static final String SECTION = "set.";

    /** As in a route, for example {@code set.accounting-group}. */
    public String key() {
        return SECTION + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Its value; null where it is not set. */
    public Object of(RouteSettings settings) {
        if (this != ATTRIBUTES) {
            return settings.values().get(key());
        }
        Map<String, Object> attributes = new LinkedHashMap<>();
        String prefix = key() + ".";
        settings.values().forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                attributes.put(key.substring(prefix.length()), value);
            }
        });
        return attributes.isEmpty() ? null : attributes;
    }
}
