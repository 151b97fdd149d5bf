package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.command.RestoredDatabase;
import org.gelato.ce.core.db.embedded.TestServer;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.event.EventQuery;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.Test;

/** The rights that the page lists suffice from the empty schema to a job, its events and a restored backup. */
class ExactRightsTest {
    private static final Caller ALICE = TestCe.caller("Alice");
    private static final String USER = "gelato_rights";
    private static final String PASSWORD = "Rights-4711-exact";

    @Test
    void theRightsOfThePageSufficeForSchemaJobsEventsAndRestore() throws IOException {
        try (TestDatabase db = TestDatabase.empty()) {
            String schema = db.database()
                    .read(h -> h.select("SELECT DATABASE()").mapTo(String.class).one());
            grant(schema, rightsOfThePage());
            DatabaseConfig all = db.config();
            try (Database own =
                    new Database(new DatabaseConfig(all.url(), USER, PASSWORD, 10, Duration.ofSeconds(30)))) {
                own.migrate();
                assertThat(DatabaseInspection.of(own, Clock.systemUTC()).missingRights())
                        .isEmpty();
                new RestoredDatabase(own, Clock.systemUTC(), "h1").prepare();
                try (TestCe ce = new TestCe(own, new FakeLrms(), "h1").start()) {
                    JobId id = ce.submit(ALICE);
                    await().until(() -> ce.state(ALICE, id) == JobState.IDLE);
                    EventQueries events = new EventQueries(own, new OwnerStore(own), ce.numbers);
                    assertThat(events.query(ALICE, new EventQuery(0, Long.MAX_VALUE, null, null, Set.of(), null, 10))
                                    .events())
                            .isNotEmpty();
                }
            } finally {
                administer("DROP USER '" + USER + "'@'%'");
            }
        }
    }

    /** And with it the next start goes on. */
    @Test
    void aRightThatIsMissingIsNamed() throws IOException {
        try (TestDatabase db = TestDatabase.empty()) {
            String schema = db.database()
                    .read(h -> h.select("SELECT DATABASE()").mapTo(String.class).one());
            String page = rightsOfThePage();
            grant(schema, page.replaceFirst("ALTER, ", ""));
            DatabaseConfig all = db.config();
            try (Database own =
                    new Database(new DatabaseConfig(all.url(), USER, PASSWORD, 10, Duration.ofSeconds(30)))) {
                assertThatThrownBy(own::migrate)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll(
                                "to version 2: ", "ALTER", "command denied", "databases.md", "all rights");
                grant(schema, page);
            }
            try (Database own =
                    new Database(new DatabaseConfig(all.url(), USER, PASSWORD, 10, Duration.ofSeconds(30)))) {
                own.migrate();
            } finally {
                administer("DROP USER '" + USER + "'@'%'");
            }
        }
    }

    private static String rightsOfThePage() throws IOException {
        Matcher grant = Pattern.compile("GRANT (SELECT,[A-Z, \\n]+?)\\s+ON gelato\\.\\*")
                .matcher(Files.readString(Path.of("..", "docs", "admin", "databases.md")));
        assertThat(grant.find()).as("the page has a GRANT with single rights").isTrue();
        return grant.group(1);
    }

    private static void grant(String schema, String rights) {
        administer("DROP USER IF EXISTS '" + USER + "'@'%'");
        administer("CREATE USER '" + USER + "'@'%' IDENTIFIED BY '" + PASSWORD + "'");
        administer("GRANT " + rights + " ON `" + schema + "`.* TO '" + USER + "'@'%'");
    }

    private static void administer(String sql) {
        try (Database administrator = new Database(TestServer.get().administrator())) {
            administrator.inTransaction(handle -> handle.execute(sql));
        }
    }
}
