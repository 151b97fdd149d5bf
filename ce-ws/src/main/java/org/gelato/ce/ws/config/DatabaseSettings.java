package org.gelato.ce.ws.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.EmbeddedMariaDb;
import org.gelato.ce.core.text.Words;

/**
 * Which database.
 *
 * @param url {@code jdbc:mysql:...}; empty for a server of our own
 * @param user of that url
 * @param passwordFile first line is the password; null for none
 * @param poolSize connections held at the most
 * @param connectionTimeout how long a request waits for a free connection
 * @param startTimeout how long a start waits for the server of that url to be reachable
 * @param embedded how to run a server of our own
 */
public record DatabaseSettings(
        String url,
        String user,
        Path passwordFile,
        int poolSize,
        Duration connectionTimeout,
        Duration startTimeout,
        EmbeddedMariaDb.Settings embedded) {
    private static final Pattern URL = Pattern.compile("jdbc:mysql://[^/\\s]+/[^/?\\s]+(\\?\\S*)?");
    private static final long MIB = 1 << 20;

    static DatabaseSettings read(ConfigReader r, Path home) {
        int poolSize = r.number("gelato.database.pool-size", 2, 1000);
        Duration connectionTimeout =
                r.duration("gelato.database.connection-timeout", Duration.ofMillis(250), Duration.ofMinutes(5));
        return new DatabaseSettings(
                r.text("gelato.database.url", URL, "empty or jdbc:mysql://host/database"),
                r.text("gelato.database.user"),
                r.optionalPath("gelato.database.password-file"),
                poolSize,
                connectionTimeout,
                r.duration("gelato.database.start-timeout", Duration.ZERO, Duration.ofHours(24)),
                new EmbeddedMariaDb.Settings(
                        home.resolve("database"),
                        r.path("gelato.database.embedded.cache"),
                        r.bytes("gelato.database.embedded.buffer-pool", 16 * MIB, 1024 * 1024 * MIB),
                        poolSize,
                        connectionTimeout,
                        r.duration(
                                "gelato.database.embedded.start-timeout",
                                Duration.ofSeconds(1),
                                Duration.ofHours(24))));
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
                    "", List.of("gelato.database.password-file = " + passwordFile + " cannot be read: " + Words.of(e)));
        }
    }
}
