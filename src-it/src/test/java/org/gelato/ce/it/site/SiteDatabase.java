package org.gelato.ce.it.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.EmbeddedMariaDb;

/** A database server of the site's, which a CE reaches by its URL and does not manage. */
public final class SiteDatabase implements AutoCloseable {
    private static final long BUFFER_POOL = 64L << 20;
    private static final int POOL_SIZE = 20;

    private final Path base;
    private final Path passwordFile;
    private final EmbeddedMariaDb server;
    private final DatabaseConfig database;

    private SiteDatabase(Path base) throws IOException {
        this.base = base;
        this.passwordFile = base.resolve("password");
        server = EmbeddedMariaDb.start(new EmbeddedMariaDb.Settings(
                base.resolve("database"),
                SiteCe.cache(),
                BUFFER_POOL,
                POOL_SIZE,
                Duration.ofSeconds(10),
                Duration.ofMinutes(2)));
        database = server.config();
        Files.writeString(passwordFile, database.password() + "\n");
    }

    public static SiteDatabase start() {
        try {
            Path base = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-site-database-");
            Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
            return new SiteDatabase(base);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Configuration keys of a CE that uses it. */
    public Map<String, Object> settings() {
        return Map.of(
                "gelato.database.url", database.url(),
                "gelato.database.user", database.user(),
                "gelato.database.password-file", passwordFile.toString());
    }

    /** Stops the server and removes its data. */
    @Override
    public void close() {
        server.close();
        try (Stream<Path> all = Files.walk(base)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
