package org.gelato.ce.core.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a full disk and a kill leave in the directory of the embedded database, done to a real one. */
class DamagedServerFilesTest {
    private static final Set<String> ACCOUNTS =
            Set.of("db.MAD", "db.MAI", "db.frm", "global_priv.MAD", "global_priv.MAI", "global_priv.frm");

    private final EmbeddedMariaDb.Settings settings = TestServer.settings("db damaged");
    private final Path data = settings.directory().resolve("data");
    private final Logger logger = (Logger) LoggerFactory.getLogger(DamagedFiles.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private int committed;

    @BeforeEach
    void newDirectory() throws IOException {
        MariaDbBinaries.deleteTree(settings.directory());
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void removeDirectory() throws IOException {
        logger.detachAppender(log);
        logger.setLevel(null);
        MariaDbBinaries.deleteTree(settings.directory());
    }

    @Test
    void whatWasCommittedIsThereAfterAKillThatDamagedAriasLog() throws IOException {
        killOneWithATable();

        garbage("aria_log.00000001");
        startsAndKeeps(Map.of("did not start: Aria's log is damaged", Set.of("aria_log.00000001")));
    }

    /** One directory, damaged once more after each kill: a new one would cost more than all starts. */
    @Test
    @Tag("long")
    void theServerStartsWithEachFileDamaged() throws IOException {
        killOneWithATable();

        truncate("aria_log.00000001", 0);
        startsAndKeeps(Map.of("does not start with an empty Aria log", Set.of("aria_log.00000001")));

        truncate("aria_log_control", 20);
        startsAndKeeps(Map.of(
                "did not start: the control file of Aria's log is damaged",
                Set.of("aria_log.00000002", "aria_log_control")));

        truncate("tc.log", 0);
        startsAndKeeps(Map.of("did not start: tc.log is damaged", Set.of("tc.log")));

        garbage("mysql/global_priv.MAD");
        startsAndKeeps(Map.of(
                "did not start: Aria's log is damaged", Set.of("aria_log.00000001"),
                "did not start: MariaDB's tables of accounts are damaged", accountsAnd("aria_log.00000002")));

        garbage("mysql/db.MAI");
        startsAndKeeps(
                Map.of("did not start: MariaDB's tables of accounts are damaged", accountsAnd("aria_log.00000003")));
    }

    /** As a start leaves them that was killed while it moved files. */
    @Test
    @Tag("long")
    void theServerStartsWithSomeFilesGone() throws IOException {
        killOneWithATable();

        Files.delete(data.resolve("aria_log.00000001"));
        startsAndKeeps(Map.of());

        Files.delete(data.resolve("aria_log.00000002"));
        truncate("aria_log_control", 20);
        startsAndKeeps(Map.of("did not start: the control file of Aria's log is damaged", Set.of("aria_log_control")));

        Files.delete(data.resolve("mysql/db.MAD"));
        Files.delete(data.resolve("mysql/global_priv.frm"));
        startsAndKeeps(Map.of(
                "did not start: MariaDB's tables of accounts are damaged",
                Set.of("aria_log.00000001", "db.MAI", "db.frm", "global_priv.MAD", "global_priv.MAI")));
    }

    private void killOneWithATable() {
        EmbeddedMariaDb server = EmbeddedMariaDb.start(settings);
        try (Database database = new Database(server.config())) {
            database.inTransaction(h -> h.execute("CREATE TABLE kept (x INT) ENGINE=InnoDB"));
        }
        kill(server);
    }

    /** Starts it, adds a row, and kills it. */
    private void startsAndKeeps(Map<String, Set<String>> setAside) throws IOException {
        log.list.clear();

        EmbeddedMariaDb server = EmbeddedMariaDb.start(settings);

        committed++;
        try (Database database = new Database(server.config())) {
            database.inTransaction(h -> h.execute("INSERT INTO kept VALUES (1)"));
            int rows = database.read(h ->
                    h.select("SELECT COUNT(*) FROM kept").mapTo(Integer.class).one());
            assertThat(rows).isEqualTo(committed);
        }
        kill(server);
        assertThat(log.list).hasSameSizeAs(setAside.keySet());
        for (Map.Entry<String, Set<String>> expected : setAside.entrySet()) {
            ILoggingEvent line = log.list.stream()
                    .filter(event -> event.getFormattedMessage().contains(expected.getKey()))
                    .findFirst()
                    .orElseThrow();
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .contains("Jobs are not touched")
                    .contains(expected.getValue());
            assertThat(names((Path) line.getArgumentArray()[1])).isEqualTo(expected.getValue());
        }
    }

    private static Set<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    private static Set<String> accountsAnd(String log) {
        return Stream.concat(ACCOUNTS.stream(), Stream.of(log)).collect(Collectors.toSet());
    }

    private void garbage(String name) throws IOException {
        byte[] bytes = new byte[(int) Files.size(data.resolve(name))];
        new Random(1).nextBytes(bytes);
        Files.write(data.resolve(name), bytes);
    }

    private void truncate(String name, long size) throws IOException {
        try (FileChannel file = FileChannel.open(data.resolve(name), StandardOpenOption.WRITE)) {
            file.truncate(size);
        }
    }

    private static void kill(EmbeddedMariaDb server) {
        ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly();
        server.end().join();
        server.close();
    }
}
