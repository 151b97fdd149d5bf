package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.db.DatabaseConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A MariaDB server of our own, for a CE without a database of its site. It listens on a Unix socket in
 * its data directory, which no other account may enter, and on no port (docs/developer/decisions/0103). Its users have
 * random passwords kept in files beside the data, it never runs as root, and every commit is on disk when it returns.
 * Processes are started inside {@link #start} and {@link #restart} only. When this process dies the server stays and is
 * stopped by the next start on the same directory; when the server dies, its data are recovered by the next start, which a
 * {@link RestartingMariaDb} makes.
 */
public final class EmbeddedMariaDb implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedMariaDb.class);
    private static final String SCHEMA = "gelato";
    private static final String USER = "gelato";

    private final DataHome home;
    private final MariaDbBinaries binaries;
    private final Settings settings;
    private volatile MariaDbProcess server;
    private boolean logKept;

    /**
     * How to run the server.
     *
     * @param directory for the data, the passwords and the log; made when absent
     * @param cache where the server's programs are unpacked once; may be shared by several servers
     * @param bufferPool bytes of memory for InnoDB pages
     * @param poolSize connections the CE will hold at the most
     * @param connectionTimeout how long a caller waits for a free connection
     * @param startTimeout how long a start may take, with the recovery of a crashed one
     */
    public record Settings(
            Path directory,
            Path cache,
            long bufferPool,
            int poolSize,
            Duration connectionTimeout,
            Duration startTimeout) {}

    private EmbeddedMariaDb(DataHome home, MariaDbBinaries binaries, MariaDbProcess server, Settings settings) {
        this.home = home;
        this.binaries = binaries;
        this.server = server;
        this.settings = settings;
    }

    /**
     * Starts the server and waits until it accepts connections.
     *
     * @throws IllegalStateException when it cannot run, with what to do about it
     */
    public static EmbeddedMariaDb start(Settings settings) {
        return start(settings, false);
    }

    /** As {@link #start(Settings)}; {@code fresh} throws away all data first. */
    static EmbeddedMariaDb start(Settings settings, boolean fresh) {
        try {
            DataHome home = DataHome.open(settings.directory());
            try {
                Path unfinished = home.data().resolveSibling("data.new");
                LeftoverServers.stop(home.record(), home.account(), settings.startTimeout());
                LeftoverServers.requireUnused(home.data());
                MariaDbBinaries.deleteTree(unfinished);
                if (fresh) {
                    MariaDbBinaries.deleteTree(home.data());
                }
                MariaDbBinaries binaries = MariaDbBinaries.find(settings.cache());
                return new EmbeddedMariaDb(home, binaries, run(home, binaries, settings), settings);
            } catch (IOException | InterruptedException | RuntimeException e) {
                home.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot start the embedded database in " + settings.directory() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the embedded database started", e);
        }
    }

    private static MariaDbProcess run(DataHome home, MariaDbBinaries binaries, Settings settings)
            throws IOException, InterruptedException {
        MariaDbInstall install = new MariaDbInstall(binaries, home);
        install.checkProgram();
        if (!Files.isDirectory(home.data())) {
            Path fresh = home.freshData();
            install.fill(fresh);
            Files.move(fresh, home.data(), StandardCopyOption.ATOMIC_MOVE);
            log.info("Made a new database in {}", home.data());
        }
        install.checkNotNewer();
        home.rotateLog();
        return serve(home, binaries, settings);
    }

    private static MariaDbProcess serve(DataHome home, MariaDbBinaries binaries, Settings settings)
            throws IOException, InterruptedException {
        DamagedFiles damaged = new DamagedFiles(home.data(), use -> {
            Path fresh = home.freshData();
            try {
                new MariaDbInstall(binaries, home).fill(fresh);
                use.of(fresh);
            } finally {
                MariaDbBinaries.deleteTree(fresh);
            }
        });
        // Before anything is moved: on a full disk, where each start leaves an empty log, this fails.
        home.writeOwned(home.initFile(), initSql(home.password("root"), home.password(USER)));
        damaged.beforeStart();
        while (true) {
            MariaDbProcess server = MariaDbProcess.start(binaries, home, settings.bufferPool(), settings.poolSize());
            try {
                awaitReady(server, home, settings);
                return server;
            } catch (IllegalStateException e) {
                server.stop();
                damaged.mend(server.output(), e);
            } catch (IOException | RuntimeException | InterruptedException e) {
                server.stop();
                throw e;
            }
        }
    }

    private static void awaitReady(MariaDbProcess server, DataHome home, Settings settings)
            throws IOException, InterruptedException {
        String password = home.password(USER).text();
        server.awaitReady(UnixSocketFactory.url(home.socket(), SCHEMA), USER, password, settings.startTimeout());
        Files.delete(home.initFile());
        log.info(
                "Embedded database in {} listens on the socket {}, process {}",
                home.data().getParent(),
                home.socket(),
                server.pid());
    }

    /**
     * Starts a server that ended again; the log of the server that ended stays as {@code mariadbd.log.1} whatever number of tries it takes. For one thread at a time.
     *
     * @throws IllegalStateException when it cannot run, and may be tried again
     * @throws InterruptedException when the thread was interrupted; then no server runs
     */
    void restart() throws IOException, InterruptedException {
        // One that was started when the JVM had no thread left to wait for it: it would respond in place of the next.
        LeftoverServers.stop(home.record(), home.account(), settings.startTimeout());
        if (logKept) {
            Files.deleteIfExists(home.log());
        } else {
            home.rotateLog();
            logKept = true;
        }
        server = serve(home, binaries, settings);
        logKept = false;
    }

    /** Completes with the server's exit status when it has ended: 128 and the signal's number when one killed it. */
    CompletableFuture<Integer> end() {
        return server.end();
    }

    /** Repeated at each start, so that a first start may break off anywhere. Runs before connections are served. */
    private static String initSql(DataHome.Password root, DataHome.Password user) {
        String gelato = "'" + USER + "'@'localhost'";
        return String.join(
                ";\n",
                "CREATE DATABASE IF NOT EXISTS " + SCHEMA + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                "CREATE USER IF NOT EXISTS " + gelato + " IDENTIFIED BY PASSWORD '" + user.hash() + "'",
                "ALTER USER " + gelato + " IDENTIFIED BY PASSWORD '" + user.hash() + "'",
                "GRANT ALL PRIVILEGES ON " + SCHEMA + ".* TO " + gelato,
                "ALTER USER 'root'@'localhost' IDENTIFIED BY PASSWORD '" + root.hash() + "'",
                // Earlier versions came from 127.0.0.1.
                "DELETE FROM mysql.db WHERE Host <> 'localhost'",
                "DELETE FROM mysql.global_priv WHERE Host <> 'localhost' OR User = ''",
                "FLUSH PRIVILEGES",
                "");
    }

    /** How to reach the schema {@code gelato} as its own user, who has no rights elsewhere. */
    public DatabaseConfig config() {
        return config(SCHEMA, USER);
    }

    /** Where the server listens; another process than this one may use it, when it has the account of this one. */
    public Path socket() {
        return home.socket();
    }

    /** How to reach the server as its administrator, who may make further schemas; for tests and measurements. */
    public DatabaseConfig administrator() {
        return config("mysql", "root");
    }

    private DatabaseConfig config(String schema, String user) {
        try {
            return new DatabaseConfig(
                    UnixSocketFactory.url(home.socket(), schema),
                    user,
                    home.password(user).text(),
                    settings.poolSize(),
                    settings.connectionTimeout());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the password of the embedded database", e);
        }
    }

    /** Whether the server process runs. */
    public boolean isAlive() {
        return server.isAlive();
    }

    /** The server's process id. */
    public long pid() {
        return server.pid();
    }

    /** Stops the server cleanly and waits for its end; closes no connection pool, so close those first. */
    @Override
    public void close() {
        server.stop();
        try {
            home.close();
        } catch (IOException e) {
            log.warn("Cannot release the lock of the embedded database: {}", e.getMessage());
        }
    }
}
