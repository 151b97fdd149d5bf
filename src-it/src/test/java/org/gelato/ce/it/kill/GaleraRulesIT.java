package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.gelato.ce.core.db.ClusterRules;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.database.DatabaseCluster;
import org.gelato.ce.testkit.database.GaleraCluster;
import org.gelato.ce.testkit.site.ScratchDirectory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Galera does differently by design, on three real nodes, and how each of it is met (docs/developer/decisions/0074). */
@Tag("long")
class GaleraRulesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static Path folder;
    private static GaleraCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        GaleraCluster.missing().ifPresent(why -> Skipped.because("Galera", why));
        folder = ScratchDirectory.make("gelato-rules-");
        cluster = GaleraCluster.start(folder);
        try (Database database = open(cluster.url(0, 1, 2))) {
            database.migrate();
            database.inTransaction(h -> h.execute("INSERT INTO account (name) VALUES ('row')"));
        }
    }

    @AfterAll
    static void end() {
        if (cluster != null) {
            cluster.close();
            ScratchDirectory.remove(folder);
        }
    }

    private static Database open(String url) {
        return new Database(new DatabaseConfig(url, DatabaseCluster.NAME, DatabaseCluster.PASSWORD, 4, PATIENCE));
    }

    private static Connection beside(int node) throws SQLException {
        return DriverManager.getConnection(cluster.url(node), DatabaseCluster.NAME, DatabaseCluster.PASSWORD);
    }

    private static int port(Database database) {
        return database.read(h -> h.select("SELECT @@port").mapTo(Integer.class).one());
    }

    private static int writer() {
        String server = cluster.sql(0, "SELECT server FROM gelato.database_writer");
        for (int i = 0; i < cluster.size(); i++) {
            if (server.equals("127.0.0.1:" + cluster.port(i))) {
                return i;
            }
        }
        throw new IllegalStateException("no node is called " + server);
    }

    @Test
    void allCesWriteToOneNodeInWhateverOrderTheyNameThem() {
        int writer = writer();
        try (Database first = open(cluster.url(0, 1, 2));
                Database second = open(cluster.url(2, 1, 0))) {
            assertThat(port(first)).isEqualTo(cluster.port(writer));
            assertThat(port(second)).isEqualTo(cluster.port(writer));
        }
    }

    @Test
    void aCeThatKnowsAnotherNodeAloneIsRefusedByName() {
        int other = (writer() + 1) % cluster.size();

        assertThatThrownBy(() -> Database.open(
                        new DatabaseConfig(
                                cluster.url(other), DatabaseCluster.NAME, DatabaseCluster.PASSWORD, 2, PATIENCE),
                        Duration.ofHours(1)))
                .isInstanceOf(PoolInitializationException.class)
                .hasMessageContaining("rule one-writer: node 127.0.0.1:" + cluster.port(other))
                .hasMessageContaining("gelato.database.url");
    }

    /** The lock by which the horizon of events is found stops the writers of one node alone: why there may be one. */
    @Test
    void aLockOfATableStopsNoWriterOfAnotherNode() throws SQLException {
        int writer = writer();
        try (Connection locks = beside(writer);
                Statement lock = locks.createStatement();
                Connection writes = beside((writer + 1) % cluster.size());
                Statement write = writes.createStatement()) {
            lock.execute("LOCK TABLES account READ");

            assertThat(write.executeUpdate("INSERT INTO account (name) VALUES ('elsewhere')"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aTransactionThatIsRefusedAtItsCommitRunsAgain() {
        int other = (writer() + 1) % cluster.size();
        AtomicInteger runs = new AtomicInteger();
        try (Database database = open(cluster.url(0, 1, 2))) {
            database.inTransaction(h -> {
                h.execute("UPDATE account SET name = CONCAT(name, '-ours') WHERE name LIKE 'row%'");
                if (runs.incrementAndGet() == 1) {
                    changeElsewhere(other);
                }
                return null;
            });
            // Once more for each time that the other node's change was not applied here yet.
            assertThat(runs).hasValueGreaterThan(1);
            assertThat(database.deadlocks()).isEqualTo(runs.get() - 1);
            String name = database.read(h -> h.select("SELECT name FROM account WHERE name LIKE 'row%'")
                    .mapTo(String.class)
                    .one());
            assertThat(name).isEqualTo("row-theirs-ours");
        }
    }

    private static void changeElsewhere(int node) {
        try (Connection connection = beside(node);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE account SET name = 'row-theirs' WHERE name LIKE 'row%'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void stepsBetweenIdsThatFollowTheNumberOfNodesAreRefusedByName() {
        int writer = writer();
        cluster.sql(writer, "SET GLOBAL wsrep_auto_increment_control = ON");
        try {
            assertThatThrownBy(() -> open(cluster.url(writer)).close())
                    .hasMessageContaining("rule auto-increment: wsrep_auto_increment_control is ON")
                    .hasMessageContaining("set wsrep_auto_increment_control=OFF");
        } finally {
            cluster.sql(
                    writer,
                    "SET GLOBAL wsrep_auto_increment_control = OFF; SET GLOBAL auto_increment_increment = 1;"
                            + " SET GLOBAL auto_increment_offset = 1");
        }
        try (Database database = open(cluster.url(writer))) {
            assertThat(ClusterRules.brokenBy(database)).isEmpty();
        }
    }

    /** A reader, as the check of the configuration is one, changes nothing. */
    @Test
    void whoOnlyReadsBecomesNoWriter() {
        String before = cluster.sql(0, "SELECT term FROM gelato.database_writer");
        try (Database reader = Database.reading(new DatabaseConfig(
                cluster.url(0, 1, 2), DatabaseCluster.NAME, DatabaseCluster.PASSWORD, 2, PATIENCE))) {
            assertThat(port(reader)).isEqualTo(cluster.port(writer()));
        }
        assertThat(cluster.sql(0, "SELECT term FROM gelato.database_writer")).isEqualTo(before);
    }

    /**
     * The writer stands still, is put out of the cluster, and goes on: a CE that was connected to it all the time must not write through
     * it beside the one that went on with another node.
     */
    @Test
    void aWriterThatComesBackIsLeftByThoseWhoWereConnectedToIt() throws Exception {
        int old = writer();
        int other = (old + 1) % cluster.size();
        try (Database stays = open(cluster.url(0, 1, 2))) {
            assertThat(port(stays)).isEqualTo(cluster.port(old));
            signal("STOP", cluster.process(old).pid());
            try {
                Awaitility.await("the others go on without it")
                        .ignoreExceptions()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> cluster.sql(
                                        other,
                                        "SELECT variable_value FROM information_schema.global_status"
                                                + " WHERE variable_name = 'wsrep_cluster_size'")
                                .equals("2"));
                try (Database goesOn = open(cluster.url(other, old, (old + 2) % cluster.size()))) {
                    assertThat(port(goesOn)).isEqualTo(cluster.port(other));
                    goesOn.inTransaction(h -> h.execute("INSERT INTO account (name) VALUES ('meanwhile')"));
                }
            } finally {
                signal("CONT", cluster.process(old).pid());
            }
            Awaitility.await("it is a member again, with what it missed")
                    .ignoreExceptions()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> cluster.isSynced(old)
                            && cluster.sql(old, "SELECT COUNT(*) FROM gelato.account WHERE name = 'meanwhile'")
                                    .equals("1"));

            assertThat(port(stays)).isEqualTo(cluster.port(other));
            long seen = stays.read(h -> h.select("SELECT COUNT(*) FROM account WHERE name = 'meanwhile'")
                    .mapTo(Long.class)
                    .one());
            assertThat(seen).isEqualTo(1);
        }
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("/bin/kill", "-" + name, Long.toString(pid)).start().waitFor();
    }
}
