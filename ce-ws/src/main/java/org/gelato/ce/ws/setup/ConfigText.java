package org.gelato.ce.ws.setup;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.ws.config.CeConfig;

/** The text of {@code gelato.conf}: a line for each key, below the comment that {@code reference.conf} has for it. */
final class ConfigText {
    /** Written also where they are the defaults: what a site looks for first. */
    private static final Set<String> ALWAYS =
            Set.of("gelato.host", "gelato.lrms.kind", "gelato.lrms.queues", "gelato.sandbox-root");

    private static final String HEAD = """
            # Configuration of Gelato CE, written by "ce server init". It holds what differs from the defaults; every key with
            # its default and its meaning: /usr/share/doc/gelato-ce/reference.conf. "ce server check" names every problem.
            """;

    private ConfigText() {}

    /**
     * Writes keys and values, and reads them back.
     *
     * @param values texts, numbers, booleans, lists of them and lists of sections by their whole key
     * @throws org.gelato.ce.ws.config.ConfigurationException when the server would refuse them
     */
    static String of(Path file, Map<String, Object> values) {
        Config reference = ConfigFactory.parseResources(CeConfig.class.getClassLoader(), "reference.conf");
        StringBuilder text = new StringBuilder(HEAD);
        values.forEach((key, value) -> {
            if (ALWAYS.contains(key) || !same(reference.getAnyRef(key), value)) {
                text.append('\n');
                for (String comment : reference.getValue(key).origin().comments()) {
                    text.append('#').append(comment).append('\n');
                }
                text.append(key).append(" = ").append(quoted(value)).append('\n');
            }
        });
        CeConfig.of(file, text.toString());
        Config back = ConfigFactory.parseString(text.toString()).withFallback(reference);
        values.forEach((key, value) -> {
            if (!same(back.getAnyRef(key), value)) {
                throw new IllegalStateException(key + " would not be read as it was written: " + value);
            }
        });
        return text.toString();
    }

    private static boolean same(Object there, Object value) {
        return there.equals(value) || there.toString().equals(value.toString());
    }

    private static String quoted(Object value) {
        if (value instanceof List<?> list) {
            List<String> each = list.stream().map(ConfigText::quoted).toList();
            return list.stream().anyMatch(Map.class::isInstance)
                    ? "[\n  " + String.join("\n  ", each) + "\n]"
                    : "[" + String.join(", ", each) + "]";
        }
        if (value instanceof Map<?, ?> section) {
            return section.entrySet().stream()
                    .map(entry -> ConfigUtil.joinPath(entry.getKey().toString())
                            + (entry.getValue() instanceof Map ? " " : " = ")
                            + quoted(entry.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }"));
        }
        return value instanceof String text ? ConfigUtil.quoteString(text) : value.toString();
    }

    /** The file that the package installs, which nobody has changed yet. */
    static String skeleton() {
        try (InputStream in = ConfigText.class.getResourceAsStream("gelato.conf")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
