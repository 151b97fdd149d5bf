package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** A start that cannot be: one line that names what is wrong and what to do, exit status 1, and the database untouched. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RefusedStartTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @TempDir
    private static Path grid;

    @TempDir
    private Path site;

    private int port;
    private String fingerprint;
    private ServerSocket taken;

    interface Break {
        void at(RefusedStartTest t) throws Exception;
    }

    record Case(String name, String what, Break breaking) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void make() {
        GridPki.open(grid, "ce.example.org");
    }

    @BeforeEach
    void configure() throws Exception {
        DatabaseConfig database = DB.config();
        fingerprint = versions().get(versions().size() - 1);
        port = FreePort.choose();
        Files.copy(grid.resolve("hostkey.pem"), site.resolve("hostkey.pem"));
        write("password", database.password());
        write("map", "\"/dteam\" nobody\n");
        write("gelato.conf", """
                gelato {
                  home = "."
                  host = "ce.example.org"
                  address = "127.0.0.1"
                  port = %d
                  tls { host-certificate = "%s/hostcert.pem", host-key = hostkey.pem }
                  tls { ca-directory = "%s/certificates", voms-directory = "%s/vomsdir" }
                  authorization { gridmap = map, ban = bans, admins = admins }
                  database { url = "%s", user = "%s", password-file = password, start-timeout = 0 s }
                  delegation.key-pool = 1
                }
                """.formatted(port, grid, grid, grid, database.url(), database.user()));
    }

    @AfterEach
    void release() throws IOException {
        if (taken != null) {
            taken.close();
        }
        sql("DELETE FROM flyway_schema_history WHERE version = '9999'");
        sql("UPDATE flyway_schema_history SET checksum = -605589031 WHERE version = '28'");
        sql("REPLACE INTO schema_made VALUES (1, '" + fingerprint + "')");
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        "port in use",
                        "stop what listens there, or set gelato.address and gelato.port",
                        t -> t.taken = new ServerSocket(t.port, 1, InetAddress.getLoopbackAddress())),
                new Case(
                        "database of a newer version", "install the newer software again, or restore the backup", t -> {
                            sql("INSERT INTO flyway_schema_history (installed_rank, version, description, type, script,"
                                    + " installed_by, execution_time, success)"
                                    + " VALUES (9999, '9999', 'later', 'SQL', 'later', 'test', 1, 1)");
                            sql("UPDATE schema_made SET fingerprint = CONCAT('x', SUBSTRING(fingerprint, 2))");
                        }),
                new Case("database of other scripts", "start the software that made it, or restore a backup", t -> {
                    sql("UPDATE flyway_schema_history SET checksum = checksum + 1 WHERE version = '28'");
                    sql("DELETE FROM schema_made");
                }),
                new Case("delegation key readable", "only its owner may have access (rw-------)", t -> {
                    t.write("delegation.key", "x");
                    t.mode("delegation.key", "rw-r--r--");
                }),
                new Case("delegation key cut off", "delegation.key must hold 32 bytes in base64", t -> {
                    t.write("delegation.key", "QUJD");
                    t.mode("delegation.key", "rw-------");
                }),
                new Case(
                        "key's directory missing",
                        "its directory does not exist",
                        t -> t.append("gelato.delegation.key-file = \"keys/delegation.key\"")),
                new Case(
                        "password missing",
                        "gelato.database.password-file = ",
                        t -> Files.delete(t.site.resolve("password"))),
                new Case(
                        "password wrong",
                        "check that the server runs, and gelato.database.user and password-file",
                        t -> t.write("password", "wrong")),
                new Case(
                        "database away",
                        "127.0.0.1:1/gelato cannot be used: Connection refused; check that the server runs",
                        t -> t.append("gelato.database.url = \"jdbc:mysql://127.0.0.1:1/gelato\"")),
                new Case("host key missing", "hostkey.pem", t -> Files.delete(t.site.resolve("hostkey.pem"))),
                new Case("host key half written", "hostkey.pem", t -> t.write("hostkey.pem", "-----BEGIN PRIV")),
                new Case("gridmap missing", "map", t -> Files.delete(t.site.resolve("map"))),
                new Case("home is a file", "plain", t -> {
                    t.write("plain", "");
                    t.append("gelato.home = plain");
                }),
                new Case("helper.conf half written", "ce server check says what is wrong with helper.conf", t -> {
                    t.write("helper.conf", "sandbox_root=" + t.site + "/sandbox\nexecutable=/bin/bash\nmin_u");
                    t.append("gelato.helper.config = helper.conf");
                }),
                new Case("helper.conf writable by others", "ce server check says what is wrong with helper.conf", t -> {
                    t.write("helper.conf", "sandbox_root=" + t.site + "/sandbox\nexecutable=/bin/bash\n");
                    t.mode("helper.conf", "rw-rw-rw-");
                    t.append("gelato.helper.config = helper.conf");
                }),
                new Case(
                        "configuration half written",
                        "gelato.conf: ",
                        t -> t.write("gelato.conf", "gelato { port = 1")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isRefusedInOneLine(Case broken) throws Exception {
        broken.breaking().at(this);
        List<String> versions = versions();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(err, true));

        Logger logger = (Logger) LoggerFactory.getLogger(Main.class.getPackageName());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        int status;
        try {
            status = line.execute("run", "--config", site.resolve("gelato.conf").toString());
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list).as("stack traces").noneMatch(event -> event.getThrowableProxy() != null);
        assertThat(status).isEqualTo(1);
        assertThat(err.toString().strip().lines()).hasSize(1).first().asString().contains(broken.what());
        assertThat(versions()).isEqualTo(versions);
    }

    private static List<String> versions() {
        return DB.database()
                .read(h -> h.select("SELECT CONCAT(version, success) FROM flyway_schema_history UNION ALL"
                                + " SELECT fingerprint FROM schema_made")
                        .mapTo(String.class)
                        .list());
    }

    private static void sql(String text) {
        DB.database().inTransaction(h -> h.execute(text));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(site.resolve(name), text);
    }

    private void append(String line) throws IOException {
        Path file = site.resolve("gelato.conf");
        Files.writeString(file, Files.readString(file) + line + "\n");
    }

    private void mode(String name, String mode) throws IOException {
        Files.setPosixFilePermissions(site.resolve(name), PosixFilePermissions.fromString(mode));
    }
}
