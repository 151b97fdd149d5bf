package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.parts.Foundation;
import org.gelato.ce.ws.parts.Parts;
import org.gelato.ce.ws.server.CeServer;
import org.gelato.ce.ws.server.FakeServices;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

class GelatoTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @TempDir
    private Path directory;

    private final List<String> closed = new ArrayList<>();
    private Path file;
    private int working;

    @BeforeEach
    void configure() throws Exception {
        DatabaseConfig database = DB.config();
        Files.writeString(directory.resolve("password"), database.password());
        file = Files.writeString(directory.resolve("gelato.conf"), """
                gelato {
                  home = "."
                  host = "ce.example.org"
                  address = "127.0.0.1"
                  port = 0
                  database { url = "%s", user = "%s", password-file = password }
                }
                """.formatted(database.url(), database.user()));
    }

    @Test
    void servesOnItsDatabaseAndClosesPartsInReverseOrder() throws Exception {
        Gelato gelato = Gelato.open(CeConfig.load(file), Clock.systemUTC(), this::parts);
        try {
            assertThat(working).isZero();
            CeServer server = gelato.listen();
            assertThat(working).isOne();
            HttpResponse<String> ready = get(server, "/health/ready");

            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(ready.body()).contains("\"name\":\"database\",\"ok\":true");
            assertThat(get(server, "/metrics").body())
                    .contains("hikaricp_connections_max", "ce_sql_statements_total", "tomcat_threads_max 64.0");
        } finally {
            gelato.close();
        }
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void aKeyOfTheVersionBeforeIsNamedAtTheStart() throws Exception {
        Files.writeString(file, "gelato.http.max-body = 1 MiB\n", StandardOpenOption.APPEND);
        Logger logger = (Logger) LoggerFactory.getLogger(Gelato.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            assertThat(Gelato.read(file).port()).isZero();
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("gelato.http.max-body (" + file
                        + " line 8) is fixed at 10 MiB since 0.11.0, and the line has no effect: remove the line");
    }

    @Test
    void closesWhatWasOpenedWhenAPartCannotBeMade() {
        assertThatThrownBy(() -> Gelato.open(CeConfig.load(file), Clock.systemUTC(), foundation -> {
                    parts(foundation);
                    throw new IllegalStateException("no helper");
                }))
                .hasMessage("no helper");
        assertThat(closed).containsExactly("second", "first");
    }

    /** The database is waited for a day, the rest is made meanwhile. */
    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void aPartThatCannotBeMadeEndsTheWaitForTheDatabase() throws Exception {
        Files.writeString(
                file,
                "gelato.database { url = \"jdbc:mysql://127.0.0.1:1/ce\", start-timeout = 24 h }",
                StandardOpenOption.APPEND);

        assertThatThrownBy(() -> Gelato.open(CeConfig.load(file), Clock.systemUTC(), foundation -> {
                    throw new IllegalStateException("no helper");
                }))
                .hasMessage("no helper");
    }

    @Test
    void checkNamesWhatIsMissing() {
        StringWriter err = new StringWriter();

        int status = run(err, "check", "--config", file.toString());

        assertThat(status).isEqualTo(1);
        assertThat(err.toString().lines())
                .anyMatch(line -> line.startsWith("error: gelato.tls.host-certificate (default): "
                        + "/etc/grid-security/hostcert.pem is not a file"))
                .noneMatch(line -> line.contains("gelato.database.url"));
    }

    @Test
    void checkNamesADatabaseThatCannotBeUsed() throws Exception {
        Files.writeString(directory.resolve("password"), "wrong");
        StringWriter err = new StringWriter();

        run(err, "check", "--config", file.toString());

        assertThat(err.toString())
                .contains("error: gelato.database.url (" + file + " line 6)")
                .contains("Access denied");
    }

    @Test
    void checkNamesWhatGridftpLacks() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(file, """
                    gelato.gridftp { enabled = true, command = "/no/such/server", port = %d }
                    gelato.sandbox-root = "/sand box"
                    """.formatted(taken.getLocalPort()), StandardOpenOption.APPEND);
            StringWriter err = new StringWriter();

            assertThat(run(err, "check", "--config", file.toString())).isEqualTo(1);
            assertThat(err.toString())
                    .contains("/no/such/server is no program")
                    .contains("port " + taken.getLocalPort() + " cannot be listened on")
                    .contains(": the GridFTP server cannot be given the path /sand box");
        }
    }

    @Test
    void checkNamesWhatWouldStopAStartOrTheFirstJob() throws Exception {
        Files.writeString(directory.resolve("map"), "\"/CN=a\" alice\n\"/CN=b\" root\n");
        Files.writeString(directory.resolve("bans"), "who knows\n");
        Files.writeString(directory.resolve("plain"), "");
        Files.writeString(file, """
                gelato {
                  authorization { gridmap = map, ban = bans, gridmapdir = plain }
                  lrms { kind = slurm, slurm { bin-directory = "/no/slurm", conf = "/no/slurm.conf", job-completion-log = "/no/log" } }
                  helper.command = ["/no/helper"]
                  delegation.key-file = "plain/key"
                }
                """, StandardOpenOption.APPEND);
        StringWriter err = new StringWriter();

        assertThat(run(err, "check", "--config", file.toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("): " + directory.resolve("map") + ": line 2: ")
                .contains("): " + directory.resolve("bans") + ": ")
                .contains(directory.resolve("plain") + " is not a readable")
                .contains("/no/slurm/sbatch is no program")
                .contains("/no/slurm.conf is not a file")
                .contains("/no/log is not a file")
                .contains("/no/helper is no program")
                .contains("error: gelato.delegation.key-file (");
    }

    @Test
    void runNamesABadKeyAndFails() throws Exception {
        Files.writeString(file, "gelato.prot = 1");
        StringWriter err = new StringWriter();

        assertThat(run(err, "run", "--config", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("did you mean gelato.port?");
    }

    @Test
    void checkOfAFileThatIsNotThereSaysSoInOneLine() {
        StringWriter err = new StringWriter();

        assertThat(run(err, "check", "--config", "/no/gelato.conf")).isEqualTo(1);
        assertThat(err.toString().strip()).isEqualTo("/no/gelato.conf: no such file, or it can't be read");
    }

    /** The same document as of other findings, with all of them. */
    @Test
    void checkPrintsAsJsonWhatMakesAConfigurationUnusable() throws Exception {
        Path ports = Files.writeString(directory.resolve("ports.conf"), "\ngelato.port = 1 s\n");
        Files.writeString(file, """
                include "ports.conf"
                gelato.prot = 1
                gelato.routes = [
                  { name = a
                    mach { vo = b } }
                ]
                """);

        assertThat(places("check", "--json", "--config", file.toString()))
                .containsExactlyInAnyOrder(
                        "gelato.port at " + ports + " line 2",
                        "gelato.prot at " + file + " line 2",
                        "gelato.routes at " + file + " line 4");
        assertThat(places("check", "--json", "--config", file.toString(), "--trace", "/CN=a"))
                .hasSize(3);

        Files.writeString(ports, "gelato.home = ${nowhere}\n");
        assertThat(places("check", "--json", "--config", file.toString())).containsExactly(" at " + ports + " line 1");
        Files.writeString(ports, "\n\ngelato { port = \n");
        assertThat(places("check", "--json", "--config", file.toString())).containsExactly(" at " + ports + " line 4");
        Files.delete(ports);
        assertThat(places("check", "--json", "--config", file.toString())).containsExactly(" at " + file + " line 1");
        Files.delete(file);
        assertThat(places("check", "--json", "--config", file.toString())).containsExactly(" at " + file);
    }

    private static List<String> places(String... args) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        assertThat(line.execute(args)).isEqualTo(1);
        assertThat(err.toString()).isEmpty();
        List<String> places = new ArrayList<>();
        new ObjectMapper().readTree(out.toString()).forEach(finding -> {
            assertThat(finding.fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrder("level", "key", "where", "what", "advice");
            assertThat(finding.path("level").asText()).isEqualTo("ERROR");
            places.add(finding.path("key").asText() + " at "
                    + finding.path("where").asText());
        });
        return places;
    }

    @Test
    void badUsageIsStatus2() {
        assertThat(run(new StringWriter(), "run", "--config")).isEqualTo(2);
        assertThat(run(new StringWriter(), "walk")).isEqualTo(2);
    }

    private static int run(StringWriter err, String... args) {
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }

    private Parts parts(Foundation foundation) {
        foundation.closing().accept(() -> closed.add("first"));
        foundation.closing().accept(() -> closed.add("second"));
        return new Parts(new FakeServices().callers(), List.of(), List.of(), connector -> {}, () -> working++);
    }

    private static HttpResponse<String> get(CeServer server, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                .build(),
                        BodyHandlers.ofString());
    }
}
