package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** An upgrade of the schema while other nodes work with it. */
class OlderNodesTest {
    private static final long NO_PROCESS = 999_999_999L;

    private static void schema(TestDatabase database, int version) {
        InterruptedMigrationTest.flyway(database.database().dataSource(), Integer.toString(version))
                .migrate();
    }

    private static void start(TestDatabase database) {
        DataSource source = database.database().dataSource();
        new SchemaMigration(source, new OlderNodes(source, Clock.systemUTC(), "here", Duration.ZERO)).run();
    }

    private static void node(TestDatabase database, String host, long pid, Duration silent) {
        Instant began = ProcessHandle.current().info().startInstant().orElseThrow();
        database.database().inTransaction(h -> {
            h.execute("DELETE FROM node");
            return h.execute(
                    "INSERT INTO node (host, pid, started_at, heartbeat_at) VALUES (?, ?, ?, ?)",
                    host,
                    pid,
                    Timestamp.from(began),
                    Timestamp.from(Instant.now().minus(silent)));
        });
    }

    private static int version(TestDatabase database) {
        return database.database()
                .read(h -> h.select("SELECT MAX(CAST(version AS UNSIGNED)) FROM flyway_schema_history WHERE success")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void anUpgradeIsRefusedWhileAnOlderNodeWorksThatWouldNotKnowTheNewSchema() {
        try (TestDatabase database = TestDatabase.empty()) {
            schema(database, 28);
            long own = ProcessHandle.current().pid();
            node(database, "there", NO_PROCESS, Duration.ZERO);
            assertThatThrownBy(() -> start(database))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("from version 28 to ", "there (process 999999999, ", "stop the CE there");
            node(database, "here", own, Duration.ZERO);
            assertThatThrownBy(() -> start(database)).hasMessageContaining("here (process " + own);
            assertThat(version(database)).isEqualTo(28);

            node(database, "here", NO_PROCESS, Duration.ZERO);
            start(database);
            assertThat(version(database)).isGreaterThan(28);
        }
    }

    /** Whose start another time is shown of then. */
    @Test
    void aNodeOfThisHostMayLiveWhenTheClockWasSetSinceItBegan() {
        try (TestDatabase database = TestDatabase.empty()) {
            schema(database, 28);
            node(database, "here", 1, Duration.ZERO);
            assertThatThrownBy(() -> start(database)).hasMessageContaining("here (process 1, ");
        }
    }

    @Test
    void aNodeThatIsSilentForLongIsNotWaitedFor() {
        try (TestDatabase database = TestDatabase.empty()) {
            schema(database, 28);
            node(database, "there", NO_PROCESS, OlderNodes.SILENT.plusSeconds(1));
            start(database);
            assertThat(version(database)).isGreaterThan(28);
        }
    }

    @Test
    void anOlderNodeWorksOnBesideAVersionThatOnlyAddsAndNoOther() {
        try (TestDatabase database = TestDatabase.empty()) {
            assertThat(SchemaScripts.areBesideOlder(30, 36)).isTrue();
            schema(database, 36);
            node(database, "there", NO_PROCESS, Duration.ZERO);
            assertThatThrownBy(() -> start(database)).hasMessageContaining("from version 36 to ");
        }
    }
}
