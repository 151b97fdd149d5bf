package org.gelato.ce.ws.setup;

import com.typesafe.config.ConfigUtil;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;

/** What a site with CREAM takes along, and a report of every key it had. */
final class CreamValues {
    private static final int SHOWN = 200;

    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<String> report = new ArrayList<>();

    /** @param kind the batch system of the new CE */
    CreamValues(Map<String, String> old, String kind) {
        old.forEach((name, text) -> report.add(Plain.text(name, SHOWN) + " -> " + fate(name, text, kind)));
    }

    /** Values by their new keys. */
    Map<String, Object> values() {
        return values;
    }

    /** A line for each old key, in the order of the file. */
    List<String> report() {
        return List.copyOf(report);
    }

    private String fate(String name, String text, String kind) {
        CreamKey known = CreamKey.BY_NAME.get(name);
        if (known == null) {
            // Its value is not shown: it may be a password.
            return "not taken over: this key is not known; see " + Manual.page("docs/admin/from-cream.md");
        }
        if (known.key() == null) {
            return (known.needed() ? "not taken over: " : "not needed, because ") + known.reason();
        }
        if (known.kind() != null && !known.kind().equals(kind)) {
            return "not needed, because " + known.reason();
        }
        if (text.codePoints().anyMatch(Character::isISOControl)) {
            return "not taken over: its value has control characters";
        }
        Object value;
        try {
            value = known.value().apply(text);
            String line = known.key() + " = "
                    + (value instanceof List<?> list
                            ? "[" + ConfigUtil.quoteString(list.get(0).toString()) + "]"
                            : value instanceof Number ? value.toString() : ConfigUtil.quoteString(value.toString()));
            CeConfig.of(Path.of("/etc/gelato/gelato.conf"), "gelato.host = localhost\n" + line);
        } catch (NumberFormatException e) {
            return "not taken over: '" + Plain.text(text, SHOWN) + "' is not a whole number";
        } catch (ConfigurationException e) {
            return "not taken over: " + Plain.text(e.problems().get(0).replace(" (line 2)", ""), SHOWN);
        }
        values.put(known.key(), value);
        return known.key() + " = " + Plain.text(value.toString(), SHOWN)
                + (known.reason().isEmpty() || known.kind() != null ? "" : "; " + known.reason());
    }
}
