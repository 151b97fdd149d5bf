package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.database.DatabaseCluster;
import org.gelato.ce.testkit.database.ReplicatedServers;
import org.gelato.ce.testkit.site.ScratchDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which of a source and its replica is written to, and which mistakes of operators are refused by name. */
@Tag("long")
class ReplicaRulesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private Path folder;
    private ReplicatedServers pair;

    @BeforeEach
    void start() throws IOException {
        ReplicatedServers.missing().ifPresent(why -> Skipped.because("Replica", why));
        folder = ScratchDirectory.make("gelato-pair-");
        pair = ReplicatedServers.start(folder);
        try (Database database = open(0, 1)) {
            database.migrate();
        }
        try (Database database = open(0, 1)) {
            assertThat(port(database)).isEqualTo(pair.port(0));
        }
    }

    @AfterEach
    void end() {
        if (pair != null) {
            pair.close();
            ScratchDirectory.remove(folder);
        }
    }

    private Database open(int... servers) {
        return new Database(
                new DatabaseConfig(pair.url(servers), DatabaseCluster.NAME, DatabaseCluster.PASSWORD, 2, PATIENCE));
    }

    private static int port(Database database) {
        return database.read(h -> h.select("SELECT @@port").mapTo(Integer.class).one());
    }

    @Test
    void theSourceIsFoundAndMistakesAreRefusedByName() {
        try (Database database = open(1, 0)) {
            assertThat(port(database)).as("not the read-only one").isEqualTo(pair.port(0));
        }
        pair.sql(1, "SET GLOBAL rpl_semi_sync_master_enabled = ON; SET GLOBAL read_only = OFF");
        try (Database database = open(1, 0)) {
            assertThat(port(database)).as("the one through which others write").isEqualTo(pair.port(0));
        }
        // As a source it would wait for a replica of its own before it applies this.
        pair.sql(1, "SET GLOBAL rpl_semi_sync_master_enabled = OFF");
        pair.sql(0, "UPDATE gelato.database_writer SET server = 'server_id 7'");
        pair.await(1, "SELECT server FROM gelato.database_writer", "server_id 7");
        pair.sql(1, "SET GLOBAL rpl_semi_sync_master_enabled = ON");
        assertThatThrownBy(() -> open(1, 0).close())
                .hasMessageContaining("rule one-source: 127.0.0.1:" + pair.port(1) + " and 127.0.0.1:" + pair.port(0));
        pair.sql(1, "SET GLOBAL read_only = ON; SET GLOBAL rpl_semi_sync_master_enabled = OFF");
        pair.sql(0, "SET GLOBAL rpl_semi_sync_master_enabled = OFF");
        assertThatThrownBy(() -> open(0, 1).close())
                .hasMessageContaining("rule semi-sync: rpl_semi_sync_master_enabled is OFF");
    }

    @Test
    void aSourceThatComesBackIsNotWrittenTo() {
        try (Database database = open(0, 1)) {
            pair.kill(0);
            pair.promote();
            pair.restart(0);
            Awaitility.await("the promoted one is written to")
                    .ignoreExceptions()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> port(database) == pair.port(1));
            pair.kill(0);
            pair.kill(1);
            pair.restartAsSource(0);
            pair.sql(0, "SET sql_log_bin = 0; UPDATE gelato.database_writer SET server = 'server_id 1', term = 1");

            Awaitility.await("connections to the lost one are gone, and the old one is refused")
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThatThrownBy(() -> port(database))
                            .hasStackTraceContaining("rule old-source: server server_id 1 has not the changes"));
        }
    }
}
