package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.base.Keys;
import org.gelato.ce.ws.config.ConfigurationException.Problems;

/**
 * Binds records of {@link Key keys} to the configuration, and collects what is wrong with values, so that an administrator sees all problems
 * at once. A wrong value becomes the reference's, which the caller discards with everything else.
 */
final class Binder implements Keys {
    private static final Pattern BARE = Pattern.compile("[+-]?(?!0+$)[0-9]+(\\.[0-9]+)?");

    private static final Map<Class<?>, Object> ABSENT = Map.of(
            int.class,
            0,
            boolean.class,
            false,
            String.class,
            "",
            Optional.class,
            Optional.empty(),
            List.class,
            List.of(),
            Map.class,
            Map.of(),
            long.class,
            0L);

    private final Config config;
    private final Config reference;
    private final Path base;
    private final Problems problems;
    private final Map<String, String> measures;

    /**
     * @param config the site's configuration over the reference
     * @param reference the defaults
     * @param base relative paths start here
     * @param problems is added to
     */
    Binder(Config config, Config reference, Path base, Problems problems) {
        this(config, reference, base, problems, new TreeMap<>());
    }

    private Binder(Config config, Config reference, Path base, Problems problems, Map<String, String> measures) {
        this.config = config;
        this.reference = reference;
        this.base = base;
        this.problems = problems;
        this.measures = measures;
    }

    @Override
    public <R extends Record> R read(String section, Class<R> type, Object... given) {
        return record(section, type, Arrays.asList(given).iterator());
    }

    private <R extends Record> R record(String section, Class<R> type, Iterator<?> given) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            Key key = components[i].getAnnotation(Key.class);
            types[i] = components[i].getType();
            try {
                values[i] = key == null ? given.next() : value(name(section, components[i]), components[i], key, given);
            } catch (ConfigException | IllegalArgumentException | DateTimeException e) {
                if (reference != null) {
                    throw e;
                }
                wrong.add(e.getMessage());
            }
        }
        refuse(wrong);
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException(type + " can't be made", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " can't be made", e);
        }
    }

    private static String name(String section, RecordComponent component) {
        String named = component.getAnnotation(Key.class).value();
        if (named.equals(Key.BESIDE)) {
            return section;
        }
        String name = named.isEmpty() ? component.getName().replaceAll("(?=[A-Z])", "-") : named;
        return section.isEmpty() || name.startsWith("gelato.")
                ? name.toLowerCase(Locale.ROOT)
                : section + "." + name.toLowerCase(Locale.ROOT);
    }

    /** In a section of a list there is no reference: a key may be absent. */
    private Object value(String name, RecordComponent component, Key key, Iterator<?> given) {
        Class<?> type = component.getType();
        if (type.isRecord()) {
            return record(name, type.asSubclass(Record.class), given);
        }
        if (reference == null && !config.hasPath(name)) {
            if (!key.optional()) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return ABSENT.get(type);
        }
        if (type == int.class || type == Integer.class) {
            return number(name, Integer.parseInt(key.min()), Integer.parseInt(key.max()));
        }
        if (type == long.class) {
            return bytes(name, bound(key.min()).getBytes("v"), bound(key.max()).getBytes("v"));
        }
        if (type == Duration.class) {
            return duration(
                    name, bound(key.min()).getDuration("v"), bound(key.max()).getDuration("v"));
        }
        if (type == boolean.class || type == Boolean.class) {
            return flag(name);
        }
        if (type == Path.class) {
            return key.optional() && text(name).isEmpty() ? null : path(name);
        }
        if (type == URI.class) {
            return read(name, "a URL", c -> URI.create(c.getString(name)));
        }
        if (type == Optional.class) {
            String text = text(name);
            if (text.isEmpty()) {
                throw new IllegalArgumentException(name + " is empty: leave it out");
            }
            return Optional.of(text);
        }
        if (type.isEnum()) {
            return choice(name, type, key.optional());
        }
        if (type == List.class) {
            return key.form().isEmpty() ? texts(name) : texts(name, Pattern.compile(key.form()), key.accepted());
        }
        if (type == Map.class && component.getGenericType().getTypeName().endsWith("Object>")) {
            return read(
                    name,
                    "a section of texts, numbers, true and false",
                    c -> c.getObject(name).unwrapped());
        }
        if (type == Map.class) {
            return read(name, "a section of texts", c -> {
                Map<String, String> texts = new TreeMap<>();
                c.getObject(name).forEach((k, v) -> {
                    if (!(v.unwrapped() instanceof String
                            || v.unwrapped() instanceof Number
                            || v.unwrapped() instanceof Boolean)) {
                        throw new IllegalArgumentException(k + " has no text; a name with dots stands in quotes");
                    }
                    texts.put(k, String.valueOf(v.unwrapped()));
                });
                return texts;
            });
        }
        return key.form().isEmpty() ? text(name) : text(name, key);
    }

    private static Config bound(String text) {
        return ConfigValueFactory.fromAnyRef(text).atKey("v");
    }

    /**
     * Reads each section of a list. What is wrong with one is a problem with its line.
     *
     * @param defaults of keys that a section may leave out
     * @param made makes what is returned of it; what is wrong with a section is an IllegalArgumentException
     */
    <E extends Record, T> List<T> sections(
            String key, int most, Class<E> type, Map<String, ?> defaults, Function<E, T> made) {
        List<? extends ConfigObject> all =
                read(key, "a list of sections: [{ ... }, { ... }]", c -> List.copyOf(c.getObjectList(key)));
        if (all.size() > most) {
            refuse(key, "a list of at most " + most + " sections");
        }
        List<T> sections = new ArrayList<>();
        for (ConfigObject object : all) {
            try {
                List<String> wrong = new ArrayList<>();
                checkNames("here", object, type, wrong);
                refuse(wrong);
                Config section = object.toConfig().withFallback(ConfigFactory.parseMap(defaults));
                sections.add(made.apply(new Binder(section, null, base, problems, measures).read("", type)));
            } catch (ConfigException | IllegalArgumentException | DateTimeException e) {
                problems.add(key, object, key + KeyNames.line(object) + ": " + e.getMessage());
            }
        }
        return sections;
    }

    private static void refuse(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", wrong));
        }
    }

    private static void checkNames(String where, ConfigObject section, Class<?> type, List<String> wrong) {
        Map<String, Class<?>> types = new TreeMap<>();
        Stream.of(type.getRecordComponents()).forEach(one -> types.put(name("", one), one.getType()));
        section.forEach((name, value) -> {
            if (!types.containsKey(name)) {
                wrong.add("there is no key " + name + " " + where + "; there are " + String.join(", ", types.keySet()));
            } else if (types.get(name).isRecord()) {
                if (value instanceof ConfigObject inner) {
                    checkNames("in " + name, inner, types.get(name), wrong);
                } else {
                    wrong.add(name + " is a section: write " + name + " = { ... }");
                }
            }
        });
    }

    /** The same with another base for relative paths. */
    Binder from(Path newBase) {
        return new Binder(config, reference, newBase, problems, measures);
    }

    private String text(String name) {
        return read(name, "a text", c -> c.getString(name));
    }

    private String text(String name, Key key) {
        return read(name, key.accepted(), c -> {
            String given = c.getString(name);
            String text = reference == null ? given.strip() : given;
            if (!Pattern.matches(key.form(), text) && !(key.optional() && text.isEmpty())) {
                throw new IllegalArgumentException();
            }
            return text;
        });
    }

    @Override
    public List<String> texts(String key) {
        return read(key, "a list of texts: [\"...\", \"...\"]", c -> list(c, key));
    }

    /** In a section of a list one text stands for a list of one. */
    private List<String> list(Config c, String key) {
        return reference == null && c.getValue(key).valueType() == ConfigValueType.STRING
                ? List.of(c.getString(key))
                : List.copyOf(c.getStringList(key));
    }

    /** What a text names. */
    <T> T known(String key, Function<String, Optional<T>> named, String accepted) {
        return read(key, accepted, c -> named.apply(c.getString(key)).orElseThrow(IllegalArgumentException::new));
    }

    /** Adds a problem inside a value; the text starts with the key. */
    void problem(String key, String text) {
        if (reference == null) {
            throw new IllegalArgumentException(text);
        }
        problems.add(key, text);
    }

    /** A text in a form of its own, whose parser reports errors by an IllegalArgumentException. */
    <T> T parsed(String key, Function<String, T> parser) {
        try {
            return parser.apply(text(key));
        } catch (IllegalArgumentException e) {
            problems.add(key, key + " = " + shown(key) + ": " + e.getMessage());
            return parser.apply(reference.getString(key));
        }
    }

    /** A list of at least one text, each of which matches. */
    private List<String> texts(String key, Pattern pattern, String accepted) {
        return read(key, accepted, c -> {
            List<String> texts = list(c, key);
            boolean good = !texts.isEmpty()
                    && texts.stream().allMatch(t -> pattern.matcher(t).matches());
            if (!good || texts.stream().distinct().count() != texts.size()) {
                throw new IllegalArgumentException();
            }
            return texts;
        });
    }

    private boolean flag(String key) {
        return read(key, "true or false", c -> c.getBoolean(key));
    }

    private int number(String key, int min, int max) {
        return read(
                key,
                "a whole number from " + min + " to " + max,
                c -> within(Integer.valueOf(c.getInt(key)), min, max));
    }

    private Duration duration(String key, Duration min, Duration max) {
        return measure(
                key,
                "milliseconds: write \"%1$s s\" for seconds",
                "a duration from " + words(min) + " to " + words(max) + ", such as \"10 s\"",
                c -> within(c.getDuration(key), min, max),
                Measures::text);
    }

    private long bytes(String key, long min, long max) {
        return measure(
                key,
                "bytes: write \"%1$s B\" for bytes, \"%1$s MiB\" for mebibytes",
                "a size from " + min + " to " + max + " bytes, such as \"10 MiB\"",
                c -> within(c.getBytes(key), min, max),
                Measures::text);
    }

    private <T> T measure(
            String key, String withoutUnit, String accepted, Function<Config, T> get, Function<T, String> measures) {
        String text = config.getIsNull(key)
                ? ""
                : String.valueOf(config.getValue(key).unwrapped()).strip();
        // Zero needs no unit.
        if (BARE.matcher(text).matches()) {
            problem(
                    key,
                    key + " = " + shown(key) + " has no unit, and would be "
                            + String.format(Locale.ROOT, withoutUnit, text));
            return get.apply(reference);
        }
        return read(key, accepted, get.andThen(value -> {
            if (reference != null && !config.getValue(key).equals(reference.getValue(key))) {
                this.measures.put(key, measures.apply(value));
            }
            return value;
        }));
    }

    private static <T extends Comparable<T>> T within(T value, T min, T max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    /** The durations and sizes that the site has set and that were read so far, as they were understood, by key. */
    Map<String, String> measures() {
        return Map.copyOf(measures);
    }

    /** An absolute, normalised path. */
    private Path path(String key) {
        return read(key, "a path", c -> {
            String text = c.getString(key);
            if (text.isEmpty()) {
                throw new IllegalArgumentException();
            }
            return base.resolve(text).toAbsolutePath().normalize();
        });
    }

    /** One of an enum's names, written in small letters with dashes; null for an empty text where that is accepted. */
    private Object choice(String key, Class<?> type, boolean optional) {
        List<Object> constants = List.of(type.getEnumConstants());
        List<String> names = constants.stream().map(Binder::word).toList();
        return read(key, (optional ? "empty or one of " : "one of ") + String.join(", ", names), c -> {
            String text = c.getString(key);
            if (optional && text.isEmpty()) {
                return null;
            }
            if (!names.contains(text)) {
                throw new IllegalArgumentException();
            }
            return constants.get(names.indexOf(text));
        });
    }

    /** A value that is valid by itself but conflicts with another one. */
    @Override
    public void refuse(String key, String accepted) {
        boolean choice = accepted.startsWith("one of ");
        problem(
                key,
                reference != null
                        ? key + " = " + shown(key) + " is not " + accepted
                        : key + (choice ? " is " : " is not ") + accepted);
    }

    private static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
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
