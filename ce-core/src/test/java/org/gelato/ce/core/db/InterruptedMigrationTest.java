package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.mysql.cj.jdbc.MysqlDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** A start that ends after any statement of any version: the next one completes the schema. */
class InterruptedMigrationTest {
    /** Statements of the versions, or a few less. */
    private static final int ALL = 40;

    private static final int MORE_THAN_ALL = 500;

    private static final Logger FLYWAY = (Logger) LoggerFactory.getLogger("org.flywaydb");

    @RegisterExtension
    static final TestDatabase WHOLE = new TestDatabase();

    /** It logs much for each of a hundred ends. */
    @BeforeAll
    static void quiet() {
        FLYWAY.setLevel(Level.OFF);
    }

    @AfterAll
    static void usual() {
        FLYWAY.setLevel(null);
    }

    /** Ends after each statement at which it has not ended before; when killed, no connection sends anything more. */
    private static final class Ending {
        private final DataSource source;
        private final boolean killed;
        private final Set<String> done = new HashSet<>();
        private final List<Connection> open = new ArrayList<>();
        private boolean dead;

        Ending(TestDatabase database, boolean killed) {
            MysqlDataSource plain = new MysqlDataSource();
            plain.setUrl(database.config().url());
            plain.setUser(database.config().user());
            plain.setPassword(database.config().password());
            this.source = plain;
            this.killed = killed;
        }

        DataSource source() {
            return watched(DataSource.class, source);
        }

        private <T> T watched(Class<T> type, Object target) {
            return type.cast(Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {type}, (proxy, m, a) -> call(target, m, a)));
        }

        private Object call(Object target, Method method, Object[] arguments) throws Throwable {
            if (dead && method.getReturnType() == void.class) {
                return null;
            }
            if (dead) {
                throw new SQLException("killed");
            }
            Object result;
            try {
                result = method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            switch (method.getName()) {
                case "getConnection" -> {
                    open.add((Connection) result);
                    return watched(Connection.class, result);
                }
                case "createStatement" -> {
                    return watched(Statement.class, result);
                }
                case "execute" -> end((String) arguments[0]);
                default -> {}
            }
            return result;
        }

        private void end(String statement) throws SQLException {
            if (done.add(statement)) {
                dead = killed;
                throw new SQLException("the end after " + statement);
            }
        }

        /** Migrates as another process does. */
        void again() throws SQLException {
            dead = false;
            for (Connection connection : open) {
                connection.abort(Runnable::run);
            }
            open.clear();
        }
    }

    @Test
    void theNextStartGoesOnAfterAKill() throws Exception {
        theNextStartGoesOn(true);
    }

    @Test
    @Tag("long")
    void theNextStartGoesOnAfterAFailure() throws Exception {
        theNextStartGoesOn(false);
    }

    private static void theNextStartGoesOn(boolean killed) throws Exception {
        try (TestDatabase database = TestDatabase.empty()) {
            Ending ending = new Ending(database, killed);
            int starts = 1;
            while (!migrated(ending)) {
                assertThat(++starts).isLessThan(MORE_THAN_ALL);
                ending.again();
            }
            assertThat(starts).isGreaterThan(ALL);
            assertThat(schema(database)).isEqualTo(schema(WHOLE));
            database.database().migrate();
        }
    }

    @Test
    void whatSomebodyElseMadeIsNotTakenForOurs() {
        try (TestDatabase database = TestDatabase.empty()) {
            DataSource source = database.database().dataSource();
            database.database().inTransaction(h -> h.execute("CREATE TABLE lease (theirs INT)"));
            assertThatThrownBy(() -> migration(source).run())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("give it a schema of its own");
            assertThat(columns(database)).containsExactly("lease.theirs");
        }
    }

    /** Neither at once nor by starting again. */
    @Test
    void whatStandsInTheWayOfAVersionIsNotTakenForOurs() {
        try (TestDatabase database = TestDatabase.empty()) {
            DataSource source = database.database().dataSource();
            flyway(source, "8").migrate();
            database.database().inTransaction(h -> h.execute("ALTER TABLE job ADD KEY job_of_lease (exit_code)"));
            for (int start = 0; start < 3; start++) {
                assertThatThrownBy(() -> migration(source).run())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("to version 9: ", "others changed the schema: restore");
            }
        }
    }

    /** @param newest version that it makes */
    static Flyway flyway(DataSource source, String newest) {
        return Flyway.configure()
                .dataSource(source)
                .locations("classpath:" + SchemaScripts.DIRECTORY)
                .target(newest)
                .load();
    }

    static SchemaMigration migration(DataSource source) {
        return new SchemaMigration(source, new OlderNodes(source, Clock.systemUTC(), "", Duration.ZERO));
    }

    private static boolean migrated(Ending ending) {
        try {
            migration(ending.source()).run();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static List<String> columns(TestDatabase database) {
        return rows(
                database,
                "SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns"
                        + " WHERE table_schema = DATABASE() ORDER BY 1");
    }

    /** Tables, indexes, rows and history, of which two alike are of the same schema. */
    static List<String> schema(TestDatabase database) {
        List<String> all = new ArrayList<>();
        String ours = " WHERE table_schema = DATABASE() AND table_name <> 'flyway_schema_history' ORDER BY 1";
        all.addAll(rows(
                database,
                "SELECT CONCAT_WS(' ', table_name, ordinal_position, column_name, column_type, is_nullable,"
                        + " column_default, extra) FROM information_schema.columns" + ours));
        all.addAll(rows(
                database,
                "SELECT CONCAT_WS(' ', table_name, index_name, seq_in_index, column_name, non_unique)"
                        + " FROM information_schema.statistics" + ours));
        all.addAll(rows(
                database,
                "SELECT CONCAT_WS(' ', table_name, constraint_name, column_name, referenced_table_name,"
                        + " referenced_column_name) FROM information_schema.key_column_usage" + ours));
        for (String table : List.of("job_state", "command_kind", "command_state", "admission_state", "db_info")) {
            all.addAll(rows(database, "SELECT CONCAT('" + table + " ', COUNT(*)) FROM " + table));
        }
        all.addAll(rows(database, "SELECT fingerprint FROM schema_made"));
        all.addAll(rows(
                database,
                "SELECT CONCAT_WS(' ', version, script, description, checksum, success) FROM flyway_schema_history"
                        + " WHERE version IS NOT NULL ORDER BY installed_rank"));
        return all;
    }

    private static List<String> rows(TestDatabase database, String sql) {
        return database.database()
                .read(h -> h.createQuery(sql).mapTo(String.class).list());
    }
}
