package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.DatabaseInspection;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.token.IssuerServer;
import org.gelato.ce.testkit.token.TestIssuer;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.KeyOrigins;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Breaks a valid site, one thing at a time: the check names that thing, and nothing else. */
class ServerCheckTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @TempDir
    private static Path grid;

    private static GridPki pki;
    private static String account;

    @TempDir
    private Path site;

    private Path file;
    private Clock clock = Clock.systemUTC();
    private ServerSocket taken;
    private int port;

    /** Breaks something. */
    interface Break {
        void at(ServerCheckTest t) throws Exception;
    }

    /** @param alone whether nothing else is found */
    record Case(String name, String level, String key, String what, boolean alone, Break breaking) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void make() {
        pki = GridPki.open(grid, "ce.example.org");
        String own = System.getProperty("user.name");
        account = own.equals("root") ? "nobody" : own;
    }

    @BeforeEach
    void configure() throws Exception {
        copy(grid, site.resolve("grid"));
        port = FreePort.choose();
        DatabaseConfig database = DB.config();
        Files.createDirectory(site.resolve("grid/vomsdir/extra"));
        Files.writeString(site.resolve("password"), database.password());
        mode("password", "rw-------");
        mode("grid/hostkey.pem", "rw-------");
        Files.writeString(site.resolve("map"), "\"/DC=test/CN=a\" " + account + "\n\"/dteam\" " + account + "\n");
        Files.writeString(site.resolve("bans"), "");
        file = Files.writeString(site.resolve("gelato.conf"), """
                gelato {
                  home = "."
                  host = "ce.example.org"
                  address = "127.0.0.1"
                  port = %d
                  admission.disk = -1
                  tls { host-certificate = grid/hostcert.pem, host-key = grid/hostkey.pem }
                  tls { ca-directory = grid/certificates, voms-directory = grid/vomsdir }
                  authorization { gridmap = map, ban = bans, admins = admins }
                  database { url = "%s", user = "%s", password-file = password }
                }
                """.formatted(port, database.url(), database.user()));
    }

    @AfterEach
    void release() throws IOException {
        if (taken != null) {
            taken.close();
        }
        DB.database().inTransaction(h -> h.execute("DELETE FROM flyway_schema_history WHERE version = '9999'"));
    }

    @Test
    void a_valid_site_has_no_findings_and_nothing_is_left_behind() throws Exception {
        long before = leftovers();

        assertThat(texts()).isEmpty();
        assertThat(leftovers()).isEqualTo(before);
    }

    @Test
    void what_a_killed_check_left_is_removed_by_the_next_one() throws Exception {
        Path old = Files.createDirectory(
                Path.of(System.getProperty("java.io.tmpdir")).resolve("gelato-check-9999999-" + System.nanoTime()));
        Files.createFile(old.resolve("helper.conf"));

        assertThat(texts()).isEmpty();
        assertThat(old).doesNotExist();
    }

    static Stream<Case> cases() {
        return Stream.of(
                error(
                        "certificate missing",
                        "tls.host-certificate",
                        "hostcert.pem is not a file",
                        t -> t.delete("grid/hostcert.pem")),
                error(
                        "certificate damaged",
                        "tls.host-certificate",
                        "holds no certificate",
                        t -> t.write("grid/hostcert.pem", "-----BEGIN")),
                error("key missing", "tls.host-key", "hostkey.pem is not a file", t -> t.delete("grid/hostkey.pem")),
                error(
                        "key damaged",
                        "tls.host-key",
                        "holds no unencrypted private key",
                        t -> t.write("grid/hostkey.pem", "x")),
                error(
                        "key of another",
                        "tls.host-key",
                        "is not the key of the host certificate",
                        t -> t.write("grid/hostkey.pem", ownKey())),
                error(
                        "key readable",
                        "tls.host-key",
                        "can be read by everybody",
                        t -> t.mode("grid/hostkey.pem", "rw-r--r--")),
                new Case(
                        "certificate ended",
                        "error",
                        "tls.host-certificate",
                        "the certificate ended at",
                        false,
                        t -> t.later(800)),
                new Case(
                        "certificate ends soon",
                        "warning",
                        "tls.host-certificate",
                        "in less than 30 days",
                        false,
                        t -> t.later(350)),
                error("other host", "host", "and not for other.example.org", t -> t.set("host", "other.example.org")),
                error(
                        "no CA directory",
                        "tls.ca-directory",
                        "is not a readable directory",
                        t -> t.set("tls.ca-directory", "nowhere")),
                error("no CAs", "tls.ca-directory", "holds no CA certificate", t -> {
                    Files.createDirectory(t.site.resolve("empty"));
                    t.set("tls.ca-directory", "empty");
                }),
                error("CA damaged", "tls.ca-directory", "holds no certificate", t -> t.write(t.anchor(".0"), "x")),
                error(
                        "CRL ended",
                        "tls.ca-directory",
                        "every certificate of this CA is refused",
                        false,
                        t -> GridPki.open(t.site.resolve("grid"), "ce.example.org")
                                .endRevocationList(Instant.now().minusSeconds(60))),
                new Case(
                        "CRL missing",
                        "warning",
                        "tls.ca-directory",
                        "has no CRL",
                        true,
                        t -> t.delete(t.anchor(".r0"))),
                error("CRL missing and required", "tls.ca-directory", "gelato.tls.crl = require", t -> {
                    t.set("tls.crl", "require");
                    t.delete(t.anchor(".r0"));
                }),
                error("CRL damaged", "tls.ca-directory", "holds no CRL", t -> t.write(t.anchor(".r0"), "x")),
                new Case(
                        "VO without .lsc",
                        "warning",
                        "tls.voms-directory",
                        "extra has no .lsc file",
                        true,
                        t -> t.write("map", "\"/extra\" " + account + "\n")),
                error(
                        ".lsc damaged",
                        "tls.voms-directory",
                        "is no DN in slash form",
                        t -> t.write("grid/vomsdir/dteam/voms.gelato.test.lsc", "who knows\n")),
                error("gridmap missing", "authorization.gridmap", "map", t -> t.delete("map")),
                error("gridmap line", "authorization.gridmap", "line 1", t -> t.write("map", "\"/CN=b\" root\n")),
                error("ban list damaged", "authorization.ban", "bans", t -> t.write("bans", "who knows\n")),
                error(
                        "no gridmapdir",
                        "authorization.gridmapdir",
                        "is not a readable directory",
                        t -> t.set("authorization.gridmapdir", "nowhere")),
                error("no queue of the SSM", "accounting.ssm-queue", "is not a readable directory", t -> {
                    t.set("accounting.publish", "ssm");
                    t.set("accounting.site", "EXAMPLE-T2");
                    t.set("accounting.benchmarks", "[{ queue = default, kind = hepscore23, value = 12.5 }]");
                    t.set("accounting.ssm-queue", "nowhere");
                }),
                error(
                        "no runtime environments",
                        "wrapper.runtime-environments",
                        "is not a readable directory",
                        t -> t.set("wrapper.runtime-environments", "nowhere")),
                error(
                        "runtime environment of anybody",
                        "wrapper.runtime-environments",
                        "rte/APPS is left out: it is writable by others",
                        t -> {
                            Files.createDirectory(t.site.resolve("rte"));
                            t.write("rte/APPS", "true\n");
                            t.mode("rte/APPS", "rw-rw-rw-");
                            t.write("rte/GOOD", "true\n");
                            t.set("wrapper.runtime-environments", "rte");
                        }),
                error(
                        "account unknown",
                        "authorization.gridmap",
                        "map line 1: the helper does not serve the account nosuch",
                        t -> t.write("map", "\"/CN=b\" nosuch\n")),
                error(
                        "account below min_uid",
                        "authorization.gridmap",
                        "does not serve the account daemon",
                        t -> t.write("map", "\"/CN=b\" daemon\n")),
                error(
                        "audit log in no directory",
                        "audit.file",
                        "map cannot be written",
                        t -> t.set("audit.file", t.site.resolve("map/audit.log").toString())),
                new Case(
                        "information where a BDII does not get",
                        "warning",
                        "information.file",
                        "cannot pass through",
                        true,
                        t -> {
                            t.set("information.site", "EXAMPLE-SITE");
                            t.mode(".", "rwx------");
                        }),
                error(
                        "access log in no directory",
                        "http.access-log.file",
                        "map cannot be written",
                        t -> t.set(
                                "http.access-log.file",
                                t.site.resolve("map/access.log").toString())),
                error("audit log is a directory", "audit.file", "audit.d cannot be written", t -> {
                    Files.createDirectory(t.site.resolve("audit.d"));
                    t.set("audit.file", t.site.resolve("audit.d").toString());
                }),
                error("port taken", "port", "cannot be listened on", ServerCheckTest::take),
                error("delegation key readable", "delegation.key-file", "can be read by everybody", t -> {
                    t.write("delegation.key", "x");
                    t.mode("delegation.key", "rw-r--r--");
                }),
                error(
                        "password missing",
                        "database.password-file",
                        "password is not a file",
                        t -> t.delete("password")),
                error("password wrong", "database.url", "Access denied", t -> t.write("password", "wrong")),
                error("schema newer", "database.url", "the schema has version 9999", t -> newerSchema()),
                error(
                        "helper's configuration half written",
                        "helper.config",
                        "helper.conf line 3 is not key=value",
                        false,
                        t -> {
                            t.write("helper.conf", "sandbox_root=" + t.site + "/sandbox\nexecutable=/bin/bash\nmin_u");
                            t.set("helper.config", "helper.conf");
                        }),
                error("helper's configuration writable", "helper.config", "may be written by others", false, t -> {
                    t.write("helper.conf", "sandbox_root=" + t.site + "/sandbox\nexecutable=/bin/bash\n");
                    t.mode("helper.conf", "rw-rw-rw-");
                    t.set("helper.config", "helper.conf");
                }),
                error(
                        "helper's configuration lacks a program",
                        "helper.config",
                        "add: executable=/bin/bash",
                        false,
                        t -> {
                            t.write("helper.conf", "sandbox_root=" + t.site + "/sandbox\n");
                            t.mode("helper.conf", "rw-r--r--");
                            t.set("helper.config", "helper.conf");
                        }),
                error(
                        "helper missing",
                        "helper.command",
                        "/no/helper is no program",
                        false,
                        t -> t.set("helper.command", "[/no/helper]")),
                error(
                        "batch system's command missing",
                        "lrms.slurm.bin-directory",
                        "sbatch is no program",
                        false,
                        t -> {
                            t.set("lrms.kind", "slurm");
                            t.set("lrms.slurm.bin-directory", "/no/slurm");
                        }),
                error(
                        "batch system down",
                        "lrms.kind",
                        "the queues of the batch system cannot be read",
                        false,
                        t -> t.slurm("echo 'Unable to contact slurm controller' >&2; exit 1")),
                error("GridFTP server missing", "gridftp.command", "/no/server is no program", false, t -> {
                    t.set("gridftp.enabled", "true");
                    t.set("gridftp.port", String.valueOf(FreePort.choose()));
                    t.set("gridftp.command", "/no/server");
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void names_what_is_broken(Case broken) throws Exception {
        broken.breaking().at(this);

        List<Finding> findings = findings();

        if (broken.alone()) {
            assertThat(findings).as("%s", texts(findings)).hasSize(1);
        }
        assertThat(findings).anySatisfy(f -> {
            assertThat(f.text())
                    .startsWith(broken.level() + ": gelato." + broken.key() + " (")
                    .contains(broken.what());
            assertThat(f.advice()).isNotBlank();
            assertThat(f.where()).matches("default|" + file + " line [0-9]+");
        });
    }

    private String trace(String... user) {
        List<ServerTrace.Step> steps =
                ServerTrace.steps(file, user[0], List.of(user).subList(1, user.length));
        assertThat(steps.subList(0, steps.size() - 1)).allMatch(ServerTrace.Step::passed);
        return steps.get(steps.size() - 1).text();
    }

    @Test
    void a_trace_ends_where_a_users_job_would_stop() throws Exception {
        assertThat(trace("/DC=test/CN=b")).startsWith("STOP mapping: ");
        assertThat(trace("/DC=test/CN=b", "/dteam")).doesNotStartWith("STOP mapping");
        assertThat(trace("/DC=test/CN=b", "/unknown"))
                .startsWith("STOP VOMS attributes: ")
                .contains("unknown has no .lsc");
        write("bans", "\"/DC=test/CN=a\"\n");
        assertThat(trace("/DC=test/CN=a"))
                .startsWith("STOP ban list: banned by ")
                .contains("bans:1");
        write("bans", "who knows\n");
        assertThat(trace("/DC=test/CN=a")).startsWith("STOP lists of users: ");
        write("bans", "");
        write("map", "\"/DC=test/CN=a\" daemon\n");
        assertThat(trace("/DC=test/CN=a")).startsWith("STOP account: the helper does not serve daemon");
        assertThatThrownBy(() -> trace("nobody")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_trace_of_a_token_ends_where_its_job_would_stop() throws Exception {
        TestIssuer issuer = TestIssuer.create("https://iam.example.org/", clock);
        String ann = issuer.name() + ",ann";
        assertThat(trace(ann, "compute.create"))
                .startsWith("STOP issuer: no token of " + issuer.name())
                .contains("gelato.tokens.issuers");
        Files.writeString(
                file,
                Files.readString(file) + "gelato.tokens.issuers = [{ issuer = \"" + issuer.name()
                        + "\", keys = \"keys.json\", vo = cms }]\n");
        assertThat(trace(ann, "compute.create"))
                .startsWith("STOP issuer: the keys of " + issuer.name())
                .contains("keys.json");
        issuer.writeJwks(site.resolve("keys.json"));
        assertThat(trace(ann, "compute.create")).startsWith("STOP mapping: " + ann);
        write("map", "\"" + issuer.name() + ",ann\" daemon\n\"" + issuer.name() + " group=/cms\" daemon\n");
        assertThat(trace(ann, "compute.read", "compute.modify"))
                .startsWith("STOP scopes: the token permits compute.read, compute.modify alone")
                .contains("compute.create");
        assertThat(trace(ann, "compute.create")).startsWith("STOP account: the helper does not serve daemon");
        assertThat(trace(issuer.name() + ",bob", "/cms")).startsWith("STOP account");
        assertThat(trace(issuer.name() + ",bob", "/other")).startsWith("STOP mapping");
        write("bans", "\"" + ann + "\"\n");
        assertThat(trace(ann, "compute.create")).startsWith("STOP ban list: ").contains("bans:1");
    }

    @Test
    void a_trace_of_a_token_fetches_the_keys_of_its_issuer() throws Exception {
        long before = leftovers();
        try (IssuerServer server = new IssuerServer(pki.user("localhost"))) {
            TestIssuer issuer = TestIssuer.create(server.url(), clock);
            Files.writeString(
                    file,
                    Files.readString(file) + "gelato.tokens.issuers = [{ issuer = \"" + issuer.name() + "\" }]\n");
            write("map", "\"/DC=test/CN=a\" " + account + "\n");
            assertThat(trace(issuer.name() + ",ann")).startsWith("STOP issuer: the keys of " + issuer.name());
            server.serve(issuer);
            List<ServerTrace.Step> steps = ServerTrace.steps(file, issuer.name() + ",ann", List.of("compute.create"));
            assertThat(steps.get(0).text()).startsWith("ok   issuer: ").contains("by 2 keys fetched now");
        }
        assertThat(leftovers()).isEqualTo(before);
    }

    @Test
    void a_trace_walks_to_the_batch_system() throws Exception {
        Path root = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-trace-");
        try {
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
            set("sandbox-root", root.resolve("sandbox").toString());
            assertThat(trace("/DC=test/CN=a")).startsWith("ok   batch system: " + account);
            TestIssuer issuer = TestIssuer.create("https://iam.example.org/", clock);
            issuer.writeJwks(site.resolve("keys.json"));
            Files.writeString(
                    file,
                    Files.readString(file) + "gelato.tokens.issuers = [{ issuer = \"" + issuer.name()
                            + "\", keys = \"keys.json\", vo = cms }]\n");
            write("map", "\"" + issuer.name() + "\" " + account + "\n\"/DC=test/CN=a\" " + account + "\n");
            List<ServerTrace.Step> steps = ServerTrace.steps(file, issuer.name() + ",ann", List.of("compute.create"));
            assertThat(steps)
                    .allMatch(ServerTrace.Step::passed)
                    .extracting(ServerTrace.Step::name)
                    .containsExactly("issuer", "ban list", "mapping", "scopes", "account", "sandbox", "batch system");
            assertThat(steps.get(5).what())
                    .contains(root.resolve("sandbox").resolve("cms").toString());
            slurm("echo 'Unable to contact slurm controller' >&2; exit 1");
            assertThat(trace("/DC=test/CN=a")).startsWith("STOP batch system: ");
        } finally {
            try (Stream<Path> all = Files.walk(root)) {
                for (Path p : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(p);
                }
            }
        }
    }

    @Test
    void names_what_a_server_lacks() {
        Findings findings = new Findings(KeyOrigins.of(file));

        DatabaseCheck.report(
                new DatabaseInspection(
                        "5.7.1", false, 1024, false, "STATEMENT", List.of("INDEX"), 1, 1, Duration.ofMinutes(-1)),
                findings);

        assertThat(texts(findings.all()))
                .hasSize(6)
                .anyMatch(t -> t.contains("the server is 5.7.1; use MariaDB 10.6"))
                .anyMatch(t -> t.contains("no InnoDB"))
                .anyMatch(t -> t.contains("binlog_format is STATEMENT"))
                .anyMatch(t -> t.contains("max_allowed_packet is 1024"))
                .anyMatch(t -> t.contains("lacks the rights INDEX"))
                .anyMatch(t -> t.contains("-60000 ms"));
    }

    @Test
    void a_configuration_that_cannot_be_read_is_refused() throws Exception {
        write("gelato.conf", "gelato.port = lots");

        assertThatThrownBy(this::findings)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("(line 1)");
    }

    /** docs/check.md has a row for each key that a check reports. */
    @Test
    void the_page_names_every_key() throws IOException {
        String page = Files.readString(Path.of("..").resolve("docs/check.md"));
        Path sources = Path.of("src/main/java/org/gelato/ce/ws/check");
        Set<String> keys = new TreeSet<>();
        try (Stream<Path> files = Files.list(sources)) {
            for (Path source : files.toList()) {
                Pattern.compile("\"(gelato\\.[a-z.-]+)\"")
                        .matcher(Files.readString(source))
                        .results()
                        .forEach(m -> keys.add(m.group(1)));
            }
        }
        assertThat(keys).hasSizeGreaterThan(25).allMatch(key -> page.contains('`' + key + '`'));
    }

    private static Case error(String name, String key, String what, Break breaking) {
        return error(name, key, what, true, breaking);
    }

    private static Case error(String name, String key, String what, boolean alone, Break breaking) {
        return new Case(name, "error", key, what, alone, breaking);
    }

    private List<Finding> findings() {
        return ServerCheck.findings(file, clock);
    }

    private List<String> texts() {
        return texts(findings());
    }

    private static List<String> texts(List<Finding> findings) {
        return findings.stream().map(Finding::text).toList();
    }

    private static long leftovers() throws IOException {
        String own = "gelato-check-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(f -> f.getFileName().toString().startsWith(own)).count();
        }
    }

    private void later(int days) {
        clock = Clock.offset(Clock.systemUTC(), Duration.ofDays(days));
    }

    private void take() throws IOException {
        taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    private static String ownKey() throws IOException {
        Path other = pki.user("another").write(Files.createTempFile(grid, "other", ".pem"));
        String text = Files.readString(other);
        int begin = text.indexOf("-----BEGIN", text.indexOf("PRIVATE KEY") - 20);
        String end = "PRIVATE KEY-----";
        return text.substring(begin, text.indexOf(end, text.indexOf(end) + 1) + end.length()) + "\n";
    }

    private static void newerSchema() {
        DB.database()
                .inTransaction(h -> h.execute("INSERT INTO flyway_schema_history (installed_rank, version, description,"
                        + " type, script, installed_by, execution_time, success)"
                        + " VALUES (9999, '9999', 'later', 'SQL', 'later', 'test', 1, 1)"));
    }

    private void slurm(String sinfo) throws IOException {
        Path bin = Files.createDirectory(site.resolve("bin"));
        for (String name : List.of("sbatch", "scancel", "squeue", "scontrol", "sinfo", "sacct")) {
            write("bin/" + name, "#!/bin/sh\n" + (name.equals("sinfo") ? sinfo : "exit 0") + "\n");
            mode("bin/" + name, "rwxr-xr-x");
        }
        set("lrms.kind", "slurm");
        set("lrms.slurm.bin-directory", bin.toString());
    }

    private String anchor(String ending) throws IOException {
        try (Stream<Path> files = Files.list(site.resolve("grid/certificates"))) {
            return files.filter(f -> f.toString().endsWith(ending))
                    .map(f -> site.relativize(f).toString())
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void set(String key, String value) throws IOException {
        String written = value.startsWith("[") ? value : "\"" + value + "\"";
        Files.writeString(file, Files.readString(file) + "gelato." + key + " = " + written + "\n");
    }

    private void delete(String name) throws IOException {
        Files.delete(site.resolve(name));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(site.resolve(name), text);
    }

    private void mode(String name, String mode) throws IOException {
        Files.setPosixFilePermissions(site.resolve(name), PosixFilePermissions.fromString(mode));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path f : files.toList()) {
                Files.copy(f, to.resolve(from.relativize(f).toString()));
            }
        }
    }
}
