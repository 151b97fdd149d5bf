package org.gelato.ce.core.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * The pool and the only way to a connection. Auto-commit is off, isolation is READ COMMITTED; statements and commits are
 * counted. Callers must not wait for anything but the database inside {@link #inTransaction} or {@link #read}: the number
 * of connections is the number of callers that get on.
 */
public final class Database implements AutoCloseable {
    private static final int MAX_TRIES = 5;
    private static final String DEADLOCK = "40001";

    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final LongAdder statements = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder deadlocks = new LongAdder();

    /** Work with a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T with(Handle handle);
    }

    /**
     * Opens the pool.
     *
     * @throws com.zaxxer.hikari.pool.HikariPool.PoolInitializationException when the server does not answer or refuses
     */
    public Database(DatabaseConfig config) {
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName("gelato");
        hikari.setJdbcUrl(config.url());
        hikari.setUsername(config.user());
        hikari.setPassword(config.password());
        hikari.setMaximumPoolSize(config.poolSize());
        hikari.setMinimumIdle(Math.min(2, config.poolSize()));
        hikari.setConnectionTimeout(config.connectionTimeout().toMillis());
        hikari.setAutoCommit(false);
        hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        hikari.addDataSourceProperty("connectionTimeZone", "UTC");
        hikari.addDataSourceProperty("forceConnectionTimeZoneToSession", "true");
        hikari.addDataSourceProperty("rewriteBatchedStatements", "true");
        hikari.addDataSourceProperty("useServerPrepStmts", "false");
        hikari.addDataSourceProperty("useLocalSessionState", "true");
        hikari.addDataSourceProperty("cacheServerConfiguration", "true");
        hikari.addDataSourceProperty("elideSetAutoCommits", "true");
        hikari.addDataSourceProperty("connectTimeout", "5000");
        hikari.addDataSourceProperty("socketTimeout", "60000");
        pool = new HikariDataSource(hikari);
        jdbi = Jdbi.create(pool);
        jdbi.setSqlLogger(new SqlLogger() {
            @Override
            public void logBeforeExecution(StatementContext context) {
                statements.increment();
            }
        });
    }

    /** Brings the schema up to date; safe when several nodes start at once. */
    public void migrate() {
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:db/migration")
                .load()
                .migrate();
    }

    /**
     * Runs work in one transaction: commits at the end, rolls back on any exception. When the server chose it as the
     * victim of a deadlock it is run again, so work must not have effects outside the database.
     */
    public <T> T inTransaction(Work<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                T result = jdbi.inTransaction(work::with);
                commits.increment();
                return result;
            } catch (JdbiException e) {
                if (tries >= MAX_TRIES || !isDeadlock(e)) {
                    throw e;
                }
                deadlocks.increment();
            }
        }
    }

    private static boolean isDeadlock(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql && DEADLOCK.equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** Runs reads that need no transaction of their own. */
    public <T> T read(Work<T> work) {
        return jdbi.withHandle(work::with);
    }

    /** Statements sent so far. */
    public long statements() {
        return statements.sum();
    }

    /** Transactions committed so far. */
    public long commits() {
        return commits.sum();
    }

    /** Transactions run again because of a deadlock. */
    public long deadlocks() {
        return deadlocks.sum();
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
