package org.gelato.ce.core.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

class EmbeddedMariaDbTest {
    private EmbeddedMariaDb.Settings settings;

    @BeforeEach
    void newDirectory(TestInfo test) throws IOException {
        settings =
                TestServer.settings("db " + test.getTestMethod().orElseThrow().getName());
        MariaDbBinaries.deleteTree(settings.directory());
    }

    @AfterEach
    void removeDirectory() throws IOException {
        MariaDbBinaries.deleteTree(settings.directory());
    }

    /** Earlier versions came from 127.0.0.1 and recorded no process; the path is longer than that of a Unix socket may be. */
    @Test
    void keepsDataOverACleanRestartAlsoOfAnEarlierVersionAndBelowALongPath() throws IOException {
        Path deep = settings.directory().resolve("d".repeat(100));
        settings = new EmbeddedMariaDb.Settings(
                deep,
                settings.cache(),
                settings.bufferPool(),
                2,
                settings.connectionTimeout(),
                settings.startTimeout());
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            write(server, "CREATE TABLE kept (x INT)");
            write(server, "INSERT INTO kept VALUES (42)");
            for (String account : List.of("root", "gelato")) {
                write(
                        server.administrator(),
                        "GRANT ALL PRIVILEGES ON gelato.* TO '" + account + "'@'127.0.0.1' IDENTIFIED BY 'x'");
            }
        }
        Files.delete(deep.resolve("server.process"));
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            assertThat(read(server, "SELECT x FROM kept")).containsExactly("42");
            assertThat(read(
                            server.administrator(),
                            "SELECT Host FROM mysql.global_priv UNION SELECT Host FROM mysql.db"))
                    .containsExactly("localhost");
        }
    }

    /** One that is not recorded is of an earlier version, or an administrator's. */
    @Test
    void takesOverFromAServerWhoseStarterWasKilledAndRefusesOneThatIsNotRecorded() throws IOException {
        Path record = settings.directory().resolve("server.process");
        Path away = settings.directory().resolve("away");
        List<String> command;
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            write(server, "CREATE TABLE kept (x INT)");
            String line = Files.readString(Path.of("/proc/" + server.pid() + "/cmdline"));
            command = Arrays.stream(line.split("\0"))
                    .filter(word -> !word.startsWith("--init-file"))
                    .toList();
        }
        Process leftOver = new ProcessBuilder(LeftoverServers.recorded(record, command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().until(() -> Files.exists(settings.directory().resolve("data/mariadbd.pid")));

        Files.move(record, away);
        assertThatThrownBy(() -> EmbeddedMariaDb.start(settings))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another database server works on")
                .hasMessageContaining("mariadbd.pid");
        assertThat(leftOver.isAlive()).isTrue();
        Files.move(away, record);

        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            await().until(() -> !leftOver.isAlive());
            assertThat(read(server, "SHOW TABLES")).containsExactly("kept");
        }
    }

    @Test
    @Tag("long")
    void severalProcessesMayUnpackTheProgramsAtOnce() throws IOException {
        Path cache = settings.directory().resolve("cache");
        try {
            List<CompletableFuture<MariaDbBinaries>> both = Stream.of(1, 2)
                    .map(n -> CompletableFuture.supplyAsync(() -> MariaDbBinaries.find(cache)))
                    .toList();

            assertThat(both.get(0).join()).isEqualTo(both.get(1).join());
            assertThat(both.get(0).join().server()).isExecutable();
            try (Stream<Path> left = Files.list(cache)) {
                assertThat(left).containsExactly(both.get(0).join().basedir());
            }
            EmbeddedMariaDb.Settings fromCache = new EmbeddedMariaDb.Settings(
                    settings.directory().resolve("home"),
                    cache,
                    settings.bufferPool(),
                    2,
                    settings.connectionTimeout(),
                    settings.startTimeout());
            EmbeddedMariaDb.start(fromCache).close();
        } finally {
            MariaDbBinaries.deleteTree(cache);
        }
    }

    @Test
    void stopsAServerLeftOverOnItsDirectoryAndNoOther() throws IOException, InterruptedException {
        EmbeddedMariaDb.Settings other = TestServer.settings("db-bystander");
        MariaDbBinaries.deleteTree(other.directory());
        try (EmbeddedMariaDb bystander = EmbeddedMariaDb.start(other);
                EmbeddedMariaDb leftOver = EmbeddedMariaDb.start(settings)) {
            LeftoverServers.stop(
                    settings.directory().resolve("server.process"),
                    DatabaseAccount.choose(settings.directory().resolve("data")),
                    settings.startTimeout());

            await().until(() -> !leftOver.isAlive());
            assertThat(bystander.isAlive()).isTrue();
        }
        MariaDbBinaries.deleteTree(other.directory());
    }

    /** It would respond in place of the next, and end with nobody to notice. */
    @Test
    void aServerWhoseHandleWasLostIsStoppedBeforeTheNextIsStarted() throws IOException, InterruptedException {
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            ProcessHandle lost = ProcessHandle.of(server.pid()).orElseThrow();
            server.restart();
            assertThat(lost.isAlive()).isFalse();
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void refusesADirectoryInUseAndLeavesItsServerAlone() {
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            assertThatThrownBy(() -> EmbeddedMariaDb.start(settings))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in use by another process");
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void letsInNobodyWithoutAPasswordAndItsUserOnlyIntoItsSchema() throws IOException {
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            DatabaseConfig administrator = server.administrator();
            assertThat(read(
                            administrator,
                            "SELECT CONCAT(User, '@', Host) FROM mysql.global_priv WHERE JSON_VALUE(Priv,"
                                    + " '$.authentication_string') IN ('', 'invalid')"
                                    + " AND JSON_VALUE(Priv, '$.account_locked') IS NULL"))
                    .isEmpty();
            assertThat(read(administrator, "SELECT DISTINCT User FROM mysql.global_priv ORDER BY User"))
                    .containsExactly("gelato", "mariadb.sys", "root");
            assertThat(read(server, "SHOW DATABASES")).containsExactlyInAnyOrder("gelato", "information_schema");
            assertThat(server.config().toString())
                    .doesNotContain(server.config().password());
        }
        assertThat(mode(settings.directory().resolve("password-root"))).isEqualTo("rw-------");
        assertThat(mode(settings.directory().resolve("password-gelato"))).isEqualTo("rw-------");
        assertThat(mode(settings.directory().resolve("data"))).isEqualTo("rwx------");
        // A lock for reading, by who may read it, would keep the CE from its start.
        assertThat(mode(settings.directory().resolve("lock"))).isEqualTo("rw-------");
        assertThat(settings.directory().resolve("data/gelato-init.sql")).doesNotExist();
    }

    @Test
    void runsUnprivilegedAndPutsEveryCommitOnDisk() throws IOException {
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            assertThat(Files.getAttribute(Path.of("/proc/" + server.pid()), "unix:uid"))
                    .isNotEqualTo(0);
            assertThat(read(
                            server,
                            "SELECT CONCAT_WS(' ', @@innodb_flush_log_at_trx_commit, @@global.transaction_isolation,"
                                    + " @@character_set_server, @@skip_networking)"))
                    .containsExactly("1 READ-COMMITTED utf8mb4 ON");
            assertThat(portsOf(server.pid())).isEmpty();
        }
    }

    /** Sockets of TCP that a process has, by number of their file. */
    private static List<String> portsOf(long pid) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : open.toList()) {
                sockets.add(Files.readSymbolicLink(descriptor).toString());
            }
        }
        assertThat(sockets).anyMatch(name -> name.startsWith("socket:"));
        List<String> ports = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path connections = Path.of("/proc/" + pid + "/net/" + table);
            if (Files.exists(connections)) {
                Files.readAllLines(connections).stream()
                        .map(line -> "socket:[" + line.strip().split(" +")[9] + "]")
                        .filter(sockets::contains)
                        .forEach(ports::add);
            }
        }
        return ports;
    }

    @Test
    void aDataDirectoryThatOthersMayEnterIsRefused() throws IOException {
        Path data = settings.directory().resolve("data");
        EmbeddedMariaDb.start(settings).close();
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));

        assertThatThrownBy(() -> EmbeddedMariaDb.start(settings))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("chmod 700 " + data.toRealPath());
    }

    /** A package may make an account that would have been chosen for new data. */
    @Test
    void dataIsServedByItsOwnerWhateverAccountsTheHostHas() throws IOException {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Path data = settings.directory().resolve("data");
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            write(server, "CREATE TABLE kept (x INT)");
        }
        UserPrincipal chosen = Files.getOwner(data);
        UserPrincipal owner = FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(chosen.getName().equals("nobody") ? "daemon" : "nobody");
        give(data, owner);

        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(settings)) {
            assertThat(Files.getOwner(Path.of("/proc/" + server.pid()))).isEqualTo(owner);
            assertThat(read(server, "SHOW TABLES")).containsExactly("kept");
        }

        give(data, Files.getOwner(Path.of("/proc/self")));
        assertThatThrownBy(() -> EmbeddedMariaDb.start(settings))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("data belongs to root")
                .hasMessageContaining("chown -R " + chosen.getName() + " " + data);
    }

    private static void give(Path data, UserPrincipal owner) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.toList()) {
                Files.setOwner(file, owner);
            }
        }
    }

    @Test
    void saysWhyWhenTheProgramDoesNotRun() throws IOException {
        Path program = settings.directory().resolve("mariadbd");
        Files.createDirectories(settings.directory());
        Files.writeString(
                program,
                "#!/bin/sh\necho 'mariadbd: error while loading shared libraries: libaio.so.1: cannot open'\nexit 127\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        MariaDbInstall install =
                new MariaDbInstall(new MariaDbBinaries(settings.directory(), program, program, List.of()), null);

        assertThatThrownBy(install::checkProgram)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("libaio.so.1")
                .hasMessageContaining("set a database URL");
    }

    @Test
    void refusesDataOfANewerServer() throws IOException {
        EmbeddedMariaDb.start(settings).close();
        Files.writeString(settings.directory().resolve("data/mariadb_upgrade_info"), "99.1.2-MariaDB");

        assertThatThrownBy(() -> EmbeddedMariaDb.start(settings)).hasMessageContaining("99.1.2-MariaDB");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void write(EmbeddedMariaDb server, String sql) {
        write(server.config(), sql);
    }

    private static void write(DatabaseConfig config, String sql) {
        try (Database database = new Database(config)) {
            database.inTransaction(h -> h.execute(sql));
        }
    }

    private static List<String> read(EmbeddedMariaDb server, String sql) {
        return read(server.config(), sql);
    }

    private static List<String> read(DatabaseConfig config, String sql) {
        try (Database database = new Database(config)) {
            return database.read(h -> h.createQuery(sql).mapTo(String.class).list());
        }
    }
}
