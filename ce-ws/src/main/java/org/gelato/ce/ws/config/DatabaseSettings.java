package org.gelato.ce.ws.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;
import org.gelato.ce.core.fault.Messages;

/**
 * Which database.
 *
 * @param url {@code jdbc:mysql:...}; empty for a server of our own
 * @param user of that url
 * @param passwordFile first line is the password; null for none
 * @param poolSize connections held at the most
 * @param connectionTimeout how long a request waits for a free connection
 * @param startTimeout how long a start waits for the server of that url to be reachable
 * @param directory for the data of a server of our own
 * @param cache where its programs are unpacked
 * @param bufferPool bytes of memory for its pages
 */
public record DatabaseSettings(
        @Key(
                form = "jdbc:mysql://[^/\\s]+/[^/?\\s]+(\\?\\S*)?",
                accepted = "empty or jdbc:mysql://host/database",
                optional = true)
        String url,

        @Key String user,
        @Key(optional = true) Path passwordFile,
        @Key(min = "2", max = "1000") int poolSize,
        @Key(min = "250 ms", max = "5 minutes") Duration connectionTimeout,
        @Key(min = "0", max = "24 h") Duration startTimeout,
        Path directory,
        @Key("gelato.database.embedded.cache") Path cache,

        @Key(value = "gelato.database.embedded.buffer-pool", min = "16 MiB", max = "1 TiB")
        long bufferPool) {
    private static final Duration EMBEDDED_START = Duration.ofMinutes(5);

    /** How to run a server of our own. */
    public EmbeddedMariaDb.Settings embedded() {
        return new EmbeddedMariaDb.Settings(directory, cache, bufferPool, poolSize, connectionTimeout, EMBEDDED_START);
    }

    /** Whether to run a server of our own. */
    public boolean isEmbedded() {
        return url.isEmpty();
    }

    /**
     * How to reach the database of {@link #url()}.
     *
     * @throws ConfigurationException when the password cannot be read
     */
    public DatabaseConfig external() {
        return new DatabaseConfig(url, user, password(), poolSize, connectionTimeout);
    }

    private String password() {
        if (passwordFile == null) {
            return "";
        }
        try (var lines = Files.lines(passwordFile)) {
            return lines.findFirst().orElse("").strip();
        } catch (IOException e) {
            throw new ConfigurationException(
                    "",
                    List.of("gelato.database.password-file = " + passwordFile + " cannot be read: " + Messages.of(e)));
        }
    }
}
