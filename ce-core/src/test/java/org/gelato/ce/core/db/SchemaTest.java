package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

class SchemaTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @Test
    void appliesAndASecondMigrationChangesNothing() {
        int before = migrations();

        DB.database().migrate();

        assertThat(before).isPositive();
        assertThat(migrations()).isEqualTo(before);
        assertThat(count("db_info")).isEqualTo(1);
        assertThat(count("admission_state")).isEqualTo(1);
    }

    @Test
    void aSchemaThatIsUpToDateIsKnownWithoutItsHistory() {
        try (TestDatabase own = TestDatabase.open()) {
            own.database().inTransaction(h -> h.execute("UPDATE flyway_schema_history SET checksum = checksum + 1"));

            own.database().migrate();
            own.database().inTransaction(h -> h.execute("UPDATE schema_made SET fingerprint = 'of another CE'"));

            for (int start = 0; start < 2; start++) {
                assertThatThrownBy(() -> own.database().migrate())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll(
                                "made by other scripts",
                                "version 1 (V1__schema.sql, checksum ",
                                "start the software that made it")
                        .hasMessageNotContaining("red-gate");
            }
            assertThat(count(own, "schema_made")).isZero();
        }
    }

    /** And the thread has the name, also for other processes, by which the unit's start waits. */
    @Test
    void anUpgradeSaysWhatItDoesAndWhatIsLeft() throws InterruptedException {
        List<String> said = Collections.synchronizedList(new ArrayList<>());
        AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                try {
                    said.add(Files.readString(Path.of("/proc/thread-self/comm")).strip() + ": "
                            + event.getFormattedMessage().replaceFirst("took [0-9.]+", "took n"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(SchemaMigration.class);
        try (TestDatabase own = TestDatabase.empty()) {
            InterruptedMigrationTest.flyway(own.database().dataSource(), "38").migrate();
            logger.setLevel(Level.INFO);
            logger.addAppender(log);
            // The native name of JUnit's own thread is not Java's.
            Thread start = new Thread(() -> own.database().migrate());
            start.start();
            start.join();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
        int steps = said.size() / 2;
        assertThat(said)
                .hasSizeGreaterThan(2)
                .startsWith(
                        "schema-upgrade: The schema goes from version 38 to "
                                + SchemaScripts.newest().orElseThrow() + " in " + steps + " steps",
                        "schema-upgrade: Version 39 of the schema: columns of the series",
                        "schema-upgrade: Version 39 of the schema took n s, steps left: " + (steps - 1))
                .last()
                .asString()
                .endsWith("took n s, steps left: 0");
    }

    /** A script that was applied anywhere is never edited: what it is to do otherwise is a script of its own. */
    @Test
    void everyScriptHasItsFirstText() throws IOException {
        List<String> texts = DB.database()
                .read(h -> h.createQuery("SELECT CONCAT(script, ' ', checksum) FROM flyway_schema_history"
                                + " WHERE type = 'SQL' ORDER BY CAST(version AS UNSIGNED)")
                        .mapTo(String.class)
                        .list());

        assertThat(texts)
                .as("add a line for a new script to first-texts; never change one")
                .isEqualTo(firstTexts());
    }

    @Test
    void namesEveryJobStateWithItsCode() {
        Map<Integer, String> expected = new TreeMap<>();
        Arrays.stream(JobState.values()).forEach(s -> expected.put(s.code(), s.wireName() + " " + s.isFinal()));

        Map<Integer, String> stored = new TreeMap<>();
        DB.database()
                .read(h -> h.createQuery("SELECT code, name, is_final FROM job_state")
                        .map((row, context) -> stored.put(
                                row.getInt("code"), row.getString("name") + " " + row.getBoolean("is_final")))
                        .list());

        assertThat(stored).isEqualTo(expected);
    }

    @Test
    void runsTransactionsAtReadCommittedInUtc() {
        // The variable was tx_isolation before MariaDB 11.1 and is transaction_isolation on MySQL.
        String isolation = DB.database()
                .read(h -> h.createQuery(
                                "SHOW VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation')")
                        .map((row, context) -> row.getString("Value"))
                        .first());
        int secondsFromUtc = DB.database()
                .read(h -> h.createQuery("SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW())")
                        .mapTo(Integer.class)
                        .one());

        assertThat(isolation).isEqualTo("READ-COMMITTED");
        assertThat(secondsFromUtc).isZero();
    }

    /** Without one a cluster replicates changes of a table by whole rows, and Galera does not certify its deletes. */
    @Test
    void everyTableHasAPrimaryKey() {
        List<String> without = DB.database()
                .read(h -> h.createQuery("SELECT t.table_name FROM information_schema.tables t"
                                + " LEFT JOIN information_schema.table_constraints c ON c.table_schema = t.table_schema"
                                + " AND c.table_name = t.table_name AND c.constraint_type = 'PRIMARY KEY'"
                                + " WHERE t.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'"
                                + " AND c.constraint_name IS NULL")
                        .mapTo(String.class)
                        .list());

        assertThat(without).isEmpty();
    }

    private static List<String> firstTexts() throws IOException {
        try (InputStream in = SchemaTest.class.getResourceAsStream("/db/first-texts")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static int migrations() {
        return count("flyway_schema_history");
    }

    private static int count(String table) {
        return count(DB, table);
    }

    private static int count(TestDatabase database, String table) {
        return database.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM " + table)
                        .mapTo(Integer.class)
                        .one());
    }
}
