package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.fault.ServiceException.NotAuthorized;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.RouteMatch;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.json.Explanation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridmapExplainerTest {
    @TempDir
    Path directory;

    private Path gridmap;
    private Path banned;
    private Path admins;
    private Path pools;
    private GridmapAuthorizer authorizer;

    @BeforeEach
    void site() throws IOException {
        gridmap = Files.writeString(directory.resolve("grid-mapfile"), """
                # site map
                "/O=x/CN=Alice" alice
                "/dteam/Role=production" .dteamprd
                "/dteam/*" .dteam
                "/ops
                """);
        banned = Files.writeString(directory.resolve("ban"), "# no bans\n\n/O=x/CN=Eve\n");
        admins = Files.writeString(directory.resolve("admins"), "/O=x/CN=Alice\n");
        pools = Files.createDirectory(directory.resolve("gridmapdir"));
        Files.createFile(pools.resolve("dteam001"));
        authorizer = new GridmapAuthorizer(
                new GridmapConfig(gridmap, banned, admins, Duration.ofSeconds(1), pools), "root"::equals, a -> "");
    }

    @Test
    void aDnComesBeforeAttributes() {
        Explanation e = authorizer.explainer(() -> Routes.NONE, Map.of()).explain("/O=x/CN=Alice", List.of("/dteam"));
        assertThat(e.dn()).isEqualTo("CN=Alice,O=x");
        assertThat(e.slashDn()).isEqualTo("/O=x/CN=Alice");
        assertThat(e.owner()).isEqualTo("CN=Alice,O=x");
        assertThat(e.group()).isEqualTo("/dteam");
        assertThat(e.authorized()).isTrue();
        assertThat(e.account()).isEqualTo("alice");
        assertThat(e.admin()).isEqualTo(admins + ":1");
        assertThat(e.mapping()).isEqualTo(gridmap + ":2: \"/O=x/CN=Alice\" alice");
        assertThat(e.steps())
                .containsExactly(
                        "banned: no, not in " + banned,
                        gridmap + ": lines left out: line 5: the quote is not closed: \"/ops",
                        "the DN stands in " + gridmap + ":2: \"/O=x/CN=Alice\" alice; attributes are not used",
                        "the account is alice",
                        "administrator: yes, by " + admins + ":1");
    }

    @Test
    void aJobsRoutesAreExplainedByTheAccountThatTheUserHas() {
        RouteMatch alices = new RouteMatch(
                List.of("dteam"),
                List.of(),
                List.of(),
                List.of(),
                List.of("alice"),
                List.of(),
                List.of("long"),
                8,
                null,
                null,
                Map.of());
        Explainer explainer = authorizer.explainer(
                () -> new Routes(List.of(new Route("wide", alices, Map.of("set.qos", "large", "limits.cores", 64)))),
                Map.of());
        Explanation.Routed routed = explainer
                .explain("/O=x/CN=Alice", List.of("/dteam"), new Explainer.Job("long", 8))
                .routes();
        assertThat(routed.names()).containsExactly("wide");
        assertThat(routed.values())
                .containsExactlyInAnyOrder(
                        new Explanation.Value("set.qos", "large", "wide"),
                        new Explanation.Value("limits.cores", 64, "wide"));
        assertThat(explainer
                        .explain("/O=x/CN=Alice", List.of("/dteam"), new Explainer.Job("long", 7))
                        .routes()
                        .names())
                .isEmpty();
        assertThat(explainer
                        .explain("CN=eve,O=x", List.of("/dteam"), new Explainer.Job("long", 8))
                        .routes())
                .as("banned")
                .isNull();
        assertThat(explainer.explain("/O=x/CN=Alice", List.of("/dteam")).routes())
                .isNull();
    }

    @Test
    void aPoolReportsWhatAFirstCallWouldMakeAndMakesNothing() throws IOException {
        Explanation e = authorizer
                .explainer(() -> Routes.NONE, Map.of())
                .explain("CN=Bob,O=x", List.of("/cms/Role=NULL", "/dteam/Role=NULL/Capability=NULL", "/atlas"));
        assertThat(e.authorized()).isTrue();
        assertThat(e.pool()).isEqualTo("dteam");
        assertThat(e.account()).isEqualTo("dteam001");
        assertThat(e.leased()).isFalse();
        assertThat(e.lease()).isEqualTo(pools + "/%2fo%3dx%2fcn%3dbob:dteam");
        assertThat(e.owner()).isEqualTo("CN=Bob,O=x");
        assertThat(e.group()).isEqualTo("/cms");
        assertThat(e.steps())
                .contains(
                        "/cms fits none of the 2 patterns of " + gridmap,
                        "/dteam fits " + gridmap + ":4: \"/dteam/*\" .dteam",
                        "not used, as they come later in the proxy: /atlas");
        try (var files = Files.list(pools)) {
            assertThat(files).hasSize(1);
        }

        GridIdentity bob = new GridIdentity("CN=Bob,O=x", List.of("/dteam"), "dteam", false, Instant.MAX, List.of());
        assertThat(authorizer.authorize(bob).account()).isEqualTo("dteam001");
        assertThat(authorizer
                        .explainer(() -> Routes.NONE, Map.of())
                        .explain("CN=Bob,O=x", List.of("/dteam"))
                        .leased())
                .isTrue();
    }

    @Test
    void aRefusalReadsAsTheCallWould() {
        Explanation e = authorizer
                .explainer(() -> Routes.NONE, Map.of())
                .explain("CN=Bob,O=x", List.of("/dteam/Role=production"));
        assertThat(e.authorized()).isFalse();
        assertThat(e.mapping()).isEqualTo(gridmap + ":3: \"/dteam/Role=production\" .dteamprd");
        assertThat(e.steps())
                .contains("/dteam/Role=production fits " + gridmap
                        + ":3: \"/dteam/Role=production\" .dteamprd; later lines that fit do not count: 4");
        GridIdentity bob = new GridIdentity(
                "CN=Bob,O=x", List.of("/dteam/Role=production"), "dteam", false, Instant.MAX, List.of());
        assertThatThrownBy(() -> authorizer.authorize(bob))
                .isInstanceOf(NotAuthorized.class)
                .hasMessage(e.refusal());
        assertThat(authorizer
                        .explainer(() -> Routes.NONE, Map.of())
                        .explain("CN=Bob,O=x", List.of())
                        .refusal())
                .contains("the proxy has no valid VOMS attributes");
    }

    @Test
    void aBanNamesItsLine() {
        Explanation e = authorizer.explainer(() -> Routes.NONE, Map.of()).explain("CN=eve,O=x", List.of("/dteam"));
        assertThat(e.banned()).isEqualTo(banned + ":3");
        assertThat(e.authorized()).isFalse();
        assertThat(e.refusal()).isEqualTo("CN=eve,O=x not authorized: the user is banned on this CE");
    }

    @Test
    void whatIsNoNameIsRefused() {
        assertThatThrownBy(
                        () -> authorizer.explainer(() -> Routes.NONE, Map.of()).explain("garbage", List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        authorizer.explainer(() -> Routes.NONE, Map.of()).explain("/O=x/CN=a", List.of("no fqan")))
                .hasMessage("not an FQAN: no fqan");
    }

    @Test
    void aBrokenFileShowsUntilItIsMended() throws IOException {
        assertThat(authorizer.fileState())
                .containsEntry(gridmap, "1 lines left out")
                .containsEntry(banned, "")
                .containsEntry(admins, "");
        Files.writeString(banned, "this is no DN, and long\n");
        authorizer.refresh();
        authorizer.refresh();
        assertThat(authorizer.fileState().get(banned)).startsWith("line 1: ");
        Files.writeString(banned, "");
        authorizer.refresh();
        assertThat(authorizer.fileState()).containsEntry(banned, "");
    }
}
