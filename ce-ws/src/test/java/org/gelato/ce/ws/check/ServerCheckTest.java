package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.core.db.DatabaseInspection;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.token.TestIssuer;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.KeyOrigins;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Breaks a valid site, one thing at a time: the check names that thing, and nothing else. */
class ServerCheckTest extends CheckedSite {
    private static final String ISSUER = "https://iam.example.org/";

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

    @Test
    void aValidSiteHasNoFindingsAndNothingIsLeftBehind() throws Exception {
        long before = leftovers();

        assertThat(texts()).isEmpty();
        assertThat(leftovers()).isEqualTo(before);
    }

    @Test
    void whatAKilledCheckLeftIsRemovedByTheNextOne() throws Exception {
        Path old = Files.createDirectory(
                Path.of(System.getProperty("java.io.tmpdir")).resolve("gelato-check-9999999-" + System.nanoTime()));
        Files.createFile(old.resolve("helper.conf"));

        assertThat(texts()).isEmpty();
        assertThat(old).doesNotExist();
    }

    private void issuer(String keys) throws IOException {
        set("tokens.issuers", "[{ issuer = \"" + ISSUER + "\", keys = \"" + keys + "\" }]");
    }

    private void webhook(String secret) throws IOException {
        set("events.webhooks", "[{ name = a, url = \"https://localhost:1/x\", secret-file = \"" + secret + "\" }]");
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
                        "a key of the version before",
                        "warning",
                        "http.max-body",
                        "is fixed at 10 MiB since 0.11.0",
                        true,
                        t -> t.set("http.max-body", "1 MiB")),
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
                error("CA damaged", "tls.ca-directory", "it is left out", t -> t.write(t.anchor(".0"), "x")),
                error(
                        "CRL ended",
                        "tls.ca-directory",
                        " are refused: the CRL of ",
                        false,
                        t -> GridPki.open(t.site.resolve("grid"), "ce.example.org")
                                .endRevocationList(Instant.now().minusSeconds(60))),
                new Case(
                        "VO without .lsc",
                        "warning",
                        "tls.voms-directory",
                        "extra has no .lsc file",
                        true,
                        t -> t.write("map", "\"/extra\" " + account + "\n")),
                new Case(
                        ".lsc reversed",
                        "warning",
                        "tls.voms-directory",
                        "has the issuer of the server's certificate before its subject",
                        true,
                        t -> t.write(
                                "grid/vomsdir/dteam/voms.gelato.test.lsc", "/DC=a/CN=CA\n/DC=a/CN=voms.gelato.test\n")),
                error(
                        ".lsc damaged",
                        "tls.voms-directory",
                        "is no DN in slash form",
                        t -> t.write("grid/vomsdir/dteam/voms.gelato.test.lsc", "who knows\n")),
                error(
                        "no keys of an issuer",
                        "tokens.issuers",
                        "nosuch.jwks does not exist",
                        t -> t.issuer("nosuch.jwks")),
                error("keys damaged", "tokens.issuers", "keys.json can't be used", t -> {
                    t.write("keys.json", "{");
                    t.issuer("keys.json");
                }),
                error("keys that everybody may write", "tokens.issuers", "can be written by everybody", t -> {
                    TestIssuer.create(ISSUER, t.clock).writeJwks(t.site.resolve("keys.json"));
                    t.mode("keys.json", "rw-rw-rw-");
                    t.issuer("keys.json");
                }),
                error(
                        "no secret of a webhook",
                        "events.webhooks",
                        "nosecret does not exist",
                        t -> t.webhook("nosecret")),
                error("short secret of a webhook", "events.webhooks", "fewer than 16 characters", t -> {
                    t.write("secret", "short");
                    t.webhook("secret");
                }),
                error("secret that everybody may write", "events.webhooks", "can be written by everybody", t -> {
                    t.write("secret", "0123456789abcdef");
                    t.mode("secret", "rw-rw-rw-");
                    t.webhook("secret");
                }),
                error("secret that everybody may read", "events.webhooks", "can be read by everybody", t -> {
                    t.write("secret", "0123456789abcdef");
                    t.mode("secret", "rw-r--r--");
                    t.webhook("secret");
                }),
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
                        "runtime environment of a route",
                        "routes",
                        "route all gives its jobs the runtime environment APPS/GONE, which does not exist",
                        t -> {
                            Files.createDirectory(t.site.resolve("rte"));
                            t.write("rte/GOOD", "true\n");
                            t.set("wrapper.runtime-environments", "rte");
                            t.set("routes", "[{ name = all, runtime-environments = [good, env/proxy, APPS/GONE] }]");
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
                        "helper's configuration lacks the shell of submit attributes",
                        "helper.config",
                        "add: executable=/bin/bash",
                        false,
                        t -> {
                            t.set("lrms.kind", "slurm");
                            t.set("lrms.slurm.submit-attributes", "map");
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
                        "the site's submit attributes missing",
                        "lrms.slurm.submit-attributes",
                        "nowhere.sh",
                        false,
                        t -> {
                            t.set("lrms.kind", "slurm");
                            t.set("lrms.slurm.submit-attributes", "nowhere.sh");
                        }),
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
    void namesWhatIsBroken(Case broken) throws Exception {
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

    /** Its nodes are shown by the collector, also where no schedd takes jobs; and it has no queues that could be missing. */
    @Test
    void anHTCondorIsAskedForItsScheddAndNotForQueues() throws Exception {
        Path bin = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-check-");
        try {
            Files.setPosixFilePermissions(bin, PosixFilePermissions.fromString("rwxr-xr-x"));
            condor(bin, "exit 0");
            set("lrms.queues", "[long, short]");
            assertThat(texts()).isEmpty();
            condor(bin, "echo 'Error: unknown host nosuch.htc' >&2; exit 1");
            assertThat(texts())
                    .singleElement()
                    .asString()
                    .startsWith("error: gelato.lrms.kind (")
                    .contains("takes jobs does not respond: unknown host nosuch.htc");
        } finally {
            deleteAll(bin);
        }
    }

    @Test
    void eachAccountAndOneOfEachPoolIsTriedAtTheBatchSystem() {
        Map<String, String> accounts = new TreeMap<>(Map.of("bob", "map line 3", "cms001", "pools", "cms002", "pools"));
        accounts.putAll(Map.of("prod1", "map line 1", "prod2", "map line 2", "atlas07", "pools"));
        assertThat(HelperCheck.oneOfEachPool(List.copyOf(accounts.keySet()), accounts, "pools"))
                .containsExactly("atlas07", "bob", "cms001", "prod1", "prod2");
        IntStream.range(0, 1000).forEach(i -> accounts.put("atlas" + i, "pools"));
        assertThat(HelperCheck.probed(accounts, "pools"))
                .as("no pool hides those behind it")
                .hasSize(1000)
                .startsWith("atlas0", "bob", "cms001", "prod1", "prod2");
        Findings findings = new Findings(KeyOrigins.of(file));
        HelperCheck.left(findings, 0, 0);
        assertThat(findings.all()).isEmpty();
        HelperCheck.left(findings, 7, 8);
        assertThat(findings.all())
                .allMatch(found -> found.level() == Finding.Level.NOTE)
                .extracting(Finding::what)
                .satisfiesExactly(
                        what -> assertThat(what).startsWith("7 more accounts were not looked at"),
                        what -> assertThat(what).startsWith("8 more accounts were not tried at the batch system"));
    }

    @Test
    void anAccountThatTheBatchSystemRefusesAloneIsNamed() {
        List<String> tried = new ArrayList<>();
        LrmsSite site = (LrmsSite) Proxy.newProxyInstance(
                LrmsSite.class.getClassLoader(), new Class<?>[] {LrmsSite.class}, (proxy, method, arguments) -> {
                    tried.add(arguments[1].toString());
                    return arguments[1].equals("down")
                            ? CompletableFuture.failedFuture(new LrmsException("no response"))
                            : CompletableFuture.completedFuture(Optional.of(arguments[1])
                                    .filter("htcb"::equals)
                                    .map(one -> new LrmsSite.Unsupported("gelato.lrms.kind", one + " is denied", "x")));
                });
        Findings findings = new Findings(KeyOrigins.of(file));
        HelperCheck.refusals(site, null, List.of("htca", "htcb", "htcc", "down", "htcd"), findings);
        assertThat(tried).containsExactly("htca", "htcb", "htcc", "down");
        HelperCheck.unsupported(findings, new LrmsSite.Unsupported("gelato.sandbox.shared", "some nodes", "x", true));
        assertThat(findings.all()).extracting(Finding::what).containsExactly("htcb is denied", "some nodes");
        assertThat(findings.all())
                .extracting(Finding::level)
                .containsExactly(Finding.Level.ERROR, Finding.Level.WARNING);
    }

    @Test
    void thePortOfACeThatRunsIsItsOwn() throws Exception {
        try (ServerSocket ce = listener(pki)) {
            assertThat(ce.isBound()).isTrue();
            assertThat(texts())
                    .singleElement()
                    .asString()
                    .startsWith("note: gelato.port (")
                    .contains("port " + port + " is this CE's own, which runs");
        }
    }

    @Test
    void pathsThatAHelperOfRootRefusesAreNamedWithWhatToType() throws Exception {
        assumeTrue(
                Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")),
                "a helper without root takes the paths of its own account");
        Path foreign = Files.createDirectory(site.resolve("foreign"));
        Files.setAttribute(foreign, "unix:uid", 65534);
        set("sandbox-root", foreign + "/sandbox");
        write(
                "helper.conf",
                "sandbox_root=" + foreign + "/sandbox\nmin_uid=1000\nexecutable=/bin/bash\nself_executable=" + foreign
                        + "/scontrol ping\n");
        mode("helper.conf", "rw-r--r--");
        set("helper.config", "helper.conf");
        assertThat(texts())
                .anyMatch(t -> t.startsWith("error: gelato.sandbox-root (")
                        && t.contains("the helper does not start with the sandbox root " + foreign + "/sandbox: "))
                .anyMatch(t -> t.startsWith("error: gelato.helper.config (")
                        && t.contains("the helper leaves out the line self_executable=" + foreign + "/scontrol ping,"))
                .filteredOn(t -> t.contains(foreign + " belongs to uid 65534, its mode is 0755")
                        && t.contains("run: chown root " + foreign))
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aCertificateThatIsRenewedDoesNotMakeARunningCeAStranger() throws Exception {
        try (ServerSocket ce = listener(pki)) {
            assertThat(ce.isBound()).isTrue();
            OwnCertificate.write(site, Files.readString(site.resolve("grid/hostcert.pem")));
            GridPki renewed = GridPki.open(site.resolve("renewed"), "ce.example.org");
            Files.writeString(site.resolve("grid/hostcert.pem"), Files.readString(renewed.hostCertificate()));
            Files.writeString(site.resolve("grid/hostkey.pem"), Files.readString(renewed.hostKey()));

            assertThat(texts())
                    .hasSize(2)
                    .anyMatch(t -> t.contains("is this CE's own"))
                    .anyMatch(t -> t.startsWith("warning: gelato.tls.host-certificate (")
                            && t.contains("the CE that runs does not serve with"));
        }
    }

    @Test
    void aStrangerWithTlsOnThePortIsNoneOfOurs() throws Exception {
        GridPki other = GridPki.open(site.resolve("other"), "ce.example.org");
        try (ServerSocket stranger = listener(other)) {
            assertThat(stranger.isBound()).isTrue();
            assertThat(texts()).singleElement().asString().contains("cannot be listened on", "stop what listens there");
        }
    }

    @Test
    void namesWhatAServerLacks() {
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
    void aConfigurationThatCannotBeReadIsRefused() throws Exception {
        write("gelato.conf", "gelato.port = lots");

        assertThatThrownBy(this::findings)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("(line 1)");
    }

    /** docs/admin/check.md names each key that a check reports. */
    @Test
    void thePageNamesEveryKey() throws IOException {
        String page = Files.readString(Path.of("..").resolve("docs/admin/check.md"));
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

    /** Serves TLS with a grid's host certificate on the configured port until it is closed. */
    private ServerSocket listener(GridPki of) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(new KeyManager[] {of.host().x509().getKeyManager()}, null, null);
        ServerSocket socket =
                tls.getServerSocketFactory().createServerSocket(port, 5, InetAddress.getLoopbackAddress());
        Thread server = new Thread(() -> {
            while (!socket.isClosed()) {
                try (SSLSocket client = (SSLSocket) socket.accept()) {
                    client.startHandshake();
                } catch (IOException e) {
                    // Closed, or a client that refuses the certificate.
                }
            }
        });
        server.setDaemon(true);
        server.start();
        return socket;
    }

    private static Case error(String name, String key, String what, Break breaking) {
        return error(name, key, what, true, breaking);
    }

    private static Case error(String name, String key, String what, boolean alone, Break breaking) {
        return new Case(name, "error", key, what, alone, breaking);
    }
}
