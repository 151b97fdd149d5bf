package org.gelato.ce.cli.context;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.context.SettingsText.Entry;
import org.gelato.ce.cli.terminal.Nearest;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.Protocol;
import org.gelato.ce.cli.wire.ResourceName;

/** What the user's configuration file says; every value is valid. Immutable. */
public final class Settings {
    public static final String ENDPOINT = "endpoint";
    public static final String QUEUE = "queue";
    public static final String PROTOCOL = "protocol";
    static final List<String> KEYS = List.of(ENDPOINT, QUEUE, PROTOCOL);

    private static final String NAMED = "ces.";

    /** Of a user without a file. */
    public static final Settings NONE = new Settings(Map.of());

    private final Map<String, Entry> entries;
    private final Map<String, NamedCe> named = new LinkedHashMap<>();

    private Settings(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /**
     * What a file says.
     *
     * @param file how messages call it
     * @throws org.gelato.ce.cli.terminal.CliException naming file and line
     */
    static Settings of(String file, SettingsText text) {
        Settings settings = new Settings(text.entries());
        settings.entries.forEach((key, entry) -> {
            try {
                check(key, entry.value());
            } catch (IllegalArgumentException e) {
                throw SettingsText.wrong(file, entry.line(), e.getMessage());
            }
        });
        settings.nameCes(file);
        settings.value(ENDPOINT)
                .filter(name -> !settings.named.containsKey(name))
                .ifPresent(address -> {
                    try {
                        Endpoint.parse(address);
                    } catch (IllegalArgumentException e) {
                        throw SettingsText.wrong(
                                file, settings.entries.get(ENDPOINT).line(), e.getMessage());
                    }
                });
        return settings;
    }

    /**
     * Sees whether there is such a key, and whether the value can be one of its.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static void check(String key, String value) {
        String last = lastOf(key);
        switch (last) {
            case ENDPOINT -> {
                // A default CE may be a name, which is looked up when all is read.
                if (key.startsWith(NAMED)) {
                    Endpoint.parse(value);
                }
            }
            case QUEUE -> requireQueue(value);
            default -> Protocol.parse(value);
        }
    }

    /**
     * The same of a value that is written now: files may have addresses with paths, which were taken without a word.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static void checkNew(String key, String value) {
        check(key, value);
        if (lastOf(key).equals(ENDPOINT) && value.contains("://")) {
            Endpoint.parseWithoutPath(value);
        }
    }

    /** @throws IllegalArgumentException for a key that there is not */
    private static String lastOf(String key) {
        String[] parts = key.split("\\.", -1);
        String last = parts[parts.length - 1];
        if (KEYS.contains(last) && (parts.length == 1 || (parts.length == 3 && key.startsWith(NAMED)))) {
            return last;
        }
        throw new IllegalArgumentException("there is no key " + Printable.line(key)
                + Nearest.of(key, KEYS)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse("; the keys are endpoint, queue, protocol, and the same of a CE with a name:"
                                + " ces.NAME.endpoint"));
    }

    private static void requireQueue(String value) {
        try {
            ResourceName.parse("host/" + value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + Printable.line(value) + "' is no queue: write cream-BATCHSYSTEM-QUEUE", e);
        }
    }

    private void nameCes(String file) {
        entries.forEach((key, entry) -> {
            if (!key.startsWith(NAMED)) {
                return;
            }
            String name = key.substring(NAMED.length(), key.lastIndexOf('.'));
            String section = NAMED + name + ".";
            String address = value(section + ENDPOINT)
                    .orElseThrow(() -> SettingsText.wrong(
                            file, entry.line(), "the CE " + name + " has no address: set " + section + ENDPOINT));
            named.put(
                    name,
                    new NamedCe(
                            name,
                            Endpoint.parse(address),
                            value(section + QUEUE).orElse(null),
                            value(section + PROTOCOL).map(Protocol::parse).orElse(Protocol.AUTO)));
        });
    }

    /** A value as it is in the file. */
    public Optional<String> value(String key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    /** The line of a key that is set. */
    public int line(String key) {
        return entries.get(key).line();
    }

    /** The CEs with names, in the order of the file. */
    public List<NamedCe> named() {
        return List.copyOf(named.values());
    }

    /**
     * The CE of a name, or of an address.
     *
     * @throws IllegalArgumentException for a text that is neither
     */
    public NamedCe find(String text) {
        NamedCe known = named.get(text);
        if (known != null) {
            return known;
        }
        try {
            return NamedCe.unknown(Endpoint.parse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage()
                            + Nearest.of(text, named.keySet())
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse(""),
                    e);
        }
    }

    /** The CE that is used where nothing names one. */
    public Optional<NamedCe> byDefault() {
        return value(ENDPOINT)
                .map(this::find)
                .map(ce -> new NamedCe(
                        ce.name(),
                        ce.endpoint(),
                        ce.defaultQueue().or(() -> value(QUEUE)).orElse(null),
                        ce.protocol() == Protocol.AUTO ? protocol() : ce.protocol()));
    }

    private Protocol protocol() {
        return value(PROTOCOL).map(Protocol::parse).orElse(Protocol.AUTO);
    }

    /** How a CE is to be spoken to, by the file alone: what it says of a CE with that address, else of all. */
    public Protocol protocol(Endpoint endpoint) {
        return named.values().stream()
                .filter(ce -> ce.isAt(endpoint) && ce.protocol() != Protocol.AUTO)
                .findFirst()
                .map(NamedCe::protocol)
                .orElseGet(this::protocol);
    }
}
