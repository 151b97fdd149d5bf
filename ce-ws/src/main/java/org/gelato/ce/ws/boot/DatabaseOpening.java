package org.gelato.ce.ws.boot;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.embedded.RestartingMariaDb;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.ws.config.DatabaseSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the CE's database and brings its schema up to date, on a thread of its own: meanwhile the caller makes what does
 * without it, which takes as long. Closed by the caller's thread, also before it is open.
 */
final class DatabaseOpening implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseOpening.class);

    private final DatabaseSettings settings;
    private final String host;
    private final FutureTask<Database> task = new FutureTask<>(this::open);
    private final Thread thread = new Thread(task, "database-opening");
    private final OpenParts open = new OpenParts();
    private volatile RestartingMariaDb embedded;

    /** @param host of this node */
    DatabaseOpening(DatabaseSettings settings, String host) {
        this.settings = settings;
        this.host = host;
        thread.setDaemon(true);
        thread.start();
    }

    private Database open() {
        Database database;
        if (settings.isEmbedded()) {
            embedded = RestartingMariaDb.start(settings.embedded());
            open.push(embedded);
            database = new Database(embedded.config());
        } else {
            database = external();
        }
        open.push(database);
        database.migrate(host);
        return database;
    }

    private Database external() {
        DatabaseConfig server = settings.external();
        try {
            return Database.open(server, settings.startTimeout());
        } catch (PoolInitializationException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            // The driver's own texts have several lines.
            throw new IllegalStateException(
                    "gelato.database.url = " + server.url() + " cannot be used: "
                            + String.valueOf(root.getMessage()).strip().replaceAll("\\s+", " ")
                            + "; check that the server runs, and gelato.database.user and password-file"
                            + " (" + Manual.page("docs/admin/databases.md") + ")",
                    e);
        }
    }

    /**
     * Waits for it.
     *
     * @throws RuntimeException for which it could not be opened
     */
    Database get() {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("the database could not be opened", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the database was opened", e);
        }
    }

    /** The server of our own once {@link #get()} has returned; null when the site has one. */
    RestartingMariaDb embedded() {
        return embedded;
    }

    /** Breaks off an opening that still waits for its server. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("the database is left open: its closing was interrupted");
            return;
        }
        open.close();
    }
}
