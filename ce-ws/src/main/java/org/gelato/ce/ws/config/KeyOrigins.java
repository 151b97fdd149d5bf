package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.nio.file.Path;
import java.util.List;

/** Where the value of each key comes from: a line of the site's file or of one that it includes, or the default. Immutable. */
public final class KeyOrigins {
    private final Path file;
    private final Config site;

    private KeyOrigins(Path file, Config site) {
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
            throw new ConfigurationException(file.toString(), List.of(e.getMessage()));
        }
    }

    /** {@code FILE line N}, or {@code default} for a key that the file does not have. */
    public String where(String key) {
        ConfigValue value = site.root();
        for (String part : key.split("\\.")) {
            value = value instanceof ConfigObject object ? object.get(part) : null;
        }
        if (value == null) {
            return "default";
        }
        String included = value.origin().filename();
        return (included == null ? file : included) + " line " + value.origin().lineNumber();
    }
}
