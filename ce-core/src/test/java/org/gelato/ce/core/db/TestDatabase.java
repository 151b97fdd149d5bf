package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.embedded.TestServer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A migrated database of its own for a test class, on a server that all classes of the JVM share:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TestDatabase DB = new TestDatabase();
 * }</pre>
 *
 * and then {@code DB.database()} in the tests. {@link #config()} opens further pools on the same schema, as another node
 * would. Without JUnit: {@link #open()} and {@link #close()}.
 */
public final class TestDatabase implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int POOL_SIZE = 10;
    private static SchemaCopy migrated;

    private String schema;
    private Database database;

    /** Makes and opens a fresh schema at once. */
    public static TestDatabase open() {
        TestDatabase fresh = empty();
        fresh.fill();
        return fresh;
    }

    /** Makes and opens a fresh schema without tables. */
    static TestDatabase empty() {
        TestDatabase fresh = new TestDatabase();
        fresh.create();
        return fresh;
    }

    private void create() {
        schema = "gelato_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
        administer("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
        database = new Database(config());
    }

    private static void administer(String sql) {
        try (Connection administrator = connect(TestServer.get().administrator());
                Statement statement = administrator.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static Connection connect(DatabaseConfig config) throws SQLException {
        return DriverManager.getConnection(config.url(), config.user(), config.password());
    }

    /** The first of a JVM by the migrations, the others as that one came out; then there is nothing left for them to do. */
    private void fill() {
        synchronized (COUNT) {
            try (Connection connection = connect(config())) {
                if (migrated == null) {
                    database.migrate();
                    migrated = SchemaCopy.of(connection);
                } else {
                    migrated.into(connection);
                    database.migrate();
                }
            } catch (SQLException e) {
                throw new IllegalStateException("the schema cannot be copied", e);
            }
        }
    }

    /** The pool of this class, with the schema up to date. */
    public Database database() {
        if (database == null) {
            throw new IllegalStateException("no database yet: register TestDatabase as a static extension");
        }
        return database;
    }

    /** How to open another pool on the same schema. */
    public DatabaseConfig config() {
        return TestServer.get().schema(schema, POOL_SIZE);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        create();
        fill();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        if (database != null) {
            database.close();
            database = null;
            administer("DROP DATABASE " + schema);
        }
    }
}
