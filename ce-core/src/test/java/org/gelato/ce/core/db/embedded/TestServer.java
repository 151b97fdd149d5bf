package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.db.DatabaseConfig;

/**
 * The one database server of a test JVM: embedded in {@code target/}, started at first use with no data and stopped with
 * the JVM; or the server of the system properties {@code gelato.test.db.url} ({@code jdbc:mysql://host:port/}, user and
 * password in {@code gelato.test.db.user} and {@code gelato.test.db.password}), whose user may create databases.
 */
public final class TestServer {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final DatabaseConfig administrator;

    private TestServer(DatabaseConfig administrator) {
        this.administrator = administrator;
    }

    /** The server, started when it is not yet. */
    public static TestServer get() {
        return Lazy.SERVER;
    }

    private static final class Lazy {
        static final TestServer SERVER = open();
    }

    private static TestServer open() {
        String url = System.getProperty("gelato.test.db.url", "");
        if (!url.isEmpty()) {
            return new TestServer(new DatabaseConfig(
                    url,
                    System.getProperty("gelato.test.db.user", "root"),
                    System.getProperty("gelato.test.db.password", ""),
                    1,
                    TIMEOUT));
        }
        EmbeddedMariaDb server = EmbeddedMariaDb.start(
                settings("test-database-" + System.getProperty("gelato.test.process", "process-0")), true);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop test database"));
        return new TestServer(server.administrator());
    }

    /** Settings for a server of that name in {@code target/}, or elsewhere when the server's account cannot get there. */
    public static EmbeddedMariaDb.Settings settings(String name) {
        try {
            Path target = Path.of("target").toAbsolutePath();
            Files.createDirectories(target);
            if (DatabaseAccount.choose(target.resolve("no data"))
                    .barrier(target)
                    .isPresent()) {
                target = elsewhere(target);
            }
            return new EmbeddedMariaDb.Settings(
                    target.resolve(name), cache(), 64L << 20, 100, TIMEOUT, TIMEOUT.multipliedBy(4));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path elsewhere(Path target) throws IOException {
        Path place = Path.of(System.getProperty("java.io.tmpdir"))
                .resolve("gelato-test-" + Integer.toHexString(target.toString().hashCode()));
        if (!Files.isDirectory(place)) {
            Files.createDirectory(place);
        }
        if (!Files.getOwner(place).equals(Files.getOwner(target))) {
            throw new IOException(place + " belongs to another account");
        }
        return place;
    }

    /** Shared by all modules and clones, because the programs are large. */
    private static Path cache() {
        String given = System.getProperty("gelato.cache", "");
        return given.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "gelato") : Path.of(given);
    }

    public DatabaseConfig administrator() {
        return administrator;
    }

    /** How to reach a schema as the administrator. */
    public DatabaseConfig schema(String schema, int poolSize) {
        String url = administrator.url().replaceFirst("^(jdbc:mysql://[^/?]+)/?[^/?]*", "$1/" + schema);
        return new DatabaseConfig(url, administrator.user(), administrator.password(), poolSize, TIMEOUT);
    }
}
