package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.UnusedAccounts;
import org.gelato.ce.core.admission.AdmissionLimits;
import org.gelato.ce.core.admission.HostLimits;
import org.gelato.ce.core.wrapper.MessageSettings;
import org.gelato.ce.core.wrapper.ProxyGuard;
import org.gelato.ce.core.wrapper.WrapperPatience;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.slurm.SlurmSite;
import org.gelato.ce.ws.config.WrapperConfig.Events;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CeConfigTest {
    @TempDir
    private Path directory;

    @Test
    void durationsAndSizesThatAFileSetsAreShownAsTheyAreUnderstood() throws IOException {
        Path file = Files.writeString(directory.resolve("measures.conf"), """
                gelato.jobs.max-lease-time = "36000 s"
                gelato.tls.refresh = 1500ms
                gelato.sandbox.max-input = 1536 KiB
                gelato.http.threads = 100
                """);
        assertThat(CeConfig.measures(file))
                .containsExactly(
                        Map.entry("gelato.jobs.max-lease-time", "10 h"),
                        Map.entry("gelato.sandbox.max-input", "1536 KiB"),
                        Map.entry("gelato.tls.refresh", "1 s 500 ms"));
        assertThat(CeConfig.measures(Files.writeString(file, ""))).isEmpty();
    }

    /** Root bans and drains in spite of mistakes that were made since its start. */
    @Test
    void theCeThatRunsIsReachedByAFileWithMistakes() throws IOException {
        Path file = Files.writeString(directory.resolve("site.conf"), """
                gelato { port = 9443, home = "/srv/gelato", tls.host-certificate = "/srv/cert.pem" }
                gelato.lrms.quues = ["long"]
                """);
        ConfigurationException mistakes = catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file));
        CeConfig reached = CeConfig.ofRunning(file, mistakes);
        assertThat(reached.port()).isEqualTo(9443);
        assertThat(reached.home()).hasToString("/srv/gelato");
        assertThat(reached.tls().hostCertificate()).hasToString("/srv/cert.pem");
        Files.writeString(file, "gelato { port = many, x = 1 }");
        ConfigurationException worse = catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file));
        assertThatThrownBy(() -> CeConfig.ofRunning(file, worse)).isSameAs(worse);
    }

    /** The library takes it for an empty one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "include \"site-limts.conf\"",
                "include \"site-limts\"",
                "include file(\"/nowhere/site-limts.conf\")",
                "gelato { include \"site-limts.conf\" }"
            })
    void anIncludedFileThatIsNotThereIsNamedWithItsLine(String include) throws IOException {
        Path file = Files.writeString(directory.resolve("site.conf"), "gelato.port = 1\n" + include + "\n");
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file)))
                .hasMessageContaining("site-limts")
                .hasMessageContaining(include.startsWith("include") ? file + " line 2" : file.toString());
    }

    @Test
    void includedFilesCountAndOneThatIsNotThereIsNamedInTheirs() throws IOException {
        Path file = Files.writeString(directory.resolve("site.conf"), "include \"more.conf\"\n");
        Path more = Files.writeString(directory.resolve("more.conf"), "gelato.port = 9443\n");
        assertThat(CeConfig.load(file).port()).isEqualTo(9443);
        Files.writeString(more, "gelato.port = 9443\ninclude \"nowhere.conf\"\n");
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file)))
                .hasMessageContaining(more + " line 2")
                .hasMessageContaining("nowhere.conf");
        Files.writeString(more, "include \"site.conf\"\n");
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file)))
                .isNotNull();
    }

    @Test
    void handOversAtOnceAreTheBatchSystemsUnlessTheSiteSays() throws IOException {
        assertThat(load("").lrms().handOver().mostAtOnce()).isEqualTo(50);
        assertThat(load("gelato.lrms.kind = condor").lrms().handOver().mostAtOnce())
                .isEqualTo(300);
        assertThat(load("gelato.lrms { kind = condor, hand-over.most-at-once = 7 }")
                        .lrms()
                        .handOver()
                        .mostAtOnce())
                .isEqualTo(7);
    }

    /** As after an upgrade whose line is not in helper.conf yet: then nothing is compared. */
    @ParameterizedTest
    @EnumSource
    void aBatchSystemWhoseCommandTheHelperRefusesDoesNotSayWhichItIs(AccountCommandException.Code code)
            throws IOException {
        AccountCommands helper = new UnusedAccounts() {
            @Override
            public CompletableFuture<Completed> run(String account, Run run) {
                return CompletableFuture.failedFuture(new AccountCommandException(code, "scontrol"));
            }
        };
        CompletableFuture<Optional<String>> identity = load("gelato.lrms.kind = slurm")
                .lrms()
                .identity(directory, helper)
                .get();
        if (code == AccountCommandException.Code.REFUSED) {
            assertThat(identity).isCompletedWithValue(Optional.empty());
        } else {
            assertThat(identity).isCompletedExceptionally();
        }
    }

    @Test
    void anEmptyFileMeansTheDefaults() throws IOException {
        CeConfig config = load("");

        assertThat(config.home()).isEqualTo(Path.of("/var/lib/gelato"));
        assertThat(config.port()).isEqualTo(8443);
        assertThat(config.host()).isNotEmpty();
        assertThat(config.tls().crl()).isEqualTo(CrlCheckingMode.IF_VALID);
        assertThat(config.tls().refresh()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.database().isEmbedded()).isTrue();
        assertThat(config.database().embedded().directory()).isEqualTo(Path.of("/var/lib/gelato/database"));
        assertThat(config.database().embedded().bufferPool()).isEqualTo(128L << 20);
        assertThat(config.sandboxRoot()).isEqualTo(Path.of("/var/lib/gelato/sandbox"));
        assertThat(config.lrms().kind()).isEqualTo("fork");
        assertThat(config.lrms().queues()).containsExactly("default");
        assertThat(config.wrapper())
                .isEqualTo(new WrapperConfig(
                        Events.SPOOL,
                        Path.of("/etc/grid-security/certificates"),
                        new ProxyGuard(Duration.ofHours(1), Duration.ofSeconds(60)),
                        null,
                        TransferPrograms.NONE,
                        new WrapperPatience(
                                Duration.ofHours(2),
                                Duration.ofHours(1),
                                Path.of("/var/tmp"),
                                4L << 30,
                                Duration.ofMinutes(10))));
        assertThat(config.http().maxBody()).isEqualTo(10L << 20);
        assertThat(config.helper().command()).isEmpty();
        assertThat(config.admission())
                .isEqualTo(new AdmissionLimits(new HostLimits(40, 40, 20, 95, 95, 500, 95, -1), 800, -1, -1, 5000));
    }

    @Test
    void connectionsOfGridftpCountWhereThereIsGridftp() throws IOException {
        assertThat(load("gelato.gridftp.enabled = true").admission().host().ftpConnections())
                .isEqualTo(30);
    }

    @Test
    void accountsOfMonitoringAreNamesOrNumbers() throws IOException {
        assertThat(load("gelato.monitoring.accounts = [root, 4711]")
                        .monitoring()
                        .accounts())
                .containsExactlyInAnyOrder(0, 4711);
        assertThat(load("").monitoring().accounts()).isEmpty();
        assertThat(problems("gelato.monitoring.accounts = [no-such-account]"))
                .singleElement()
                .asString()
                .contains("gelato.monitoring.accounts", "no-such-account is not in /etc/passwd", "id -u");
    }

    @Test
    void aSiteSaysOnlyWhatDiffers() throws IOException {
        CeConfig config = load("""
                gelato {
                  home = "run"
                  host = "CE.Example.ORG"
                  port = 9443
                  sandbox-root = ${gelato.home}/../boxes
                  lrms { kind = slurm, queues = [short, long], poll-interval = 30s }
                  tls { crl = require, ca-directory = "anchors" }
                  database { url = "jdbc:mysql://db.example.org:3306/gelato?sslMode=REQUIRED", pool-size = 7 }
                  sandbox.max-input = 1 MiB
                }
                """);

        assertThat(config.home()).isEqualTo(directory.resolve("run"));
        assertThat(config.wrapper().caDirectory()).isEqualTo(directory.resolve("run/anchors"));
        assertThat(config.sandboxRoot()).isEqualTo(directory.resolve("run/boxes"));
        assertThat(config.baseUrl()).hasToString("https://ce.example.org:9443");
        assertThat(config.lrms().kind()).isEqualTo("slurm");
        assertThat(config.lrms().site()).isEqualTo(new SlurmSite(SlurmConfig.DEFAULT));
        assertThat(config.lrms().queues()).containsExactly("short", "long");
        assertThat(config.lrms().pollInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.tls().crl()).isEqualTo(CrlCheckingMode.REQUIRE);
        assertThat(config.database().isEmbedded()).isFalse();
        assertThat(config.database().external().poolSize()).isEqualTo(7);
        assertThat(config.sandbox().maxInput()).isEqualTo(1L << 20);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    gelato.port = 70000                  | gelato.port = 70000 (line 1) is not a whole number from 0 to 65535
                    gelato.port = lots                   | gelato.port = "lots" (line 1) is not a whole number
                    gelato.port = null                   | gelato.port = null is not a whole number
                    gelato.port { a = 1 }                | gelato.port = {"a":1} (line 1) is not a whole number
                    gelato.host = "my host"              | gelato.host = "my host" (line 1) is not a host name
                    gelato.address = "ce.example.org"    | is not empty or an IP address
                    gelato.home = ""                     | gelato.home = "" (line 1) is not a path
                    gelato.tls.crl = sometimes           | is not one of require, if-valid, ignore
                    gelato.tls.refresh = 10 parsecs      | gelato.tls.refresh = "10 parsecs" (line 1) is not a duration from 1 s to 86400 s
                    gelato.database.connection-timeout = 0s | is not a duration from 250 ms to 300 s
                    gelato.wrapper.events = smoke        | gelato.wrapper.events = "smoke" (line 1) is not empty or one of spool, https
                    gelato { wrapper.events = spool, sandbox.shared = false } | gelato.wrapper.events = "spool" (line 1) is not https where gelato.sandbox.shared = false
                    gelato.lrms.slurm.node-output = "x"  | is not empty or an absolute path
                    gelato.lrms.slurm.accounting = perhaps | is not one of auto, yes, no
                    gelato.gridftp.data-ports = "51000-50000" | is not empty or a range of ports
                    gelato.gridftp.data-ports = "50000-70000" | is not empty or a range of ports
                    gelato.lrms.kind = lsf               | is not one of slurm, torque, condor, blahp, fork
                    gelato.lrms { kind = blahp, blahp.grid-type = lsf, blahp.accounting-log = /log }       | gelato.lrms.blahp.command = [] (default) is not the absolute path of blahpd
                    gelato.lrms { kind = blahp, blahp.command = [blahpd], blahp.grid-type = lsf, blahp.accounting-log = /log }    | gelato.lrms.blahp.command = ["blahpd"] (line 1) is not the absolute path of blahpd
                    gelato.lrms { kind = blahp, blahp.command = [/bin/blahpd], blahp.accounting-log = /log } | gelato.lrms.blahp.grid-type = "" (default) is not the name of blahpd's scripts
                    gelato.lrms { kind = blahp, blahp.command = [/bin/blahpd], blahp.grid-type = lsf }     | gelato.lrms.blahp.accounting-log = "" (default) is not the path of blahpd's log
                    gelato.lrms.queues = []              | gelato.lrms.queues = [] (line 1) is not a list of different queue names
                    gelato.lrms.queues = ["a b"]         | is not a list of different queue names
                    gelato.lrms.queues = [a, a]          | is not a list of different queue names
                    gelato.lrms.fork.slots = 0           | is not a whole number from 1 to 10000
                    gelato.sandbox.max-input = 0 B           | is not a size from 1 to 1125899906842624 bytes
                    gelato.sandbox.max-input = huge          | gelato.sandbox.max-input = "huge" (line 1) is not a size
                    gelato.jobs.purge-policy = "IDLE 1 days" | gelato.jobs.purge-policy = "IDLE 1 days" (line 1): "IDLE 1 days" names no state
                    gelato.jobs.max-lease-time = 0s      | is not a duration from 1 s to 31536000 s
                    gelato.jobs.max-lease-time = 36000   | gelato.jobs.max-lease-time = 36000 (line 1) has no unit, and would be milliseconds: write "36000 s" for seconds
                    gelato.jobs.max-lease-time = "36000" | has no unit, and would be milliseconds: write "36000 s" for seconds
                    gelato.tls.refresh = 0.5             | has no unit, and would be milliseconds: write "0.5 s" for seconds
                    gelato.sandbox.max-input = 10            | gelato.sandbox.max-input = 10 (line 1) has no unit, and would be bytes: write "10 B" for bytes, "10 MiB" for mebibytes
                    gelato.database.url = "jdbc:h2:mem"  | is not empty or jdbc:mysql://host/database
                    gelato.tls = on                      | gelato.tls is a section, not a value: write gelato.tls { ... } (line 1)
                    gelato.admission.memory = 101        | is not a whole number from -1 to 100
                    gelato.prot = 8443                   | there is no key gelato.prot (line 1); did you mean gelato.port?
                    gelato.threads = 9                   | there is no key gelato.threads (line 1); did you mean gelato.http.threads?
                    gelato.lrms.pol-interval = 9         | did you mean gelato.lrms.poll-interval?
                    gelato.zzzzzzzzzzzz = 9              | there is no key gelato.zzzzzzzzzzzz (line 1)
                    port = 9                             | there is no key port (line 1); did you mean gelato.port?
                    gelato { port = 1                    | expecting
                    gelato.home = ${nowhere}             | nowhere
                    """)
    void saysWhichKeyIsWrongAndWhatIsAccepted(String text, String expected) throws IOException {
        assertThat(problems(text)).hasSize(1).first().asString().containsIgnoringCase(expected);
    }

    @Test
    void wrappersReportOverHttpsWhereTheyDoNotSeeTheSandboxes() throws IOException {
        CeConfig config = load("gelato { home = run, sandbox.shared = false }");
        assertThat(config.wrapper().events()).isEqualTo(Events.HTTPS);
        assertThat(config.sandbox().shared()).isFalse();
    }

    @Test
    void anOwnerHasRoomForTheMessagesOfOneJob() throws IOException {
        CeConfig config = load("gelato.messages { per-job = 100, bytes-per-owner = 8 MiB }");
        assertThat(config.messages().job()).isEqualTo(new MessageSettings(100, 4 << 20, 4 << 20));
        assertThat(config.messages().bytesPerOwner()).isEqualTo(8 << 20);
        assertThat(load("gelato.messages { per-job = 0, bytes-per-owner = 1 MiB }")
                        .messages()
                        .job()
                        .isOn())
                .isFalse();
        assertThat(problems("gelato.messages.bytes-per-owner = 7 MiB"))
                .singleElement()
                .asString()
                .contains("gelato.messages.bytes-per-owner")
                .contains("together are 8388608 bytes");
        assertThat(problems("gelato.messages { per-job = -1, bytes-per-job = 1 B, output-per-job = 1 TiB }"))
                .hasSize(3);
    }

    @Test
    void namesAllProblemsAtOnce() throws IOException {
        assertThat(problems("gelato { port = -1, lrms.kind = pbs, http.threads = 1 }"))
                .hasSize(3);
        assertThat(problems("gelato { prot = 8443, port = -1, http.thread = 9, lrms.kind = pbs }"))
                .as("beside misspelt keys")
                .hasSize(4);
    }

    @Test
    void saysThatTheFileIsMissing() {
        ConfigurationException e = catchThrowableOfType(
                ConfigurationException.class, () -> CeConfig.load(directory.resolve("absent.conf")));

        assertThat(e).hasMessageContaining("absent.conf");
    }

    @Test
    void readsThePasswordFromTheFirstLineAndDoesNotShowIt() throws IOException {
        Files.writeString(directory.resolve("secret"), "s3cret\nsecond\n");
        CeConfig config = load("gelato.home = \".\"\ngelato.database { url = \"jdbc:mysql://db/gelato\","
                + " password-file = secret }");

        assertThat(config.database().external().password()).isEqualTo("s3cret");
        assertThat(config + " " + config.database().external()).doesNotContain("s3cret");
    }

    private List<String> problems(String text) throws IOException {
        Path file = write(text);
        ConfigurationException e = catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file));
        assertThat(e).as("refused").isNotNull();
        return e.problems();
    }

    private CeConfig load(String text) throws IOException {
        return CeConfig.load(write(text));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("gelato.conf"), text);
    }
}
