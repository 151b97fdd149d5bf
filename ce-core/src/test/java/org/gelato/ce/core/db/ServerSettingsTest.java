package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.gelato.ce.core.db.embedded.TestServer;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers whose site left them otherwise than the page says. */
class ServerSettingsTest {
    private static final Caller ALICE = TestCe.caller("Alice");
    private static final String NAME = "Grüße, 日本 🍨";

    @RegisterExtension
    static final TestDatabase USUAL = new TestDatabase();

    private static void administer(String sql) {
        try (Database administrator = new Database(TestServer.get().administrator())) {
            administrator.inTransaction(handle -> handle.execute(sql));
        }
    }

    private static String global(String variable) {
        return USUAL.database()
                .read(h -> h.select("SELECT @@GLOBAL." + variable)
                        .mapTo(String.class)
                        .one());
    }

    private static List<String> charsets(Database database) {
        return database.read(h -> h.createQuery("SELECT CONCAT_WS(' ', table_name, column_name, character_set_name,"
                        + " collation_name) FROM information_schema.columns WHERE table_schema = DATABASE()"
                        + " AND character_set_name IS NOT NULL AND table_name NOT LIKE 'schema\\_%'"
                        + " AND table_name <> 'flyway_schema_history' ORDER BY 1")
                .mapTo(String.class)
                .list());
    }

    private static List<RegisterResult> register(TestCe ce, List<String> texts) {
        return ce.jobs
                .registration()
                .register(
                        ALICE,
                        texts.stream()
                                .map(jdl -> new JobDescription("ref", Jdl.LANGUAGE, jdl, "d1", null, null, true))
                                .toList(),
                        null);
    }

    @Test
    void jobsRunWithAnotherCharsetAnotherZoneAndSmallPackets() {
        String zone = global("time_zone");
        String packet = global("max_allowed_packet");
        // Before the first connection: the driver keeps what the server said to it.
        administer("SET GLOBAL time_zone = '+05:00', GLOBAL max_allowed_packet = 1048576");
        try (TestDatabase empty = TestDatabase.empty()) {
            String schema = empty.database()
                    .read(h -> h.select("SELECT DATABASE()").mapTo(String.class).one());
            administer("ALTER DATABASE " + schema + " CHARACTER SET latin1 COLLATE latin1_swedish_ci");
            try (Database database = new Database(empty.config())) {
                database.migrate();
                assertThat(charsets(database)).isEqualTo(charsets(USUAL.database()));
                try (TestCe ce = new TestCe(database, new FakeLrms(), "h1").start()) {
                    String jdl = TestCe.JDL.replaceFirst("]\\s*$", "; JobName = \"" + NAME + "\"]");
                    JobId id = register(ce, List.of(jdl)).get(0).id();
                    await().until(() -> ce.state(ALICE, id) == JobState.IDLE);
                    assertThat(database.<Instant>read(h -> h.select("SELECT registered_at FROM job")
                                    .mapTo(Timestamp.class)
                                    .one()
                                    .toInstant()))
                            .isBetween(
                                    Instant.now().minus(Duration.ofHours(1)),
                                    Instant.now().plusSeconds(60));
                    assertThat(database.<String>read(h -> h.select("SELECT jdl FROM job_text")
                                    .mapTo(String.class)
                                    .one()))
                            .contains(NAME);
                    String longer = jdl.replaceFirst("]$", "; Arguments = \"" + "x".repeat(200_000) + "\"]");
                    assertThat(register(ce, Collections.nCopies(20, longer)))
                            .extracting(RegisterResult::fault)
                            .containsOnlyNulls();
                }
            }
        } finally {
            administer("SET GLOBAL time_zone = '" + zone + "', GLOBAL max_allowed_packet = " + packet);
        }
    }

    /** The steps of the page: connections that are open stay, and new ones have either password until the old one is taken away. */
    @Test
    void thePasswordIsChangedWhileTheCeWorks() {
        boolean mariaDb = USUAL.database()
                .read(h -> h.select("SELECT VERSION()").mapTo(String.class).one())
                .contains("MariaDB");
        String user = "'gelato_rotated'@'%'";
        String schema = USUAL.database()
                .read(h -> h.select("SELECT DATABASE()").mapTo(String.class).one());
        administer("CREATE USER " + user + " IDENTIFIED BY 'Old-4711-pass'");
        try {
            administer("GRANT SELECT ON " + schema + ".* TO " + user);
            try (Database before = reading("Old-4711-pass")) {
                administer("ALTER USER " + user
                        + (mariaDb
                                ? " IDENTIFIED VIA mysql_native_password USING PASSWORD('Old-4711-pass')"
                                        + " OR mysql_native_password USING PASSWORD('New-4711-pass')"
                                : " IDENTIFIED BY 'New-4711-pass' RETAIN CURRENT PASSWORD"));
                reading("Old-4711-pass").close();
                try (Database after = reading("New-4711-pass")) {
                    administer("ALTER USER " + user
                            + (mariaDb ? " IDENTIFIED BY 'New-4711-pass'" : " DISCARD OLD PASSWORD"));
                    after.ping();
                }
                reading("New-4711-pass").close();
                assertThatThrownBy(() -> reading("Old-4711-pass")).hasMessageContaining("Access denied");
                before.ping();
            }
        } finally {
            administer("DROP USER " + user);
        }
    }

    private static Database reading(String password) {
        return Database.reading(
                new DatabaseConfig(USUAL.config().url(), "gelato_rotated", password, 1, Duration.ofSeconds(30)));
    }
}
