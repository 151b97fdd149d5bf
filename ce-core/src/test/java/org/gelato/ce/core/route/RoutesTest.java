package org.gelato.ce.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.FqanPattern;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.LinkedIdentity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.json.RouteSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RoutesTest {
    private static final RouteMatch ANY = new RouteMatch(
            List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), 0, null, null, Map.of());
    private static final GridIdentity PILOT = new GridIdentity(
            "CN=Pilot,O=Test", List.of("/atlas/Role=pilot", "/atlas/de"), "atlas", false, Instant.MAX, List.of());
    private static final TokenIdentity TOKEN = token(Set.of());

    private static TokenIdentity token(Set<Permission> scopes) {
        return new TokenIdentity(
                "https://iam.example.org/",
                "robot",
                null,
                scopes,
                !scopes.isEmpty(),
                List.of(TokenGroup.parse("/cms/production")),
                "",
                null,
                Instant.MAX);
    }

    private static RoutedJob job(Identity identity, NodeRequest nodes) {
        return new RoutedJob(
                identity,
                "atlas001",
                "long",
                new Resources("slurm", "long", nodes),
                new JobLabels(null, Map.of("run", "mc23", "site", "x")));
    }

    private static NodeRequest nodes(int cpus, boolean whole, Integer gpus) {
        return new NodeRequest(cpus, null, null, whole, gpus, null, null, null, null);
    }

    static Stream<Arguments> matches() {
        NodeRequest one = nodes(1, false, null);
        return Stream.of(
                Arguments.of(Map.of(), PILOT, one, true),
                Arguments.of(Map.of("vos", List.of("cms", "atlas")), PILOT, one, true),
                Arguments.of(Map.of("vos", List.of("cms")), PILOT, one, false),
                Arguments.of(Map.of("vos", List.of("cms")), TOKEN, one, true),
                Arguments.of(Map.of("vos", List.of("atlas")), Records.with(PILOT, "vo", null), one, true),
                Arguments.of(Map.of("fqans", patterns("/atlas/Role=pilot")), PILOT, one, true),
                Arguments.of(Map.of("fqans", patterns("/atlas/*")), PILOT, one, true),
                // not the primary one
                Arguments.of(Map.of("fqans", patterns("/atlas/de")), PILOT, one, false),
                Arguments.of(Map.of("fqans", patterns("/*")), Records.with(PILOT, "fqans", List.of()), one, false),
                Arguments.of(Map.of("fqans", patterns("/*")), TOKEN, one, false),
                Arguments.of(Map.of("issuers", List.of("https://iam.example.org/")), TOKEN, one, true),
                Arguments.of(Map.of("issuers", List.of("https://iam.example.org/")), PILOT, one, false),
                Arguments.of(
                        Map.of("issuers", List.of("https://iam.example.org/")),
                        new LinkedIdentity(TOKEN, PILOT),
                        one,
                        true),
                Arguments.of(Map.of("groups", List.of(TokenGroup.parse("/cms/production"))), TOKEN, one, true),
                Arguments.of(Map.of("groups", List.of(TokenGroup.parse("/cms"))), TOKEN, one, false),
                Arguments.of(
                        Map.of("groups", List.of(TokenGroup.parse("/cms/production"))),
                        token(Set.of(Permission.values())),
                        one,
                        false),
                Arguments.of(Map.of("accounts", List.of("atlas001")), PILOT, one, true),
                Arguments.of(Map.of("accounts", List.of("atlas002")), PILOT, one, false),
                Arguments.of(Map.of("dns", List.of(DnForms.comparable("/O=Test/CN=Pilot"))), PILOT, one, true),
                Arguments.of(Map.of("dns", List.of(DnForms.comparable("/O=Test/CN=Other"))), PILOT, one, false),
                Arguments.of(Map.of("dns", List.of(DnForms.comparable("/O=Test/CN=Pilot"))), TOKEN, one, false),
                Arguments.of(Map.of("queues", List.of("short", "long")), PILOT, one, true),
                Arguments.of(Map.of("queues", List.of("short")), PILOT, one, false),
                Arguments.of(Map.of("minCores", 2), PILOT, one, false),
                Arguments.of(Map.of("minCores", 2), PILOT, nodes(2, false, null), true),
                Arguments.of(Map.of("wholeNode", true), PILOT, nodes(1, true, null), true),
                Arguments.of(Map.of("wholeNode", true), PILOT, one, false),
                Arguments.of(Map.of("wholeNode", false), PILOT, one, true),
                Arguments.of(Map.of("gpu", true), PILOT, nodes(1, false, 1), true),
                Arguments.of(Map.of("gpu", true), PILOT, one, false),
                Arguments.of(Map.of("gpu", false), PILOT, nodes(1, false, 1), false),
                Arguments.of(Map.of("labels", Map.of("run", "mc23")), PILOT, one, true),
                Arguments.of(Map.of("labels", Map.of("run", "mc23", "site", "y")), PILOT, one, false),
                Arguments.of(Map.of("vos", List.of("atlas"), "queues", List.of("short")), PILOT, one, false));
    }

    private static List<FqanPattern> patterns(String text) {
        return List.of(FqanPattern.of(text));
    }

    @ParameterizedTest
    @MethodSource("matches")
    void allConditionsHoldOrTheRouteDoesNotCount(
            Map<String, Object> conditions, Identity identity, NodeRequest nodes, boolean expected) {
        RouteMatch match = ANY;
        for (Map.Entry<String, Object> condition : conditions.entrySet()) {
            match = Records.with(match, condition.getKey(), condition.getValue());
        }
        Routes routes = new Routes(List.of(new Route("r", match, Map.of())));
        assertThat(routes.resolve(job(identity, nodes)).names())
                .as("%s", conditions)
                .hasSize(expected ? 1 : 0);
    }

    @Test
    void eachSettingComesFromTheFirstRouteThatHasIt() {
        Routes routes = new Routes(List.of(
                route("multicore", Records.with(ANY, "minCores", 2), Map.of("set.qos", "large")),
                route("atlas", ANY, Map.of("set.account", "atlas", "set.qos", "usual", "limits.cores", 8)),
                route("all", ANY, Map.of("set.account", "rest", "set.nice", 100, "set.attributes.mail-type", "END"))));

        Routes.Resolved one = routes.resolve(job(PILOT, nodes(1, false, null)));
        assertThat(one.settings())
                .isEqualTo(new RouteSettings(
                        List.of("atlas", "all"),
                        Map.of(
                                "set.account", "atlas",
                                "set.qos", "usual",
                                "set.nice", 100,
                                "set.attributes.mail-type", "END")));
        Routes.Resolved two = routes.resolve(job(PILOT, nodes(2, false, null)));
        assertThat(two.chosen().get("set.qos")).isEqualTo(new Routes.Chosen("large", "multicore"));
        assertThat(two.names()).containsExactly("multicore", "atlas", "all");
        assertThat(Routes.NONE.resolve(job(PILOT, nodes(1, false, null))).settings())
                .isEqualTo(RouteSettings.NONE);
        assertThat(RouteSettings.parse(one.settings().text())).isEqualTo(one.settings());
    }

    private static Route route(String name, RouteMatch match, Map<String, Object> values) {
        return new Route(name, match, values);
    }

    static Stream<Arguments> defaults() {
        Limits asked = new Limits(Duration.ofHours(1), null, 1L << 30);
        return Stream.of(
                Arguments.of(nodes(1, false, null), Limits.NONE, "8 8 2147483648 PT24H"),
                Arguments.of(nodes(1, false, null), asked, "8 8 1073741824 PT1H"),
                Arguments.of(nodes(2, false, null), Limits.NONE, "2 null 2147483648 PT24H"),
                Arguments.of(nodes(1, true, null), Limits.NONE, "1 null null PT24H"),
                Arguments.of(new NodeRequest(1, 4, null, false), Limits.NONE, "1 4 2147483648 PT24H"),
                Arguments.of(
                        nodes(1, false, null), new Limits(null, Duration.ofHours(1), null), "1 null 2147483648 null"),
                Arguments.of(nodes(1, false, null), new Limits(null, null, null, 1L << 30, null), "8 8 null PT24H"));
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void defaultsCountWhereTheJobRequestsNothing(NodeRequest nodes, Limits limits, String expected) {
        RouteSettings settings = new RouteSettings(
                List.of("r"), Map.of("defaults.cores", 8, "defaults.memory", 2L << 30, "defaults.wall-time", 86_400));
        Resources resources = Routes.withDefaults(new Resources("slurm", "long", nodes, limits), settings);
        assertThat(resources.nodes().cpus() + " " + resources.nodes().smpGranularity() + " "
                        + resources.limits().memory() + " " + resources.limits().wallTime())
                .isEqualTo(expected);
    }

    @Test
    void aDefaultIsNoMoreThanTheLimitOfAnotherRoute() throws DescriptionException {
        Routes.Resolved resolved = new Routes(List.of(
                        route("short", ANY, Map.of("limits.wall-time", 3600L)),
                        route("all", ANY, Map.of("defaults.wall-time", 86_400L, "defaults.memory", 2L << 30))))
                .resolve(job(PILOT, nodes(1, false, null)));
        assertThat(resolved.settings().values())
                .isEqualTo(Map.of("defaults.wall-time", 3600L, "defaults.memory", 2L << 30));
        resolved.check(Routes.withDefaults(new Resources("slurm", "long", nodes(1, false, null)), resolved.settings()));
    }

    @Test
    void theMemoryOfANodeIsThatOfTheCoresThatItHas() {
        Routes.Resolved resolved = new Routes(List.of(route("small", ANY, Map.of("limits.memory", 2000L))))
                .resolve(job(PILOT, nodes(1, false, null)));
        Limits node = new Limits(null, null, null, 4000L, null);
        assertThatCode(() -> resolved.check(new Resources("slurm", "long", new NodeRequest(64, 2, null, false), node)))
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        () -> resolved.check(new Resources("slurm", "long", new NodeRequest(64, 1, null, false), node)))
                .hasMessageContaining("4000 bytes of memory for each core");
    }

    @Test
    void withoutDefaultsResourcesAreAsTheyWere() {
        Resources resources = new Resources("slurm", "long", nodes(1, false, null));
        assertThat(Routes.withDefaults(resources, new RouteSettings(List.of("r"), Map.of("set.qos", "x"))))
                .isSameAs(resources);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "8,  false, 60, -,    -,    -",
                "9,  false, -,  -,    -,    the job requests 9 cores; limits.cores of the site's route small is 8",
                "9,  true,  -,  -,    -,    the job requests 9 cores; limits.cores of the site's route small is 8",
                "1,  false, 61, -,    -,    the job requests 61 s of time; limits.wall-time of the site's route small is 60",
                "1,  false, -,  2001, -,    the job requests 2001 bytes of memory for each core; limits.memory of the site's route small is 2000",
                "4,  false, -,  -,    8000, -",
                "4,  false, -,  -,    8001, the job requests 2001 bytes of memory for each core; limits.memory of the site's route small is 2000",
                "1,  true,  -,  2001, -,    -",
            })
    void aJobThatRequestsMoreThanALimitIsRefusedWithTheLimitAndTheRoute(
            int cores, boolean whole, Integer seconds, Long memory, Long nodeMemory, String refusal) {
        Map<String, Object> limits = new LinkedHashMap<>();
        limits.put("limits.cores", 8);
        limits.put("limits.memory", 2000L);
        limits.put("limits.wall-time", 60L);
        Routes.Resolved resolved =
                new Routes(List.of(route("small", ANY, limits))).resolve(job(PILOT, nodes(1, false, null)));
        Duration time = seconds == null ? null : Duration.ofSeconds(seconds);
        for (Limits requested : List.of(
                new Limits(time, null, memory, nodeMemory, null), new Limits(null, time, memory, nodeMemory, null))) {
            Resources resources = new Resources("slurm", "long", nodes(cores, whole, null), requested);
            if (refusal == null) {
                assertThatCode(() -> resolved.check(resources)).doesNotThrowAnyException();
            } else {
                assertThatThrownBy(() -> resolved.check(resources))
                        .isInstanceOf(DescriptionException.class)
                        .hasMessage(refusal);
            }
        }
    }
}
