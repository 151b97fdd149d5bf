package org.gelato.ce.core.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool and the only way to a connection. Auto-commit is off, isolation is READ COMMITTED; statements, commits and rollbacks
 * are counted. Callers must not wait for anything but the database inside {@link #inTransaction} or {@link #read}: the number
 * of connections is the number of callers that get on.
 */
public final class Database implements AutoCloseable {
    private static final int MAX_TRIES = 5;
    /** The code, not the state: the driver gives a lock that was waited for the state of a deadlock. */
    private static final int DEADLOCK = 1213;
    /** Class of SQL states. */
    private static final String CONNECTION_FAILURE = "08";
    /** Classes of states of deadlocks and other rollbacks, and of statements that an administrator or a time limit ended. */
    private static final String ROLLBACK = "40";

    private static final String INTERRUPTED = "70";
    private static final int PACKET_TOO_LARGE = 1153;
    /** Row changed by another one, lock waited for, too many locks, deadlock, time limits of MariaDB and MySQL. */
    private static final Set<Integer> HELD = Set.of(1020, 1205, 1206, DEADLOCK, 1969, 3024);

    /**
     * Codes of the server, of MariaDB and MySQL alike: no room on the disk (1021, 1114), no memory or threads (1037, 1038, 1041, 1135),
     * too many connections (1040, 1203, 1226), not ready or shutting down (1047, 1053), errors of the network (1158 to 1161), an error
     * during a commit (1180), a lock that was waited for (1205), a server that is read only (1290, 1792, 1836, 1874, 1881) or
     * offline (3032, 3168), a replication group that took no commit (3100), a connection that the server ended (3169, 4031), a time limit
     * (3024).
     */
    private static final Set<Integer> PASSING = Set.of(
            3, 1020, 1021, 1026, 1030, 1037, 1038, 1040, 1041, 1047, 1053, 1114, 1135, 1158, 1159, 1160, 1161, 1180,
            1203, 1205, 1206, 1213, 1226, 1290, 1412, 1598, 1637, 1792, 1836, 1874, 1878, 1881, 3024, 3032, 3100, 3168,
            3169, 4031);

    /** Of these, no room and read only. */
    private static final Set<Integer> REFUSING =
            Set.of(3, 1021, 1026, 1041, 1114, 1180, 1290, 1598, 1637, 1792, 1836, 1874, 1881, 3032, 3100, 3168);

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger(Database.class);

    private final SessionBounds bounds;
    private final WriterSource source;
    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final LongAdder statements = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder rollbacks = new LongAdder();
    private final LongAdder deadlocks = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final Refusals refusals = new Refusals(System::nanoTime);
    private final BatchWrites batches = new BatchWrites(System::nanoTime);

    /** Work with a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T with(Handle handle);
    }

    /**
     * Opens the pool. Of several servers that the URL names, its connections lead to the one that is to be written to.
     *
     * @throws PoolInitializationException when the server does not respond or refuses, or breaks a rule of {@link ClusterRules}
     */
    public Database(DatabaseConfig config) {
        this(config, true, SessionBounds.WORK);
    }

    /**
     * As {@link #Database(DatabaseConfig)}, with other bounds of its sessions.
     *
     * @throws PoolInitializationException as the other one
     */
    public Database(DatabaseConfig config, SessionBounds bounds) {
        this(config, true, bounds);
    }

    private Database(DatabaseConfig config, boolean succeeds, SessionBounds bounds) {
        this.bounds = bounds;
        Properties connection = new Properties();
        connection.setProperty("user", config.user());
        connection.setProperty("password", config.password());
        connection.setProperty("connectionTimeZone", "UTC");
        connection.setProperty("forceConnectionTimeZoneToSession", "true");
        connection.setProperty("rewriteBatchedStatements", "true");
        connection.setProperty("useServerPrepStmts", "false");
        // What a text has in it is found out once, not at each execution.
        connection.setProperty("cachePrepStmts", "true");
        connection.setProperty("prepStmtCacheSize", "500");
        // Each connection has a memory of its own, and a long text's takes several times its length.
        connection.setProperty("prepStmtCacheSqlLimit", "4096");
        connection.setProperty("useLocalSessionState", "true");
        connection.setProperty("cacheServerConfiguration", "true");
        connection.setProperty("elideSetAutoCommits", "true");
        connection.setProperty("connectTimeout", "5000");
        connection.setProperty("tcpKeepAlive", "true");
        // The driver would raise the server's limit for a reader that stands still, by a statement before and after
        // each read.
        connection.setProperty("netTimeoutForStreamingResults", "0");
        source = new WriterSource(WriterHosts.of(config.url()), connection, succeeds, bounds);
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName("gelato");
        hikari.setDataSource(source);
        hikari.setMaximumPoolSize(config.poolSize());
        hikari.setMinimumIdle(Math.min(2, config.poolSize()));
        hikari.setConnectionTimeout(config.connectionTimeout().toMillis());
        hikari.setAutoCommit(false);
        hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        hikari.setKeepaliveTime(SessionBounds.PING.toMillis());
        hikari.setExceptionOverride(new ReadOnlyServers());
        pool = new HikariDataSource(hikari);
        jdbi = Jdbi.create(pool);
        jdbi.registerArgument(new SqlTime());
        jdbi.setSqlLogger(new SqlLogger() {
            @Override
            public void logBeforeExecution(StatementContext context) {
                statements.increment();
            }
        });
    }

    /**
     * A pool for reading alone: in a cluster it does not make its server the one that is written to.
     *
     * @throws PoolInitializationException as the constructor
     */
    public static Database reading(DatabaseConfig config) {
        return new Database(config, false, SessionBounds.WORK);
    }

    /**
     * Opens the pool, and waits for a server that does not respond yet: after a power cut both come back, and the
     * database is rarely the first. One that responds and refuses is not waited for, and an interrupted thread does not
     * wait.
     *
     * @param patience how long; zero for not at all
     * @throws PoolInitializationException when the server refuses, or does not respond in that time
     */
    public static Database open(DatabaseConfig config, Duration patience) {
        long begin = System.nanoTime();
        for (boolean first = true; ; first = false) {
            try {
                return new Database(config);
            } catch (PoolInitializationException e) {
                boolean stopped = Thread.currentThread().isInterrupted();
                if (stopped || !isSilence(e) || System.nanoTime() - begin >= patience.toNanos()) {
                    throw e;
                }
                if (first) {
                    log.warn("The database does not respond, waiting for it up to {} s", patience.toSeconds());
                }
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    private static boolean isSilence(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql) {
                return String.valueOf(sql.getSQLState()).startsWith(CONNECTION_FAILURE)
                        && !(sql instanceof NoWriterException);
            }
        }
        return false;
    }

    /** Like {@link #migrate(String)} where this node has no name. */
    public void migrate() {
        migrate("");
    }

    /**
     * Brings the schema up to date; safe when several nodes start at once, and after a start that was killed at it.
     *
     * @param host of this node
     * @throws IllegalStateException when the schema is newer, was made by other scripts, or older software works with it, and no table was
     *     changed; or when the server refuses
     */
    public void migrate(String host) {
        // Not by the pool: a change of a large table takes longer than any work may, and the lock of the change stays
        // idle meanwhile.
        new SchemaMigration(
                        source.within(SessionBounds.SCHEMA),
                        new OlderNodes(pool, Clock.systemUTC(), host, OlderNodes.PATIENCE))
                .run();
        if (source.servers() > 1 || isGalera()) {
            // In a schema just made the first connections could not write down through which server they write.
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    private boolean isGalera() {
        return read(h -> {
            try {
                return ServerFacts.of(h.getConnection()).isGalera();
            } catch (SQLException e) {
                throw new IllegalStateException("the server's variables cannot be read: " + e.getMessage(), e);
            }
        });
    }

    /** How many servers the URL names. */
    int servers() {
        return source.servers();
    }

    /**
     * Runs work in one transaction: commits at the end, rolls back on any exception. When the server chose it as the
     * victim of a deadlock it is run again, so work must not have effects outside the database.
     */
    public <T> T inTransaction(Work<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                return once(work);
            } catch (JdbiException e) {
                if (tries >= MAX_TRIES || !isDeadlock(e)) {
                    throw e;
                }
                deadlocks.increment();
            }
        }
    }

    /** As {@link #inTransaction}, of work without a result. */
    public void change(Consumer<Handle> work) {
        inTransaction(h -> {
            work.accept(h);
            return null;
        });
    }

    // Not by Jdbi's inTransaction: it takes a connection whose auto-commit is off for one whose transaction a caller
    // else
    // will end, and never commits.
    private <T> T once(Work<T> work) {
        try (Handle handle = open()) {
            if (!LockPatience.isNone()) {
                return committed(handle, work);
            }
            // None at all on MariaDB; MySQL, for which the rest is a comment, has nothing shorter than a second.
            handle.execute("SET SESSION innodb_lock_wait_timeout = 1 /*M! - 1 */");
            try {
                return committed(handle, work);
            } finally {
                restore(handle);
            }
        }
    }

    private <T> T committed(Handle handle, Work<T> work) {
        T result = withRollback(handle, work);
        commits.increment();
        try {
            handle.commit();
        } catch (RuntimeException e) {
            rollback(handle, e);
            // A deadlock found at the commit (a cluster) is a rollback; anything else may have been committed.
            throw isDeadlock(e) ? e : new CommitInDoubtException(e);
        }
        refusals.worked();
        return result;
    }

    private void restore(Handle handle) {
        try {
            handle.execute(
                    "SET SESSION innodb_lock_wait_timeout = " + bounds.lock().toSeconds());
        } catch (RuntimeException e) {
            log.debug("the pool gives a connection up: {}", e.getMessage());
        }
    }

    /** Whether the server chose a transaction as the victim of a deadlock, or a cluster another one's change of the same row. */
    public static boolean isDeadlock(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql && sql.getErrorCode() == DEADLOCK) {
                return true;
            }
        }
        return false;
    }

    /** Whether the database, or the way to it, made something fail. */
    public static boolean isFailure(Throwable e) {
        return sql(e).isPresent();
    }

    /**
     * Whether what failed may succeed later as it is: the database was away, busy or shutting down, had no room, or chose the
     * transaction as a victim. Everything else lies at what was to be written, or at a defect.
     */
    public static boolean isPassing(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof CommitInDoubtException
                    || t instanceof ConnectionException
                    || (t instanceof SQLException sql && isPassing(sql))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether nothing was done, as the database was away or refused for a while, or others had the rows: who asked for it may come again.
     * That is not known of a commit in doubt.
     */
    public static boolean isBusy(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof CommitInDoubtException) {
                return false;
            }
        }
        return isPassing(e);
    }

    /** Whether the server takes no changes, while reads may go on. */
    static boolean refusesChanges(Throwable e) {
        return sql(e).filter(refusal -> REFUSING.contains(refusal.getErrorCode()))
                .isPresent();
    }

    /** What the driver threw; empty where it threw nothing. */
    static Optional<SQLException> sql(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }

    /** Whether the database as a whole was away or busy: other work would fail as well. */
    public static boolean isOfAll(Throwable e) {
        return held(e).isEmpty() && isPassing(e);
    }

    /**
     * What others have of the rows that a transaction was about: they hold them, or changed them at the same time. The rest of the
     * database may be well.
     *
     * @return empty for any other failure
     */
    static Optional<SQLException> held(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql && HELD.contains(sql.getErrorCode())) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }

    private static boolean isPassing(SQLException e) {
        if (e.getErrorCode() == PACKET_TOO_LARGE) {
            return false; // a smaller part may pass, though the connection was closed
        }
        String state = String.valueOf(e.getSQLState());
        return e instanceof SQLTransientException
                || e instanceof SQLRecoverableException
                || e instanceof SQLNonTransientConnectionException
                || state.startsWith(CONNECTION_FAILURE)
                || state.startsWith(ROLLBACK)
                || state.startsWith(INTERRUPTED)
                || PASSING.contains(e.getErrorCode());
    }

    /** For batches of which the database may reject a member. */
    public BatchWrites batches() {
        return batches;
    }

    private Handle open() {
        try {
            return jdbi.open();
        } catch (RuntimeException e) {
            failures.increment();
            note(e);
            throw e;
        }
    }

    private void note(Throwable why) {
        if (isOfAll(why) && !pool.isClosed()) {
            refusals.failed(sql(why).map(Throwable.class::cast).orElse(why), refusesChanges(why));
        }
    }

    private <T> T withRollback(Handle handle, Work<T> work) {
        try {
            return work.with(handle);
        } catch (Throwable e) {
            rollback(handle, e);
            throw e;
        }
    }

    private void rollback(Handle handle, Throwable why) {
        if (isFailure(why)) {
            failures.increment();
            note(why);
        }
        try {
            rollbacks.increment();
            handle.rollback();
        } catch (RuntimeException e) {
            why.addSuppressed(e); // The connection is broken; the server rolls back by itself.
        }
    }

    /**
     * Runs reads that need no transaction of their own. The server begins one nevertheless, and gets its end: a read
     * view left open would keep old rows, and the table's definition, from being removed.
     */
    public <T> T read(Work<T> work) {
        try (Handle handle = open()) {
            T result = withRollback(handle, work);
            rollbacks.increment();
            handle.rollback();
            return result;
        }
    }

    /**
     * Statements sent so far through this class, each counted as the server counts it but a batch of inserts, which is
     * one unless the driver must cut it. Not counted: what the driver sends to set up a connection, and what Flyway sends.
     */
    public long statements() {
        return statements.sum();
    }

    /** Ends of reads, and of transactions that failed. */
    public long rollbacks() {
        return rollbacks.sum();
    }

    /** Transactions committed so far, those included whose commit failed. */
    public long commits() {
        return commits.sum();
    }

    /** Reads and transactions that the database, or the way to it, made fail; those run again later are counted too. */
    public long failures() {
        return failures.sum();
    }

    /** Transactions run again because of a deadlock. */
    public long deadlocks() {
        return deadlocks.sum();
    }

    /**
     * Why the server takes no changes now, by its word or as changes were refused lately; waits for a connection.
     *
     * @return empty when it takes them, as far as is known without one
     * @throws SQLException when it does not respond
     */
    public Optional<String> refusal() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            boolean readOnly = ServerFacts.of(connection).isReadOnly();
            connection.rollback();
            return readOnly ? Optional.of("the server is read-only") : refusals.ofChanges();
        } catch (SQLException e) {
            note(e);
            throw e;
        }
    }

    /**
     * Whether the server is there and lets this user in.
     *
     * @throws RuntimeException with the reason when it does not
     */
    public void ping() {
        read(h -> h.select("SELECT 1").mapTo(Integer.class).one());
    }

    /** For health checks and metrics. */
    public DataSource dataSource() {
        return pool;
    }

    @Override
    public void close() {
        pool.close();
    }
}
