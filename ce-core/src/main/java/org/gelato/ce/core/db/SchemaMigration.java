package org.gelato.ce.core.db;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.gelato.ce.core.fault.Manual;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema up to date, from wherever an earlier start was ended. No server rolls back a change of tables, so a version
 * that was begun and is not recorded as done has had some of its statements: it is done anew, and what the server refuses as
 * there already, or gone already, has been done. Each statement is whole or not at all, so the rest of a version
 * continues as if nothing had happened, as long as its other statements may be repeated. In a version that was not begun
 * such a refusal is an error.
 *
 * <p>A schema that is up to date is known by one read: what it was made by last is kept in it, from the end of a migration to the
 * beginning of the next.
 */
final class SchemaMigration {
    /** Table, column, index or row is there; column or index is not there to be dropped; foreign key is there. */
    private static final Set<Integer> DONE_BEFORE = Set.of(1050, 1060, 1061, 1062, 1091, 1826);

    /** Rights on schema, table or column, or of the server. */
    private static final Set<Integer> MISSING_RIGHTS = Set.of(1044, 1142, 1143, 1227);

    private static final Set<Integer> NO_ROOM = Set.of(3, 1021, 1026, 1114);

    /** Name of the thread meanwhile: by it the script wait-ready of the packages knows that a start is at work. At most 15 characters. */
    static final String THREAD = "schema-upgrade";

    private static final Logger log = LoggerFactory.getLogger(SchemaMigration.class);

    private final DataSource source;
    private final OlderNodes older;
    private int left;
    private String step;
    private boolean again;
    private boolean notOurs;

    SchemaMigration(DataSource source, OlderNodes older) {
        this.source = source;
        this.older = older;
    }

    /**
     * Safe when several nodes start at once: Flyway has one of them at work.
     *
     * @throws IllegalStateException when the schema is newer, was made by other scripts, or older software works with it, and no table was
     *     changed; or when the server refuses
     */
    void run() {
        Optional<String> ours = SchemaScripts.fingerprint();
        Optional<String> made = madeBy();
        if (ours.isPresent() && ours.equals(made)) {
            return;
        }
        long recorded = checkOthers();
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        thread.setName(THREAD);
        try {
            if (made.isPresent()) {
                execute("DELETE FROM schema_made");
            }
            migrate(recorded);
            if (ours.isPresent()) {
                execute("CREATE TABLE IF NOT EXISTS schema_made"
                        + " (id TINYINT UNSIGNED PRIMARY KEY, fingerprint CHAR(64) NOT NULL) ENGINE = InnoDB");
                execute("REPLACE INTO schema_made VALUES (1, '" + ours.get() + "')");
            }
        } catch (FlywayException e) {
            throw refusal(e);
        } finally {
            thread.setName(name);
        }
    }

    /** What the server refuses, in a sentence; what is no refusal of it stays as it is. */
    private RuntimeException refusal(FlywayException e) {
        SQLException refused = Database.sql(e).orElse(null);
        if (e.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE) {
            return new IllegalStateException(
                    "the database's schema has tables that this software did not make: give it a schema of its own ("
                            + Manual.page("docs/admin/databases.md") + ")",
                    e);
        }
        if (refused == null) {
            return e;
        }
        String advice = "mend that, and start again";
        if (MISSING_RIGHTS.contains(refused.getErrorCode())) {
            advice = "give gelato.database.user all rights of that page, and start again";
        } else if (NO_ROOM.contains(refused.getErrorCode())) {
            advice = "make room on the server's disk, and start again";
        } else if (notOurs) {
            advice = "others changed the schema: restore the backup of before the upgrade";
        }
        String text = String.valueOf(refused.getMessage()).strip().replaceAll("\\s+", " ");
        return new IllegalStateException(
                "the database refuses the change of its schema" + (step == null ? "" : " to version " + step) + ": "
                        + text + " (" + Manual.page("docs/admin/databases.md") + "): " + advice,
                e);
    }

    /**
     * Flyway itself works on with a schema of a later version, of which this software knows nothing, and changes one below
     * software that does not know the new one.
     *
     * @return the version recorded; 0 for an empty schema
     */
    private long checkOthers() {
        OptionalInt newest = SchemaScripts.newest();
        long recorded = 0;
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT MAX(CAST(version AS UNSIGNED)) FROM flyway_schema_history WHERE success")) {
            recorded = row.next() ? row.getLong(1) : 0;
        } catch (SQLException e) {
            log.debug("no schema yet: {}", e.getMessage());
        }
        if (newest.isPresent() && recorded > newest.getAsInt()) {
            throw new IllegalStateException("the database's schema has version " + recorded
                    + ", and this software knows " + newest.getAsInt()
                    + " at most: install the newer software again, or restore the backup that was made before the upgrade"
                    + " (" + Manual.page("docs/admin/upgrade.md") + ")");
        }
        if (recorded > 0 && newest.isPresent() && !SchemaScripts.areBesideOlder(recorded, newest.getAsInt())) {
            older.awaitEnd(recorded, newest.getAsInt());
        }
        return recorded;
    }

    /** What the schema was made by; empty also while it is being made, and when it cannot be read: Flyway reports why. */
    private Optional<String> madeBy() {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT fingerprint FROM schema_made WHERE id = 1")) {
            return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
        } catch (SQLException e) {
            log.debug("no schema that is known to be up to date: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private void migrate(long recorded) {
        Flyway flyway = flyway(false);
        if (Stream.of(flyway.info().all()).anyMatch(m -> m.getState().isFailed())) {
            // Flyway records a version that failed, a full disk perhaps, and would then wait for an administrator.
            execute("DELETE FROM flyway_schema_history WHERE NOT success");
        }
        if (recorded > 0) {
            new FormerScripts(source, DONE_BEFORE).accept(flyway);
        }
        List<MigrationInfo> missing =
                Stream.of(flyway.info().all()).filter(m -> !m.isApplied()).toList();
        left = missing.size();
        if (left > 0) {
            log.info(
                    "The schema goes from version {} to {} in {} steps",
                    recorded,
                    missing.get(left - 1).getVersion(),
                    left);
        }
        // Builds had versions 20, 27 and 37 before 17, 19, 24, 26 and 36, which change other tables.
        boolean outOfOrder = missing.stream().anyMatch(m -> m.getState() == MigrationState.IGNORED);
        migrate(outOfOrder ? flyway(true) : flyway);
    }

    private Flyway flyway(boolean outOfOrder) {
        return Flyway.configure()
                .dataSource(watched(DataSource.class, source))
                .locations("classpath:" + SchemaScripts.DIRECTORY)
                .callbacks(new Steps())
                .outOfOrder(outOfOrder)
                .load();
    }

    /** An object in the way of a version that was not begun belongs to others, and stays so for the next start. */
    private void migrate(Flyway flyway) {
        try {
            flyway.migrate();
        } catch (FlywayValidateException e) {
            throw new IllegalStateException(FormerScripts.difference(flyway), e);
        } catch (FlywayException e) {
            if (notOurs) {
                execute("DELETE FROM schema_begun WHERE version NOT IN"
                        + " (SELECT version FROM flyway_schema_history WHERE success AND version IS NOT NULL)");
            }
            throw e;
        }
    }

    private void execute(String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw new FlywayException("The notes of the schema's versions could not be changed", e);
        }
    }

    private <T> T watched(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                SchemaMigration.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments)));
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            Object result = method.invoke(target, arguments);
            return switch (method.getName()) {
                case "getConnection" -> watched(Connection.class, result);
                case "createStatement" -> watched(Statement.class, result);
                default -> result;
            };
        } catch (InvocationTargetException e) {
            if (method.getName().equals("execute")
                    && e.getCause() instanceof SQLException refusal
                    && DONE_BEFORE.contains(refusal.getErrorCode())) {
                notOurs = !again;
                if (notOurs) {
                    throw refusal;
                }
                log.info("Done by the start before: {}", refusal.getMessage());
                return false;
            }
            throw e.getCause();
        }
    }

    /** Notes which version is begun, before anything of it is done, and logs how far it is: an index of a large table takes long. */
    private final class Steps extends BaseCallback {
        private long began;

        @Override
        public boolean supports(Event event, Context context) {
            return event == Event.BEFORE_EACH_MIGRATE || event == Event.AFTER_EACH_MIGRATE;
        }

        @Override
        public void handle(Event event, Context context) {
            String version = context.getMigrationInfo().getVersion().getVersion();
            if (event == Event.AFTER_EACH_MIGRATE) {
                Duration time = Duration.ofNanos(System.nanoTime() - began);
                log.info(
                        "Version {} of the schema took {} s, steps left: {}",
                        version,
                        time.toMillis() / 1000.0,
                        --left);
                return;
            }
            began = System.nanoTime();
            step = version;
            log.info(
                    "Version {} of the schema: {}",
                    version,
                    context.getMigrationInfo().getDescription());
            try {
                again = !begin(context.getConnection(), version);
            } catch (SQLException e) {
                throw new FlywayException("Version " + version + " of the schema could not be begun", e);
            }
            if (again) {
                log.warn("Version {} of the schema was begun by an earlier start and is completed now", version);
            }
        }

        /** False when it was begun before. */
        private boolean begin(Connection connection, String version) throws SQLException {
            try (Statement make = connection.createStatement()) {
                make.executeUpdate(
                        "CREATE TABLE IF NOT EXISTS schema_begun (version VARCHAR(50) PRIMARY KEY) ENGINE = InnoDB");
            }
            try (PreparedStatement note = connection.prepareStatement("INSERT IGNORE INTO schema_begun VALUES (?)")) {
                note.setString(1, version);
                boolean first = note.executeUpdate() == 1;
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
                return first;
            }
        }
    }
}
