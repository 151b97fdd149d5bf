package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A site's configuration as others may see it: each key that is set, with its place, and of the values those alone that cannot be a
 * secret by the form that the key's default has; no comments. Functions without state.
 */
public final class ShownConfig {
    /** What stands for any other value. */
    public static final String MASK = "***";

    private static final Pattern MEASURE = Pattern.compile("[+-]?[0-9]{1,18}(?:\\.[0-9]{1,9})? ?[A-Za-z]{0,12}");
    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9-]{0,19}");
    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9_./@+-]{0,200}");
    private static final Pattern PATH_KEY =
            Pattern.compile(".*[.-](?:file|directory|directories|config|conf|key|cache|log|root)");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9.:-]{0,253}");
    private static final Pattern DATABASE =
            Pattern.compile("jdbc:[a-z]{1,20}:(?://[A-Za-z0-9.,:\\[\\]-]{1,500}/[A-Za-z0-9_]{0,64})?");
    private static final Pattern ISSUER = Pattern.compile("https://[A-Za-z0-9.:-]{1,253}/?");
    private static final Pattern POLICY = Pattern.compile("(?:[A-Z-]{1,20} [0-9]{1,9} [a-z]{1,10}; ?){0,20}");

    private static final String ISSUERS = "gelato.tokens.issuers";

    /** Keys whose default does not say the form of their values. */
    private static final Map<String, Pattern> FORMS = Map.of(
            "gelato.host",
            ADDRESS,
            "gelato.node",
            ADDRESS,
            "gelato.address",
            ADDRESS,
            "gelato.wrapper.events",
            WORD,
            "gelato.lrms.queues",
            Pattern.compile("[A-Za-z0-9_.@-]{1,64}"),
            "gelato.jobs.purge-policy",
            POLICY,
            "gelato.database.url",
            DATABASE,
            ISSUERS + ".issuer",
            ISSUER,
            ISSUERS + ".profile",
            WORD,
            "gelato.helper.command",
            Pattern.compile("-[a-z]|" + PATH));

    private final Config reference;
    private final StringBuilder text = new StringBuilder();
    private final List<String> hidden = new ArrayList<>();

    private ShownConfig(Config reference) {
        this.reference = reference;
    }

    /**
     * A line for each key that a file sets, or one that it includes; variables are left as they are, and masked.
     *
     * @throws ConfigurationException when the file cannot be read
     */
    public static String text(Path file) {
        return of(file).text.toString();
    }

    /**
     * The texts that {@link #text} masks, to take them out elsewhere; not those that are a part of a key, such as {@code gelato}, as half
     * of all words would go with them.
     *
     * @throws ConfigurationException when the file cannot be read
     */
    public static List<String> hidden(Path file) {
        ShownConfig shown = of(file);
        return shown.hidden.stream()
                .filter(value -> shown.reference.entrySet().stream()
                        .noneMatch(key -> key.getKey().contains(value)))
                .toList();
    }

    private static ShownConfig of(Path file) {
        ShownConfig shown = new ShownConfig(CeConfig.reference());
        shown.add("", CeConfig.parse(file).root());
        return shown;
    }

    /** The address of a database, or {@link #MASK} where it has more than driver, servers and name, such as a password. */
    public static String database(String url) {
        return DATABASE.matcher(url).matches() ? url : MASK;
    }

    private void add(String key, ConfigValue value) {
        try {
            if (value instanceof ConfigObject object) {
                object.entrySet().stream()
                        .sorted(Comparator.comparingInt(
                                e -> e.getValue().origin().lineNumber()))
                        .forEach(e ->
                                add((key.isEmpty() ? "" : key + ".") + ConfigUtil.joinPath(e.getKey()), e.getValue()));
                return;
            }
            if (value instanceof ConfigList list
                    && list.stream().anyMatch(part -> part.valueType() == ConfigValueType.OBJECT)) {
                list.forEach(part -> add(key, part));
                return;
            }
            if (isShown(key, value)) {
                line(key, value.render(ConfigRenderOptions.concise()), value);
                return;
            }
            line(key, MASK, value);
            (value instanceof ConfigList list ? list.stream() : Stream.of(value))
                    .filter(part -> part.valueType() == ConfigValueType.STRING && !isShown(key, part))
                    .forEach(part -> hidden.add(String.valueOf(part.unwrapped())));
        } catch (ConfigException.NotResolved e) {
            line(key, MASK, value);
        }
    }

    private void line(String key, String words, ConfigValue value) {
        text.append(key).append(" = ").append(words).append("  # ");
        text.append(value.origin().filename() == null ? "" : value.origin().filename() + " ");
        text.append("line ").append(value.origin().lineNumber()).append('\n');
    }

    private boolean isShown(String key, ConfigValue value) {
        if (value instanceof ConfigList list) {
            return list.stream().allMatch(part -> isShown(key, part));
        }
        String words = String.valueOf(value.unwrapped());
        Pattern form = FORMS.get(key);
        if (form != null) {
            return form.matcher(words).matches();
        }
        ConfigValue usual = usual(key);
        if (usual == null) {
            return value.valueType() == ConfigValueType.BOOLEAN;
        }
        String usually = String.valueOf(usual.unwrapped());
        boolean number = usual.valueType() == ConfigValueType.NUMBER
                || MEASURE.matcher(usually).matches();
        boolean path = usually.startsWith("/") || PATH_KEY.matcher(key).matches();
        return words.equals(usually)
                || value.valueType() == ConfigValueType.BOOLEAN
                || (number && MEASURE.matcher(words).matches())
                || (path && PATH.matcher(words).matches())
                || (WORD.matcher(usually).matches() && WORD.matcher(words).matches());
    }

    private ConfigValue usual(String key) {
        ConfigValue value = reference.root();
        for (String part : ConfigUtil.splitPath(key)) {
            value = value instanceof ConfigObject object ? object.get(part) : null;
        }
        return value instanceof ConfigList || value instanceof ConfigObject ? null : value;
    }
}
