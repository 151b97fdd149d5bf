package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.type.LrmsKeys;

/**
 * Reads values one by one and collects what is wrong with them, so that an administrator sees all problems at once. A
 * invalid value becomes the reference's, which the caller discards with everything else.
 */
final class ConfigReader implements LrmsKeys {
    private static final Pattern BARE = Pattern.compile("[+-]?(?!0+$)[0-9]+(\\.[0-9]+)?");

    private final Config config;
    private final Config reference;
    private final Path base;
    private final List<String> problems;
    private final Map<String, String> measures;

    /**
     * @param config the site's configuration over the reference
     * @param reference the defaults
     * @param base relative paths start here
     * @param problems is added to
     */
    ConfigReader(Config config, Config reference, Path base, List<String> problems) {
        this(config, reference, base, problems, new TreeMap<>());
    }

    private ConfigReader(
            Config config, Config reference, Path base, List<String> problems, Map<String, String> measures) {
        this.config = config;
        this.reference = reference;
        this.base = base;
        this.problems = problems;
        this.measures = measures;
    }

    /** The same with another base for relative paths. */
    ConfigReader from(Path newBase) {
        return new ConfigReader(config, reference, newBase, problems, measures);
    }

    String text(String key) {
        return read(key, "a text", c -> c.getString(key));
    }

    /** A text that matches a pattern or is empty. */
    @Override
    public String text(String key, Pattern pattern, String accepted) {
        return read(key, accepted, c -> {
            String text = c.getString(key);
            if (!text.isEmpty() && !pattern.matcher(text).matches()) {
                throw new IllegalArgumentException();
            }
            return text;
        });
    }

    @Override
    public List<String> texts(String key) {
        return read(key, "a list of texts: [\"...\", \"...\"]", c -> List.copyOf(c.getStringList(key)));
    }

    /** What a text names. */
    <T> T known(String key, Function<String, Optional<T>> named, String accepted) {
        return read(key, accepted, c -> named.apply(c.getString(key)).orElseThrow(IllegalArgumentException::new));
    }

    /** A list of sections, whose keys the caller checks. */
    List<? extends ConfigObject> objects(String key) {
        return read(key, "a list of sections: [{ ... }, { ... }]", c -> List.copyOf(c.getObjectList(key)));
    }

    /** Adds a problem inside a value; it starts with the key. */
    void problem(String text) {
        // A key may count for several batch systems.
        if (!problems.contains(text)) {
            problems.add(text);
        }
    }

    /** A text in a form of its own, whose parser reports errors by an IllegalArgumentException. */
    <T> T parsed(String key, Function<String, T> parser) {
        try {
            return parser.apply(text(key));
        } catch (IllegalArgumentException e) {
            problems.add(key + " = " + shown(key) + ": " + e.getMessage());
            return parser.apply(reference.getString(key));
        }
    }

    /** A list of at least one text, each of which matches. */
    List<String> texts(String key, Pattern pattern, String accepted) {
        return read(key, accepted, c -> {
            List<String> texts = List.copyOf(c.getStringList(key));
            boolean good = !texts.isEmpty()
                    && texts.stream().allMatch(t -> pattern.matcher(t).matches());
            if (!good || texts.stream().distinct().count() != texts.size()) {
                throw new IllegalArgumentException();
            }
            return texts;
        });
    }

    @Override
    public boolean flag(String key) {
        return read(key, "true or false", c -> c.getBoolean(key));
    }

    @Override
    public int number(String key, int min, int max) {
        return read(key, "a whole number from " + min + " to " + max, c -> {
            int number = c.getInt(key);
            if (number < min || number > max) {
                throw new IllegalArgumentException();
            }
            return number;
        });
    }

    @Override
    public Duration duration(String key, Duration min, Duration max) {
        if (isBare(key)) {
            problem(key + " = " + shown(key) + " has no unit, and would be milliseconds: write \"" + bare(key)
                    + " s\" for seconds");
            return reference.getDuration(key);
        }
        return read(key, "a duration from " + words(min) + " to " + words(max) + ", such as \"10 s\"", c -> {
            Duration duration = c.getDuration(key);
            if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
                throw new IllegalArgumentException();
            }
            measured(key, Measures.text(duration));
            return duration;
        });
    }

    long bytes(String key, long min, long max) {
        if (isBare(key)) {
            problem(key + " = " + shown(key) + " has no unit, and would be bytes: write \"" + bare(key)
                    + " B\" for bytes, \"" + bare(key) + " MiB\" for mebibytes");
            return reference.getBytes(key);
        }
        return read(key, "a size from " + min + " to " + max + " bytes, such as \"10 MiB\"", c -> {
            long bytes = c.getBytes(key);
            if (bytes < min || bytes > max) {
                throw new IllegalArgumentException();
            }
            measured(key, Measures.text(bytes));
            return bytes;
        });
    }

    /** The durations and sizes that the site has set and that were read so far, as they were understood, by key. */
    Map<String, String> measures() {
        return Map.copyOf(measures);
    }

    private void measured(String key, String text) {
        if (!config.getValue(key).equals(reference.getValue(key))) {
            measures.put(key, text);
        }
    }

    /** Whether the site has written a number where a unit belongs; zero needs none. */
    private boolean isBare(String key) {
        return !config.getIsNull(key) && BARE.matcher(bare(key)).matches();
    }

    private String bare(String key) {
        return String.valueOf(config.getValue(key).unwrapped()).strip();
    }

    /** An absolute, normalised path. */
    @Override
    public Path path(String key) {
        return read(key, "a path", c -> {
            String text = c.getString(key);
            if (text.isEmpty()) {
                throw new IllegalArgumentException();
            }
            return base.resolve(text).toAbsolutePath().normalize();
        });
    }

    /** As {@link #path}, or null for the empty text. */
    @Override
    public Path optionalPath(String key) {
        return text(key).isEmpty() ? null : path(key);
    }

    /** One of an enum's names, written in small letters with dashes. */
    @Override
    public <E extends Enum<E>> E choice(String key, Class<E> type) {
        List<String> names = names(type);
        return read(key, "one of " + String.join(", ", names), c -> chosen(c.getString(key), names, type));
    }

    /** As {@link #choice}, or null for the empty text, which is the reference's. */
    <E extends Enum<E>> E optionalChoice(String key, Class<E> type) {
        List<String> names = names(type);
        return read(key, "empty or one of " + String.join(", ", names), c -> {
            String text = c.getString(key);
            return text.isEmpty() ? null : chosen(text, names, type);
        });
    }

    private static <E extends Enum<E>> List<String> names(Class<E> type) {
        return List.of(type.getEnumConstants()).stream().map(ConfigReader::word).toList();
    }

    private static <E extends Enum<E>> E chosen(String text, List<String> names, Class<E> type) {
        int index = names.indexOf(text);
        if (index < 0) {
            throw new IllegalArgumentException();
        }
        return type.getEnumConstants()[index];
    }

    /** A value that is valid by itself but conflicts with another one. */
    @Override
    public void refuse(String key, String accepted) {
        problem(key + " = " + shown(key) + " is not " + accepted);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String words(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    private <T> T read(String key, String accepted, Function<Config, T> get) {
        try {
            return get.apply(config);
        } catch (ConfigException | IllegalArgumentException e) {
            refuse(key, accepted);
            return get.apply(reference);
        }
    }

    private String shown(String key) {
        if (config.getIsNull(key)) {
            return "null";
        }
        ConfigValue value = config.getValue(key);
        return value.render(ConfigRenderOptions.concise()) + KeyNames.line(value);
    }
}
