package org.gelato.ce.it.glue2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.it.arcrest.PythonClient;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.glue.GlueDirectory;
import org.gelato.ce.testkit.glue.GlueRules;
import org.gelato.ce.testkit.glue.LdifEntry;
import org.gelato.ce.testkit.glue.LdifReader;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.ws.glue2.Glue2Model;
import org.gelato.ce.ws.glue2.Ldif;
import org.gelato.ce.ws.glue2.Readings;
import org.gelato.ce.ws.glue2.SiteFacts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ce glue2} of a running CE, by those who take it: Debian's slapd with GLUE's schemas, its bdii, DIRAC. */
class Glue2IT {
    private static final Path UPDATE = Path.of("/usr/sbin/bdii-update");
    private static final Path ARCINFO = Path.of("/usr/bin/arcinfo");
    private static final String SITE = "EXAMPLE-SITE";
    private static final String OF_RESOURCE = "GLUE2GroupID=resource,o=glue";
    /** As the BDIIs of a site and above it have it. */
    private static final String OF_GRID = "GLUE2GroupID=resource,GLUE2DomainID=" + SITE + ",GLUE2GroupID=grid,o=glue";

    private static final Map<String, Object> SETTINGS = Map.of(
            "gelato.lrms.fork.slots",
            4,
            "gelato.information",
            Map.of(
                    "site",
                    SITE,
                    "interval",
                    "1 s",
                    "location",
                    Map.of("place", "Gen\u00e8ve", "latitude", "46.23", "longitude", "6.05"),
                    "environments",
                    List.of(Map.of(
                            "name",
                            "nodes",
                            "platform",
                            "x86_64",
                            "memory",
                            64000,
                            "os-family",
                            "linux",
                            "os-name",
                            "Debian",
                            "inbound",
                            false,
                            "outbound",
                            true,
                            "benchmarks",
                            Map.of("hep-spec06", "12.5"))),
                    "queues",
                    List.of(Map.of(
                            "queue", "long",
                            "max-wall-time", "72 h",
                            "max-cpu-time", "72 h",
                            "max-slots-per-job", 4)),
                    "storage",
                    List.of(Map.of("id", "se.example.org", "local-path", "/data"))));

    private static SiteCe ce;
    private static SiteUser ann;
    private static String ldif;

    @TempDir
    private Path folder;

    private GlueDirectory directory;

    @BeforeAll
    static void start() {
        ce = new SiteCe("glue2", "fork", JobAccount.name(), SETTINGS).start();
        ann = ce.user("Ann of glue2");
        String id = ann.submit(SiteUser.sleepJob(600));
        ann.await(id, "REALLY-RUNNING");
        Awaitility.await("the job is in the file")
                .until(() -> provided().contains("GLUE2ComputingShareRunningJobs: 1\n"));
        ldif = provided();
    }

    private static String provided() {
        return ann.run("", "glue2", "--file", file().toString()).out();
    }

    private static Path file() {
        return ce.base().resolve("state").resolve("glue2.ldif");
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    @BeforeEach
    void missing() {
        GlueDirectory.missing().ifPresent(reason -> Skipped.because("Glue2", reason));
    }

    private List<LdifEntry> found(String base, String filter) throws IOException {
        GlueDirectory.Outcome found = directory.search(base, filter);
        assertThat(found.exit()).as(found.err()).isZero();
        return LdifReader.read(fold(found.out()));
    }

    /** ldapsearch was told not to wrap. */
    private static String fold(String text) {
        StringBuilder folded = new StringBuilder();
        text.lines()
                .forEach(line ->
                        folded.append(line.replaceAll("(.{75})(?=.)", "$1\n ")).append('\n'));
        return folded.toString();
    }

    @Test
    void slapdTakesEveryEntryAndFindsWhatClientsLookFor() throws IOException {
        List<LdifEntry> entries = LdifReader.read(ldif);
        assertThat(GlueRules.broken(entries, Instant.now())).isEmpty();
        try (GlueDirectory started = new GlueDirectory(folder, FreePort.choose()).start()) {
            directory = started;
            GlueDirectory.Outcome added = directory.add(ldif);
            assertThat(added.err()).isEmpty();
            assertThat(added.exit()).isZero();
            // A site's BDII, and arcinfo, which takes whatever there is.
            assertThat(found(OF_RESOURCE, "(GLUE2EntityCreationTime=*)")).hasSameSizeAs(entries);
            assertThat(found(
                            "o=glue",
                            "(&(!(GLUE2GroupID=ComputingActivities))(!(ObjectClass=GLUE2ComputingActivity))"
                                    + "(objectClass=GLUE2Entity))"))
                    .hasSameSizeAs(entries);
            // CRIC.
            assertThat(found(
                            OF_RESOURCE,
                            "(&(objectClass=GLUE2ComputingEndpoint)(GLUE2EndpointInterfaceName=org.glite.ce.CREAM))"))
                    .singleElement()
                    .satisfies(e -> assertThat(e.one("GLUE2EndpointURL"))
                            .isEqualTo("https://localhost:" + ce.port() + "/ce-cream/services"));
            // DIRAC.
            for (String rule : List.of("VO:dteam", "vo:dteam")) {
                List<LdifEntry> policies =
                        found("o=glue", "(&(objectClass=GLUE2MappingPolicy)(GLUE2PolicyRule=" + rule + "))");
                assertThat(policies).hasSize(2);
                List<LdifEntry> shares = found(
                        "o=glue",
                        "(&(objectClass=GLUE2Share)(GLUE2ShareID="
                                + policies.get(0).one("GLUE2MappingPolicyShareForeignKey") + "))");
                assertThat(shares)
                        .singleElement()
                        .satisfies(share -> assertThat(found(
                                        "o=glue",
                                        "(&(objectClass=GLUE2ExecutionEnvironment)(GLUE2ResourceID="
                                                + share.one("GLUE2ComputingShareExecutionEnvironmentForeignKey")
                                                + "))"))
                                .singleElement()
                                .satisfies(e -> assertThat(e.one("GLUE2ExecutionEnvironmentMainMemorySize"))
                                        .isEqualTo("64000")));
            }
            assertThat(found("o=glue", "(objectClass=GLUE2Location)"))
                    .singleElement()
                    .satisfies(e -> assertThat(e.one("GLUE2LocationPlace")).isEqualTo("Gen\u00e8ve"));
        }
    }

    /** By its directory interface, as the site's users run it. */
    @Test
    void arcinfoShowsTheQueuesOfTheDirectory() throws IOException, InterruptedException {
        if (!Files.isExecutable(ARCINFO)) {
            Skipped.because("Glue2", "nordugrid-arc-client is not installed");
        }
        try (GlueDirectory started = new GlueDirectory(folder, FreePort.choose()).start()) {
            directory = started;
            assertThat(directory.add(ldif).err()).isEmpty();
            ProcessBuilder builder = new ProcessBuilder(
                            ARCINFO.toString(),
                            "-l",
                            "-d",
                            "VERBOSE",
                            "-I",
                            "org.nordugrid.ldapglue2",
                            "ldap://" + directory.address() + "/o=glue")
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile());
            builder.environment().put("HOME", folder.toString());
            builder.environment().put("X509_USER_PROXY", proxy().toString());
            builder.environment().put("X509_CERT_DIR", ce.pki().certificates().toString());
            Process process = builder.start();
            String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(shown)
                    .contains("ID: urn:ogf:ComputingService:localhost:gelato")
                    .contains("URL: https://localhost:" + ce.port() + "/arex\n    Interface: org.nordugrid.arcrest\n")
                    .contains("Resource manager: fork", "2 Shares", "Rule: vo:dteam")
                    .contains("Name: long_dteam\n    Mapping queue: long\n    Max wall-time: 72 hours")
                    .contains("Running jobs: 1");
        }
    }

    private static Path proxy() {
        return ce.base().resolve("proxy-Ann of glue2.pem");
    }

    @Test
    void theDocumentAndTheDirectorySayTheSame() throws IOException, InterruptedException {
        HttpClient http = HttpClient.newBuilder()
                .sslContext(ce.tls(GridCredential.read(proxy())))
                .build();
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(
                                URI.create("https://localhost:" + ce.port() + "/arex/rest/1.0/info?schema=glue2"))
                        .header("Accept", "application/json")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        JsonNode service =
                new ObjectMapper().readTree(response.body()).at("/Domains/AdminDomain/Services/ComputingService");
        Map<String, String> inDirectory = new TreeMap<>();
        for (LdifEntry entry : LdifReader.read(ldif)) {
            if (entry.is("ComputingShare")) {
                inDirectory.put(entry.one("GLUE2ShareID"), entry.one("GLUE2ComputingShareTotalJobs"));
            }
        }
        assertThat(inDirectory)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "urn:ogf:ComputingShare:localhost:long_dteam", "1",
                        "urn:ogf:ComputingShare:localhost:short_dteam", "0"));
        Map<String, String> inDocument = new TreeMap<>();
        service.path("ComputingShare")
                .forEach(share -> inDocument.put(
                        share.path("ID").asText(), share.path("TotalJobs").asText()));
        assertThat(inDocument).containsAllEntriesOf(inDirectory).hasSize(4);
        assertThat(service.at("/ComputingManager/ExecutionEnvironments/ExecutionEnvironment/0/Benchmark/0/Value")
                        .asText())
                .isEqualTo("12.5");
        assertThat(service.path("ComputingEndpoint")).hasSize(1);
        assertThat(service.at("/ComputingEndpoint/0/AccessPolicy/0/Rule/0").asText())
                .isEqualTo("vo:dteam");
    }

    /** Of Debian 12 it can add nothing to its slapd, but it runs providers and merges what they print. */
    @Test
    void aBdiiRunsTheProviderAndCutsNothing() throws IOException, InterruptedException {
        if (!Files.isExecutable(UPDATE)) {
            Skipped.because("Glue2", "bdii is not installed");
        }
        for (String part : List.of("ldif", "provider", "plugin")) {
            Files.createDirectory(folder.resolve(part));
        }
        Path provider = Files.writeString(
                folder.resolve("provider").resolve("gelato-ce"),
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -cp '"
                        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        + "' org.gelato.ce.cli.Main glue2 --file '" + file() + "'\n");
        Files.setPosixFilePermissions(provider, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path conf = Files.write(
                folder.resolve("bdii.conf"),
                List.of(
                        "BDII_LOG_FILE=" + folder.resolve("bdii.log"),
                        "BDII_LOG_LEVEL=ERROR",
                        "BDII_LDIF_DIR=" + folder.resolve("ldif"),
                        "BDII_PROVIDER_DIR=" + folder.resolve("provider"),
                        "BDII_PLUGIN_DIR=" + folder.resolve("plugin"),
                        "BDII_READ_TIMEOUT=300"));
        Process process = new ProcessBuilder(UPDATE.toString(), "-c", conf.toString())
                .redirectError(folder.resolve("err").toFile())
                .start();
        String merged = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(folder.resolve("err"))).isEmpty();
        List<LdifEntry> entries = LdifReader.read(ldif);
        assertThat(merged.lines().filter(line -> line.startsWith("dn: ")).map(line -> line.substring(4)))
                .containsExactlyInAnyOrderElementsOf(
                        entries.stream().map(LdifEntry::dn).toList());
        assertThat(merged.lines().filter(line -> line.contains(": ") && !line.startsWith("dn: ")))
                .hasSize(entries.stream()
                        .flatMap(e -> e.values().values().stream())
                        .mapToInt(List::size)
                        .sum());
    }

    @Test
    void diracFindsTheQueuesOfItsVo() throws IOException {
        PythonClient dirac = PythonClient.of("dirac", "Dirac");
        try (GlueDirectory started = new GlueDirectory(folder, FreePort.choose()).start()) {
            directory = started;
            String domain = "dn: GLUE2DomainID=" + SITE + ",GLUE2GroupID=grid,o=glue\nobjectClass: GLUE2Domain\n"
                    + "objectClass: GLUE2AdminDomain\nGLUE2DomainID: " + SITE + "\n\n"
                    + "dn: " + OF_GRID + "\nobjectClass: GLUE2Group\nGLUE2GroupID: resource\n\n";
            GlueDirectory.Outcome added =
                    directory.add(domain + fold(ldif.replace("\n ", "").replace(OF_RESOURCE + "\n", OF_GRID + "\n")));
            assertThat(added.err()).isEmpty();
            JsonNode queues = dirac.runScript("dirac_glue2.py", folder, Map.of(), directory.address(), "dteam")
                    .at("/" + SITE + "/CEs/localhost/Queues");
            assertThat(queues.fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrder("nordugrid-fork-long", "nordugrid-fork-short");
            JsonNode queue = queues.path("nordugrid-fork-long");
            assertThat(queue.path("GlueCEImplementationName").asText()).isEqualTo("AREX");
            assertThat(queue.path("GlueCEStateStatus").asText()).isEqualTo("production");
            assertThat(queue.path("GlueCEPolicyMaxWallClockTime").asText()).isEqualTo("4320");
            assertThat(queue.path("NumberOfProcessors").asInt()).isEqualTo(4);
        }
    }

    @Test
    void slapdTakesEveryEntryOfACeWithHostileNames() throws IOException {
        Glue2Model model = new Glue2Model(
                URI.create("https://ce.cdn:8443"),
                "0.10.0\u0000\n",
                "slurm",
                List.of("a", "a_b", "A", "dn"),
                Instant.now(),
                () -> "/CN=dn: o=glue\r\n\r\ndn: o=x\u2028\u202e, \"<>;=+\\",
                new SiteFacts(
                        "S",
                        folder,
                        Duration.ofMinutes(1),
                        "production",
                        List.of("b", "b_b", "dn: o=evil", "\u00fcber,o=glue", "x\ny: z", " ", "#a", "a".repeat(5000)),
                        new SiteFacts.Location(":", "<\u00fc", "", ""),
                        List.of(),
                        List.of(),
                        List.of(new SiteFacts.Storage("+,=\"", "/\u00fc", "none"))),
                new Readings(
                        () -> Optional.of(new ClusterStatus(
                                "\u001b[31m: <x>\n", OptionalInt.of(1), OptionalInt.empty(), List.of())),
                        Optional::empty,
                        List::of,
                        () -> List.of("dn:-1", "\u00fc/x"),
                        () -> true,
                        List::of,
                        () -> Readings.Health.OK,
                        queues -> Map.of()));
        String text = Ldif.of(model.service(), Instant.now());
        try (GlueDirectory started = new GlueDirectory(folder, FreePort.choose()).start()) {
            directory = started;
            assertThat(directory.add(text).err()).isEmpty();
            assertThat(found("o=glue", "(objectClass=GLUE2Entity)")).hasSameSizeAs(LdifReader.read(text));
        }
    }
}
