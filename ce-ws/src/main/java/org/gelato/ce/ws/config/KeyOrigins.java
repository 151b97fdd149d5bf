package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import java.nio.file.Path;
import java.util.List;

/** Where the value of each key comes from: a line of the site's file or of one that it includes, or the default. Immutable. */
public final class KeyOrigins {
    private final Path file;
    private final Config site;

    /** @param site may have values that are not resolved yet */
    KeyOrigins(Path file, Config site) {
        this.file = file;
        this.site = site;
    }

    /**
     * Reads a file that {@link CeConfig#load} has accepted.
     *
     * @throws ConfigurationException when it cannot be read any more
     */
    public static KeyOrigins of(Path file) {
        try {
            return new KeyOrigins(file, ConfigFactory.parseFile(file.toFile()));
        } catch (ConfigException e) {
            throw unusable(file, e);
        }
    }

    /** {@code FILE line N}, or {@code default} for a key that the file does not have. */
    public String where(String key) {
        ConfigValue value = site.root();
        try {
            for (String part : key.split("\\.")) {
                value = value instanceof ConfigObject object ? object.get(part) : null;
            }
        } catch (ConfigException.NotResolved e) {
            return file.toString(); // A section that is put together of others.
        }
        if (value == null) {
            return "default";
        }
        return where(value.origin());
    }

    String where(ConfigOrigin origin) {
        return where(file, origin);
    }

    private static String where(Path file, ConfigOrigin origin) {
        String named = origin.filename() == null ? file.toString() : origin.filename();
        return origin.lineNumber() < 0 ? named : named + " line " + origin.lineNumber();
    }

    /** What the library says of a file that it cannot use. */
    static ConfigurationException unusable(Path file, ConfigException e) {
        String where = e.origin() == null ? file.toString() : where(file, e.origin());
        return new ConfigurationException(
                List.of(new ConfigurationException.Problem("", where, e.getMessage())), file.toString());
    }
}
