package org.gelato.ce.core.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.db.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What becomes of the embedded database when its server is killed. */
class RestartingMariaDbTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private EmbeddedMariaDb.Settings settings;
    private RestartingMariaDb server;

    @BeforeEach
    void start(TestInfo test) throws IOException {
        settings =
                TestServer.settings("db " + test.getTestMethod().orElseThrow().getName());
        MariaDbBinaries.deleteTree(settings.directory());
        server = new RestartingMariaDb(
                EmbeddedMariaDb.start(settings),
                new RestartingMariaDb.Pace(Duration.ofMillis(1), Duration.ofMillis(20)));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        MariaDbBinaries.deleteTree(settings.directory());
    }

    @Test
    void aKilledServerIsStartedAgainAndOpenPoolsGoOnWithAllThatWasCommitted() {
        try (Database database = new Database(server.config())) {
            database.inTransaction(h -> h.execute("CREATE TABLE kept (x INT)"));
            String url = server.config().url();
            for (int kills = 1; kills <= 2; kills++) {
                int committed = kills;
                database.inTransaction(h -> h.execute("INSERT INTO kept VALUES (?)", committed));

                kill();

                await().atMost(PATIENCE).until(() -> server.restarts() == committed && server.outage() == null);
                assertThat(server.config().url()).isEqualTo(url);
                assertThat(server.lastEnd()).contains("signal 9");
                await().atMost(PATIENCE).ignoreExceptions().until(() -> rows(database) == committed);
            }
            assertThat(server.starts()).isEqualTo(3);
        }
    }

    @Test
    void aServerThatCannotBeStartedIsTriedAgainUntilItCan() throws IOException {
        Path data = settings.directory().resolve("data");
        Path away = settings.directory().resolve("away");
        Files.move(data, away);

        kill();

        await().atMost(PATIENCE)
                .until(() ->
                        String.valueOf(server.outage()).startsWith("the embedded database cannot be started again"));
        assertThat(server.outage()).contains("signal 9");
        assertThat(server.restarts()).isZero();
        Files.move(away, data);
        await().atMost(PATIENCE).until(() -> server.restarts() == 1 && server.outage() == null);
    }

    @Test
    void oneThatWasClosedIsNotStartedAgain() throws IOException {
        Path data = settings.directory().resolve("data");
        Path away = settings.directory().resolve("away");
        Files.move(data, away);
        kill();
        await().atMost(PATIENCE).until(() -> server.outage() != null);

        server.close();

        Files.move(away, data);
        // Its directory is free.
        EmbeddedMariaDb.start(settings).close();
        assertThat(server.restarts()).isZero();
    }

    private void kill() {
        assertThat(ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly())
                .isTrue();
    }

    private static int rows(Database database) {
        return database.read(h ->
                h.createQuery("SELECT COUNT(*) FROM kept").mapTo(Integer.class).one());
    }
}
