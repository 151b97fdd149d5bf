package org.gelato.ce.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;
import org.gelato.ce.testkit.site.ExitStack;
import org.gelato.ce.testkit.site.ScratchDirectory;

/**
 * The one database server of a run, with a directory below /var/tmp: made by the process that was started, found by forks
 * through {@link #properties()}. Opened and closed by one thread; a shutdown hook closes it when the process is signalled
 * to end. After a kill -9 the directory {@code /var/tmp/gelato-jmh-*} stays, and the server with it.
 */
final class BenchSite implements AutoCloseable {
    private static final String BASE = "gelato.jmh.base";
    private static final String URL = "gelato.jmh.url";
    private static final String USER = "gelato.jmh.user";

    /** Forty claimers, a completer for each, and what fills and counts. */
    private static final int MAX_CONNECTIONS = 120;

    private static final long BUFFER_POOL = 512L << 20;
    private static final Duration CONNECTION_WAIT = Duration.ofSeconds(30);
    private static final String OWN_SCHEMA = "/gelato?";

    private final Path base;
    private final EmbeddedMariaDb server;
    private final ExitStack open;

    private BenchSite(Path base, EmbeddedMariaDb server, ExitStack open) {
        this.base = base;
        this.server = server;
        this.open = open;
    }

    /** Starts the server; schemas are made by {@link #make}. */
    static BenchSite open() {
        try {
            Path base = ScratchDirectory.make("gelato-jmh-");
            ExitStack open = new ExitStack(base.toString());
            try {
                open.push(() -> ScratchDirectory.remove(base));
                BenchSite site = new BenchSite(base, open.push(server(base)), open);
                Path password = site.base.resolve("password");
                Files.createFile(
                        password, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(password, site.server.config().password());
                site.properties().forEach(System::setProperty);
                return site;
            } catch (IOException | RuntimeException e) {
                open.closeAfter(e);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the directory to measure in: " + e.getMessage(), e);
        }
    }

    private static EmbeddedMariaDb server(Path base) {
        return EmbeddedMariaDb.start(new EmbeddedMariaDb.Settings(
                base.resolve("database"),
                ScratchDirectory.cache(),
                BUFFER_POOL,
                MAX_CONNECTIONS,
                CONNECTION_WAIT,
                Duration.ofMinutes(2)));
    }

    /** What a process needs to know to reach the server. No secret is among it: the password is in a file. */
    Map<String, String> properties() {
        DatabaseConfig config = server.config();
        return Map.of(BASE, base.toString(), URL, config.url(), USER, config.user());
    }

    /** Makes a schema of this software, empty; returns a pool of one connection to it. */
    Database make(String schema) {
        try (Database administrator = new Database(server.administrator())) {
            administrator.inTransaction(
                    h -> new SchemaStore().make(h, schema, server.config().user()));
        }
        Database database = open(schema, 1);
        database.migrate();
        return database;
    }

    /** The directory of this run. For any process of it. */
    static Path base() {
        return Path.of(property(BASE));
    }

    /** A pool on one of the schemas. For any process of the run. */
    static Database open(String schema, int connections) {
        try {
            return new Database(new DatabaseConfig(
                    property(URL).replace(OWN_SCHEMA, "/" + schema + "?"),
                    property(USER),
                    Files.readString(base().resolve("password")),
                    connections,
                    CONNECTION_WAIT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("there is no server to measure on: start the benchmarks by ce perf jmh");
        }
        return value;
    }

    /** Stops the server and removes everything. */
    @Override
    public void close() {
        open.close();
    }
}
