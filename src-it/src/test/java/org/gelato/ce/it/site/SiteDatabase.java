package org.gelato.ce.it.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;
import org.gelato.ce.core.db.embedded.UnixSocketFactory;

/**
 * A database server of the site's, which a CE reaches by its URL and does not manage. Its own MariaDB, or a schema of its
 * own on the server of the system properties {@code gelato.test.db.url} ({@code jdbc:mysql://host:port/}), {@code .user}
 * and {@code .password}.
 */
public final class SiteDatabase implements AutoCloseable {
    private static final long BUFFER_POOL = 64L << 20;
    private static final int POOL_SIZE = 20;
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final Path base;
    private final Path passwordFile;
    private final EmbeddedMariaDb server;
    private final DatabaseConfig database;

    /** A schema on a server that is there already. */
    private SiteDatabase(Path base, String url) throws IOException {
        this.base = base;
        this.passwordFile = base.resolve("password");
        server = null;
        String schema = "gelato_site_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        database = new DatabaseConfig(
                url.replaceFirst("/([^/]*)$", "/" + schema + "$1"),
                System.getProperty("gelato.test.db.user", "root"),
                System.getProperty("gelato.test.db.password", ""),
                POOL_SIZE,
                Duration.ofSeconds(10));
        Files.writeString(passwordFile, database.password() + "\n");
        try (Connection connection = DriverManager.getConnection(url, database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private SiteDatabase(Path base) throws IOException {
        this.base = base;
        this.passwordFile = base.resolve("password");
        EmptySchema.copyInto(base.resolve("database"));
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
            String url = System.getProperty("gelato.test.db.url", "");
            return url.isEmpty() ? new SiteDatabase(base) : new SiteDatabase(base, url);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection to it, for a CE of another account: a server of the test's own has no port. */
    public Socket open() throws IOException {
        if (server == null) {
            throw new IllegalStateException("a server of the system properties has a port");
        }
        return UnixSocketFactory.open(server.socket());
    }

    /** Configuration keys of a CE that uses it. */
    public Map<String, Object> settings() {
        return Map.of(
                "gelato.database.url", database.url(),
                "gelato.database.user", database.user(),
                "gelato.database.password-file", passwordFile.toString());
    }

    /** The highest key of each table, for {@link #storedSince}; 0 where it is empty. */
    public Map<String, Long> keys(String... tables) {
        Map<String, Long> keys = new LinkedHashMap<>();
        for (String table : tables) {
            keys.put(table, number("SELECT COALESCE(MAX(" + key(table) + "), 0) FROM " + table));
        }
        return keys;
    }

    /**
     * How many rows each table got since, without those that got none. Rows that went do not count: sweeps of the CE remove what has ended
     * at any moment, and the database gives no key twice.
     */
    public Map<String, Long> storedSince(Map<String, Long> keys) {
        Map<String, Long> stored = new LinkedHashMap<>();
        keys.forEach((table, last) -> {
            long rows = number("SELECT COUNT(*) FROM " + table + " WHERE " + key(table) + " > " + last);
            if (rows > 0) {
                stored.put(table, rows);
            }
        });
        return stored;
    }

    private static String key(String table) {
        return switch (table) {
            case "job_text" -> "job_id";
            case "proxy_file" -> "delegation_id";
            default -> "id";
        };
    }

    /** The one number a query returns. */
    public long number(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Changes the server, as its administrator.
     *
     * @throws IllegalStateException when the server is not of our own
     */
    public void administer(String sql) {
        if (server == null) {
            throw new IllegalStateException("the server is others'");
        }
        DatabaseConfig root = server.administrator();
        try (Connection connection = DriverManager.getConnection(root.url(), root.user(), root.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Changes something behind the CE's back. */
    public void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A pool of its own on the same schema, to be closed. */
    public Database pool() {
        return new Database(database);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    /** Stops the server, where it is its own, and removes the data. */
    @Override
    public void close() {
        if (server == null) {
            execute("DROP DATABASE " + database.url().replaceFirst("^.*/([a-z0-9_]+)[^/]*$", "$1"));
        } else {
            server.close();
        }
        try (Stream<Path> all = Files.walk(base)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
