package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;
import org.gelato.ce.core.db.embedded.UnixSocketFactory;
import org.gelato.ce.it.site.DatabaseSite;
import org.gelato.ce.it.site.EmptySchema;
import org.gelato.ce.it.site.SiteCe;

/** A mariadbd of the site's behind a relay, which listens on a port for it, so that it can be killed, come back, and be cut off. */
public final class KillableDatabase implements DatabaseSite {
    private final Path base;
    private final Path passwordFile;
    private final Relay relay;
    private volatile EmbeddedMariaDb server;
    /** Whether it was ended on purpose. */
    private boolean down;

    private Path directory;

    KillableDatabase() {
        this(Path.of("/var/tmp"), true);
    }

    /**
     * A server with its data.
     *
     * @param parent where its directory is made; every account may pass it
     * @param schema whether it has the schema; else the first CE makes its own
     */
    public KillableDatabase(Path parent, boolean schema) {
        try {
            base = Files.createTempDirectory(parent, "gelato-kill-database-");
            Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
            directory = base.resolve("database");
            if (schema) {
                EmptySchema.copyInto(directory);
            }
            run();
            passwordFile =
                    Files.writeString(base.resolve("password"), server.config().password() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        relay = new Relay(() -> UnixSocketFactory.open(server.socket()));
    }

    private void run() {
        server = EmbeddedMariaDb.start(new EmbeddedMariaDb.Settings(
                directory, cache(), 64L << 20, 60, Duration.ofSeconds(10), Duration.ofMinutes(2)));
    }

    private static Path cache() {
        String given = System.getProperty("gelato.cache", "");
        return given.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "gelato") : Path.of(given);
    }

    /** Of the server that runs now. */
    public long pid() {
        return server.pid();
    }

    @Override
    public Path base() {
        return base;
    }

    public Relay relay() {
        return relay;
    }

    /** Configuration keys of a CE that uses it through the relay. */
    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "gelato.database.url",
                "jdbc:mysql://127.0.0.1:" + relay.port() + "/gelato?sslMode=DISABLED",
                "gelato.database.user",
                server.config().user(),
                "gelato.database.connection-timeout",
                "3 s",
                "gelato.database.password-file",
                passwordFile.toString());
    }

    /** Whether the server refuses to write, for all but its administrator. */
    public void readOnly(boolean whether) {
        Awaitility.await("a database whose mode is changed")
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> setReadOnly(whether));
    }

    private boolean setReadOnly(boolean whether) throws SQLException {
        DatabaseConfig administrator = server.administrator();
        try (Connection connection = DriverManager.getConnection(
                        administrator.url(), administrator.user(), administrator.password());
                Statement statement = connection.createStatement()) {
            statement.execute("SET GLOBAL read_only = " + (whether ? "ON" : "OFF"));
            return true;
        }
    }

    /** Ends the server by SIGKILL. */
    synchronized void kill() {
        down = true;
        try {
            Optional<ProcessHandle> process = ProcessHandle.of(server.pid());
            if (process.isPresent()) {
                process.get().destroyForcibly();
                process.get().onExit().get(5, TimeUnit.MINUTES);
            }
        } catch (Exception e) {
            throw new IllegalStateException("mariadbd was not killed", e);
        }
        server.close();
    }

    /** As an administrator stops it. */
    synchronized void stop() {
        down = true;
        server.close();
    }

    /** With recovery, which continues until it accepts connections. */
    synchronized void restart() {
        run();
        down = false;
    }

    @Override
    public synchronized void restartIfEnded() {
        if (!down && !server.isAlive()) {
            server.close();
            restart();
        }
    }

    /** A cold copy of everything, with owners and modes. */
    Path backUp() {
        Path copy = base.resolve("backup");
        stop();
        copy(directory, copy);
        restart();
        return copy;
    }

    /** Loses the database, and restores a copy into another directory, as on another host. */
    void restore(Path copy) throws IOException {
        kill();
        SiteCe.remove(directory);
        directory = base.resolve("restored");
        copy(copy, directory);
        restart();
    }

    private static void copy(Path from, Path to) {
        try {
            Process cp = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                    .inheritIO()
                    .start();
            if (cp.waitFor() != 0) {
                throw new IllegalStateException("cp -a " + from + " ended with " + cp.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<String> column(String query) {
        try (Connection connection = DriverManager.getConnection(
                        server.config().url(),
                        server.config().user(),
                        server.config().password());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            List<String> values = new ArrayList<>();
            while (result.next()) {
                values.add(result.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized void close() {
        down = true;
        relay.close();
        server.close();
        SiteCe.remove(base);
    }
}
