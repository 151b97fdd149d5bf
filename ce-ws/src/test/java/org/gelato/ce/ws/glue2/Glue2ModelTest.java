package org.gelato.ce.ws.glue2;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.gelato.ce.core.accounting.Benchmarks;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.testkit.glue.GlueRules;
import org.gelato.ce.testkit.glue.LdifEntry;
import org.gelato.ce.testkit.glue.LdifReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Glue2ModelTest {
    private static final Instant NOW = SampleCe.NOW;

    private final SampleCe ce = new SampleCe();

    @Test
    void noRuleOfTheValidatorIsBroken() {
        assertThat(GlueRules.broken(ce.entries(), NOW)).isEmpty();
    }

    @Test
    void aCeThatKnowsNothingOfItselfPublishesNothingInItsPlace() {
        ce.site = new SiteFacts(
                "EXAMPLE-SITE",
                ce.site.file(),
                ce.site.interval(),
                "testing",
                List.of(),
                null,
                List.of(),
                List.of(),
                List.of());
        ce.cluster = Optional.empty();
        ce.jobs = Optional.empty();
        ce.vos = List.of();
        ce.software = List.of();
        ce.issuer = null;
        ce.health = Readings.Health.UNKNOWN;

        List<LdifEntry> entries = ce.entries();

        assertThat(GlueRules.broken(entries, NOW)).isEmpty();
        assertThat(entries)
                .allSatisfy(e -> assertThat(e.values().keySet())
                        .noneMatch(name -> name.matches(".*(Jobs|Slots|CPUs|[lx]Time|IssuerCA|ProductVersion)")));
        assertThat(entries).noneMatch(e -> e.is("Policy") || e.is("Resource") || e.is("Location"));
        assertThat(ce.entry("ComputingShare", ":long").one("GLUE2ComputingShareServingState"))
                .isEqualTo("production");
    }

    @Test
    void numbersOfAShareAreThoseOfItsQueueAndVo() {
        LdifEntry share = ce.entry("ComputingShare", ":long_dteam");
        Map.of("Total", "63", "Running", "48", "Waiting", "12", "Staging", "1", "PreLRMSWaiting", "2")
                .forEach((name, jobs) -> assertThat(share.one("GLUE2ComputingShare" + name + "Jobs"))
                        .as(name)
                        .isEqualTo(jobs));
        assertThat(ce.entry("ComputingShare", ":short_dteam").one("GLUE2ComputingShareTotalJobs"))
                .isEqualTo("0");
        assertThat(ce.entry("ComputingService", ":gelato").one("GLUE2ComputingServiceTotalJobs"))
                .isEqualTo("255");
    }

    /** The site's file says 72 hours, the batch system 48; no job that names no time may run longer than one that does. */
    @Test
    void theBatchSystemsLimitsCountAndContradictNothing() {
        LdifEntry share = ce.entry("ComputingShare", ":long_atlas");
        assertThat(share.one("GLUE2ComputingShareMaxWallTime")).isEqualTo("172800");
        assertThat(share.one("GLUE2ComputingShareDefaultWallTime")).isEqualTo("172800");
        assertThat(share.one("GLUE2ComputingShareMaxTotalJobs")).isEqualTo("300");
        assertThat(share.one("GLUE2ComputingShareMaxRunningJobs")).isEqualTo("300");
        ce.cluster = Optional.empty();
        assertThat(ce.entry("ComputingShare", ":long_atlas").one("GLUE2ComputingShareMaxWallTime"))
                .isEqualTo("259200");
    }

    @ParameterizedTest
    @CsvSource({"true,true,production", "true,false,queueing", "false,true,draining", "false,false,closed"})
    void theStateOfAQueueIsThatOfItsShares(boolean accepts, boolean starts, String state) {
        ce.cluster = Optional.of(new ClusterStatus(
                null,
                OptionalInt.empty(),
                OptionalInt.empty(),
                List.of(SampleCe.queue("long", accepts, starts, null, OptionalInt.empty()))));
        assertThat(ce.entry("ComputingShare", ":long_dteam").one("GLUE2ComputingShareServingState"))
                .isEqualTo(state);
    }

    @Test
    void drainsAreThoseOfTheirQueueOrVo() {
        ce.drains.add(new Drain(Drain.Part.QUEUE, "short", "", "x", NOW));
        ce.drains.add(new Drain(Drain.Part.VO, "atlas", "", "x", NOW));
        Map.of(":long_dteam", "production", ":long_atlas", "draining", ":short_dteam", "draining")
                .forEach(
                        (id, state) -> assertThat(ce.entry("ComputingShare", id).one("GLUE2ComputingShareServingState"))
                                .as(id)
                                .isEqualTo(state));
        assertThat(ce.entry("ComputingEndpoint", "/arex").one("GLUE2EndpointServingState"))
                .isEqualTo("production");
        ce.accepting = false;
        ce.health = Readings.Health.CRITICAL;
        assertThat(ce.entry("ComputingEndpoint", "/arex").one("GLUE2EndpointServingState"))
                .isEqualTo("draining");
        assertThat(ce.entry("ComputingEndpoint", "/ce-cream/services").one("GLUE2EndpointHealthState"))
                .isEqualTo("critical");
        assertThat(ce.entry("ComputingShare", ":long_dteam").one("GLUE2ComputingShareServingState"))
                .isEqualTo("draining");
    }

    /** Who adds up shares would count jobs twice; ARC's clients would try to submit to CREAM's interface. */
    @Test
    void aDirectoryAndADocumentLeaveOutWhatTheirReadersMisread() {
        assertThat(ce.entries().stream().filter(e -> e.is("ComputingShare")))
                .hasSize(4)
                .allMatch(e -> e.dn().matches("GLUE2ShareID=[^,]*_(atlas|dteam),.*"));
        List<Entity> parts = ce.model().service().parts();
        assertThat(parts.stream()
                        .filter(p -> p.kind() == Kind.COMPUTING_SHARE && p.audience() != Entity.Audience.DIRECTORY))
                .hasSize(6);
        assertThat(parts.stream()
                        .filter(p -> p.kind() == Kind.COMPUTING_ENDPOINT && p.audience() == Entity.Audience.ALL)
                        .flatMap(p -> p.values("InterfaceName").stream()))
                .containsExactly("org.nordugrid.arcrest");
    }

    @Test
    void runtimeEnvironmentsHaveANameAndAVersion() {
        LdifEntry application = ce.entry("ApplicationEnvironment", ":APPS/HEP/ATLAS-21.0.3");
        assertThat(application.one("GLUE2ApplicationEnvironmentAppName")).isEqualTo("APPS/HEP/ATLAS");
        assertThat(application.one("GLUE2ApplicationEnvironmentAppVersion")).isEqualTo("21.0.3");
        assertThat(ce.entry("ApplicationEnvironment", ":ENV/PROXY").one("GLUE2ApplicationEnvironmentAppVersion"))
                .isNull();
    }

    @Test
    void vosThatDifferByCaseAloneHaveOneShare() {
        ce.vos = List.of("ATLAS", "atlas");
        assertThat(ce.entry("MappingPolicy", ":basic:long_atlas").all("GLUE2PolicyRule"))
                .containsExactlyInAnyOrder("vo:ATLAS", "vo:atlas", "VO:ATLAS", "VO:atlas");
    }

    private void withoutOwnBenchmarks() {
        SiteFacts all = ce.site;
        ce.site = new SiteFacts(
                all.site(),
                all.file(),
                all.interval(),
                all.quality(),
                all.vos(),
                all.location(),
                List.of(new SiteFacts.Environment(
                        "epyc",
                        List.of("long", "short"),
                        "x86_64",
                        256_000,
                        0,
                        "linux",
                        "",
                        "",
                        "",
                        "",
                        0,
                        0,
                        0,
                        0,
                        false,
                        true,
                        Map.of())),
                all.queues(),
                all.storage());
    }

    private static Benchmarks.Value accounted(String queue, Benchmarks.Kind kind, String value, Instant from) {
        return new Benchmarks.Value(queue, kind, new BigDecimal(value), from);
    }

    private List<String> benchmarks() {
        List<LdifEntry> entries = ce.entries();
        assertThat(GlueRules.broken(entries, NOW)).isEmpty();
        return entries.stream()
                .filter(e -> e.is("Benchmark"))
                .map(e -> e.one("GLUE2BenchmarkType") + " " + e.one("GLUE2BenchmarkValue"))
                .toList();
    }

    @Test
    void nodesWithoutABenchmarkHaveThatOfTheAccounting() {
        ce.accounted = new Benchmarks(List.of(
                accounted("long", Benchmarks.Kind.HEPSCORE23, "11", null),
                accounted("long", Benchmarks.Kind.HEPSCORE23, "12.5", NOW.minusSeconds(60)),
                accounted("long", Benchmarks.Kind.HEPSCORE23, "20", NOW.plusSeconds(60)),
                accounted("long", Benchmarks.Kind.HEPSPEC, "10", null),
                accounted("long", Benchmarks.Kind.SI2K, "2500", null),
                accounted("short", Benchmarks.Kind.HEPSCORE23, "12.50", null),
                accounted("short", Benchmarks.Kind.HEPSPEC, "11", null),
                accounted("short", Benchmarks.Kind.SI2K, "2500", null)));
        assertThat(benchmarks())
                .as("those of the site's own")
                .containsExactlyInAnyOrder("HEPscore23 14", "hep-spec06 12.5");
        withoutOwnBenchmarks();
        // The queues differ in the third.
        assertThat(benchmarks()).containsExactly("HEPscore23 12.5", "specint2000 2500");
        ce.accounted = new Benchmarks(List.of(accounted("long", Benchmarks.Kind.HEPSCORE23, "12.5", null)));
        assertThat(benchmarks()).as("one queue has none").isEmpty();
    }

    /** Queue a_b alone, and VO b of queue a, would have one name. */
    @Test
    void hostileNamesBreakNoRuleAndHaveIdsOfTheirOwn() {
        ce.host = "ce.cdn";
        ce.queues = List.of("a", "a_b", "A", "dn");
        ce.vos = List.of("b", "b_b", "dn: o=evil", "\u00fcber,o=glue", "x\ny: z", " ", "a".repeat(400));
        ce.issuer = "/DC=org/CN=\u0000dn: o=glue\r\n\r\ndn: o=x\u2028\u202e";
        ce.cluster =
                Optional.of(new ClusterStatus("\u001b[31m: <x>\n", OptionalInt.of(1), OptionalInt.empty(), List.of()));

        List<LdifEntry> entries = ce.entries();

        assertThat(GlueRules.broken(entries, NOW)).isEmpty();
        assertThat(entries.stream().filter(e -> e.is("ComputingShare"))).hasSize(4 * 7);
        assertThat(entries.stream().filter(e -> e.is("MappingPolicy")).flatMap(e -> e.all("GLUE2PolicyRule").stream()))
                .contains("vo:\u00fcber,o=glue", "vo:dn.: o=evil", "vo:x y: z")
                .allMatch(rule -> rule.codePoints().noneMatch(Character::isISOControl));
    }

    @Test
    void aChangeOfTheOrderOfVosChangesNothing() {
        ce.vos = List.of("b", "\u00fc", "\u00e4");
        String one = ce.ldif();
        ce.vos = List.of("\u00e4", "b", "\u00fc");
        assertThat(ce.ldif()).isEqualTo(one);
    }

    @Test
    void theNumberOfSharesIsBounded() {
        ce.queues = IntStream.range(0, 100).mapToObj(i -> "q" + i).toList();
        ce.vos = IntStream.range(0, 1000).mapToObj(i -> "vo" + i).toList();
        assertThat(ce.model().service().parts().stream().filter(p -> p.kind() == Kind.COMPUTING_SHARE))
                .hasSize(Glue2Model.MAX_SHARES);
    }

    /** Each has its number of section 5; a rule that nothing breaks would hold whatever is published. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "E001; GLUE2EntityCreationTime: 2026-01-02T03:04:05Z; GLUE2EntityCreationTime: 2026-01-02T03:07:05Z",
                "E002; GLUE2EntityValidity: 3600; GLUE2EntityValidity: 0",
                "E022; WaitingJobs: 12; WaitingJobs: 444444",
                "E025; objectClass: GLUE2Share\\n; ''",
                "W005; ServiceTotalJobs: 255; ServiceTotalJobs: 200",
                "W015; DefaultCPUTime: 86400; DefaultCPUTime: 345601",
                "W018; DefaultWallTime: 172800; DefaultWallTime: 172801",
                "W021; MaxRunningJobs: 300; MaxRunningJobs: 301",
                "W025; ShareTotalJobs: 63; ShareTotalJobs: 90",
                "W028; MaxMainMemory: 4000; MaxMainMemory: 8001",
                "W034; GLUE2ServiceType: org.glite.ce.CREAM\\n; ''",
                "W036; GLUE2ServiceType: org; GLUE2ServiceType: x\\nGLUE2ServiceType: org",
                "W037; HealthState: ok; HealthState: OK",
                "I026; MaxTotalJobs: 300; MaxTotalJobs: 999999999",
                "I096; MaxMainMemory: 4000; MaxMainMemory: 444444",
                "E000; ResourceManagerForeignKey: urn; ResourceManagerForeignKey: urm"
            })
    void theRulesFindWhatBreaksThem(String rule, String good, String bad) {
        String text = ce.ldif().replace("\n ", "");
        String broken = text.replace(good.replace("\\n", "\n"), bad.replace("\\n", "\n"));
        assertThat(broken).isNotEqualTo(text);
        StringBuilder folded = new StringBuilder();
        broken.lines()
                .forEach(line ->
                        folded.append(line.replaceAll("(.{75})(?=.)", "$1\n ")).append('\n'));
        assertThat(GlueRules.broken(LdifReader.read(folded.toString()), NOW.plus(Duration.ofSeconds(1))))
                .anyMatch(found -> found.startsWith(rule));
    }
}
