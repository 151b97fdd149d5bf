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
import java.util.Set;
import org.gelato.ce.core.fault.ServiceException.NotAuthorized;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenMappingTest {
    private static final String ISSUER = "https://iam.example.org/";

    @TempDir
    Path directory;

    private BanSet bans = BanSet.NONE;

    private static TokenIdentity scoped(String issuer, String name, Permission... permissions) {
        return new TokenIdentity(issuer, name, "cms", Set.of(permissions), true, List.of(), "", null, Instant.MAX);
    }

    private static TokenIdentity member(String name, String... groups) {
        return new TokenIdentity(
                ISSUER,
                name,
                "cms",
                Set.of(),
                false,
                List.of(groups).stream().map(TokenGroup::parse).toList(),
                "",
                null,
                Instant.MAX);
    }

    private GridmapAuthorizer site(String map, String banned, String admins) throws IOException {
        Path gridmap = Files.writeString(directory.resolve("map"), map);
        Path ban = Files.writeString(directory.resolve("ban"), banned);
        Path admin = Files.writeString(directory.resolve("admin"), admins);
        return new GridmapAuthorizer(
                new GridmapConfig(gridmap, ban, admin, Duration.ofSeconds(2), null),
                n -> n.equals("root"),
                n -> "",
                () -> bans);
    }

    @Test
    void aLineForTheSubjectCountsBeforeOthersAndTheseInTheirOrder() throws IOException {
        GridmapAuthorizer site = site("""
                "https://iam.example.org/ group=/cms/pilots" pilots
                "https://iam.example.org/ scope=compute.create scope=compute.read" both
                https://iam.example.org/ any
                "https://iam.example.org/,5f0c d" ann   # spaces are part of a subject
                """, "", "");

        assertThat(site.authorize(scoped(ISSUER, "5f0c d", Permission.READ)).account())
                .isEqualTo("ann");
        assertThat(site.authorize(scoped(ISSUER, "x", Permission.READ, Permission.CREATE))
                        .account())
                .isEqualTo("both");
        assertThat(site.authorize(scoped(ISSUER, "x", Permission.READ)).account())
                .isEqualTo("any");
        Caller pilot = site.authorize(member("x", "/cms", "/cms/pilots"));
        assertThat(pilot.account()).isEqualTo("pilots");
        assertThat(pilot.identity().group()).isEqualTo("/cms/pilots");
        assertThat(pilot.identity().subject()).isEqualTo(ISSUER + ",x");
        assertThat(site.authorize(member("5f0c d")).account()).isEqualTo("ann");
    }

    @Test
    void whatIsNotEqualIsNotMapped() throws IOException {
        GridmapAuthorizer site = site(
                "\"https://iam.example.org/\" any\n\"https://iam.example.org/ group=/cms/pilots\" pilots\n", "", "");

        for (String other :
                List.of("https://iam.example.org", "https://iam.example.org//", "https://IAM.example.org/")) {
            assertThatThrownBy(() -> site.authorize(scoped(other, "x", Permission.READ)))
                    .isInstanceOf(NotAuthorized.class)
                    .hasMessageStartingWith(other + ",x not authorized");
        }
        // Without a capability everything is permitted, so the issuer alone is no reason.
        assertThatThrownBy(() -> site.authorize(member("x", "/cms", "/cms/pilots/sub")))
                .hasMessageContaining("/cms, /cms/pilots/sub");
        assertThatThrownBy(() -> site.authorize(member("x")))
                .hasMessageContaining("neither capability scopes nor groups");
    }

    @Test
    void bansAreByFileAndDatabaseAndAdministratorsByName() throws IOException {
        String map = "\"https://iam.example.org/\" any\n\"https://other.example.org/\" any\n";
        GridmapAuthorizer site = site(
                map,
                "https://other.example.org/\n\"https://iam.example.org/,a b\"\n",
                "https://iam.example.org/,adm\n");

        assertThat(site.authorize(scoped(ISSUER, "adm", Permission.READ)).admin())
                .isTrue();
        assertThat(site.authorize(scoped(ISSUER, "ADM", Permission.READ)).admin())
                .isFalse();
        assertBanned(site, scoped(ISSUER, "a b", Permission.READ));
        assertBanned(site, scoped("https://other.example.org/", "x", Permission.READ));
        bans = new BanSet(
                List.of(new Ban(Ban.Kind.DN, Ban.name(Ban.Kind.DN, ISSUER + ",Carl"), null, "CN=a", Instant.EPOCH)));
        assertBanned(site, scoped(ISSUER, "Carl", Permission.READ));
        assertThat(site.authorize(scoped(ISSUER, "carl", Permission.READ)).account())
                .isEqualTo("any");
        bans = new BanSet(List.of(new Ban(Ban.Kind.VO, "cms", null, "CN=a", Instant.EPOCH)));
        assertBanned(site, scoped(ISSUER, "carl", Permission.READ));
        assertThatThrownBy(() -> site(map, "", "https://iam.example.org/\n")).hasMessageContaining("ISSUER,SUBJECT");
    }

    private static void assertBanned(GridmapAuthorizer site, TokenIdentity who) {
        assertThatThrownBy(() -> site.authorize(who))
                .isInstanceOfSatisfying(
                        NotAuthorized.class, e -> assertThat(e.code()).isEqualTo(FaultCode.BANNED));
    }

    @Test
    void aDeclaredPersonIsTheOwnerAndTheTokenSaysWhatIsPermitted() throws IOException {
        String link = "\"https://iam.example.org/,5f0c\" \"/DC=org/O=x/CN=Alice A\" /dteam/Role=production\n";
        GridmapAuthorizer site = site(link + "/dteam/Role=production prd\n", "", "");

        Caller alice = site.authorize(scoped(ISSUER, "5f0c", Permission.READ));
        assertThat(alice.account()).isEqualTo("prd");
        assertThat(alice.identity().kind()).isEqualTo(Identity.Kind.X509);
        assertThat(alice.identity().subject()).isEqualTo("CN=Alice A,O=x,DC=org");
        assertThat(alice.identity().group()).isEqualTo("/dteam/Role=production");
        assertThat(alice.identity().vo()).isEqualTo("dteam");
        assertThat(alice.certificate().dn()).isEqualTo("CN=Alice A,O=x,DC=org");
        alice.require(Permission.READ);
        assertThatThrownBy(() -> alice.require(Permission.CREATE)).hasMessageContaining("compute.create");
        assertThat(site.explainer(() -> Routes.NONE, Map.of())
                        .explain(ISSUER + ",5f0c", List.of("compute.read"))
                        .account())
                .isEqualTo("prd");
        GridmapAuthorizer banned = site(link + "/dteam/Role=production prd\n", "/DC=org/O=x/CN=Alice A\n", "");
        assertBanned(banned, scoped(ISSUER, "5f0c", Permission.READ));
    }

    /** Also one with a name that is hashed, after a restart, and beside others. */
    @ParameterizedTest
    @ValueSource(ints = {1, 80})
    void aTokenKeepsItsAccountOfAPool(int length) throws IOException {
        Path pool = Files.createDirectory(directory.resolve("gridmapdir"));
        for (int i = 1; i <= 3; i++) {
            Files.createFile(pool.resolve("cms00" + i));
        }
        Path map = Files.writeString(directory.resolve("map"), "\"" + ISSUER + " group=/cms\" .cms\n");
        GridmapConfig config = new GridmapConfig(map, null, null, Duration.ofSeconds(2), pool);
        TokenIdentity first = member("Ann".repeat(length), "/cms");
        TokenIdentity second = member("ann".repeat(length), "/cms");
        String account = null;
        for (int start = 0; start < 2; start++) {
            GridmapAuthorizer site = new GridmapAuthorizer(config, "root"::equals, a -> "");
            for (int call = 0; call < 3; call++) {
                String now = site.authorize(first).account();
                assertThat(now).isEqualTo(account == null ? now : account);
                account = now;
                assertThat(site.authorize(second).account()).isNotEqualTo(account);
                site.refresh();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https:// any",
                "\"https://iam.example.org/\" \"/CN=Alice\"",
                "\"https://iam.example.org/,x\" \"Alice\"",
                "\"https://iam.example.org/,x\" \"/CN=Alice\" dteam",
                "\"https://iam.example.org/ sub=x\" any",
                "\"https://iam.example.org/ group=cms\" any",
                "\"https://iam.example.org/ group=/a group=/b\" any",
                "\"https://iam.example.org/ scope=Compute.read\" any",
                "\"https://iam.example.org/ scope=compute.read,x\" any",
                "\"https://iam.example.org/,\" any",
                "\"https://iam.example.org/,x\" root"
            })
    void aLineThatIsNoneIsLeftOutByName(String line) throws IOException {
        assertThat(Gridmap.parse(line, n -> n.equals("root"), false).tokens()).isEmpty();
        assertThat(Gridmap.parse(line, n -> n.equals("root"), false).complaints())
                .singleElement()
                .asString()
                .startsWith("line 1: ");
    }

    @Test
    void mappingNamesOfSubjectsAreDifferentAndFitAFile() {
        String one = PoolMappingName.of(ISSUER + ",aB");
        assertThat(one).isEqualTo("https%3a%2f%2fiam%2eexample%2eorg%2f%2ca%42");
        assertThat(PoolMappingName.of(ISSUER + ",ab")).isNotEqualTo(one);
        String many = PoolMappingName.of(ISSUER + "," + "~".repeat(255));
        assertThat(many).hasSizeLessThan(100).startsWith("sha256%3a");
        assertThat(PoolMappingName.of(ISSUER + "," + "~".repeat(254))).isNotEqualTo(many);
    }

    @Test
    void scopesThatAreNearlyOursAreNamedWhereNoLineIsForAToken() {
        TokenIdentity token = new TokenIdentity(
                ISSUER, "x", "cms", Set.of(), List.of("Compute.Create"), false, List.of(), "", null, Instant.MAX);
        assertThat(GridmapAuthorizer.refusal(token)).contains("no line of the grid-mapfile", "Compute.Create");
    }

    @Test
    void anExplanationKnowsTheVoThatTheConfigurationGivesAnIssuer() throws IOException {
        bans = new BanSet(List.of(new Ban(Ban.Kind.VO, "cms", null, "admin", Instant.EPOCH)));
        GridmapAuthorizer site = site("https://iam.example.org/ any\n", "", "");
        Explanation banned = site.explainer(() -> Routes.NONE, Map.of(ISSUER, "cms"))
                .explain(ISSUER + ",x", List.of("compute.read"));
        assertThat(banned.authorized()).isFalse();
        assertThat(banned.banned()).contains("VO cms");
        assertThat(site.explainer(() -> Routes.NONE, Map.of(ISSUER, "atlas"))
                        .explain(ISSUER + ",x", List.of("compute.read"))
                        .authorized())
                .isTrue();
    }

    @Test
    void anExplanationShowsTheLine() throws IOException {
        GridmapAuthorizer site =
                site("\"https://iam.example.org/ group=/cms/pilots\" pilots\nhttps://iam.example.org/ any\n", "", "");

        Explanation mapped = site.explainer(() -> Routes.NONE, Map.of()).explain(ISSUER + ",x", List.of("/cms/pilots"));
        assertThat(mapped.account()).isEqualTo("pilots");
        assertThat(mapped.mapping()).contains("map:1:");
        assertThat(site.explainer(() -> Routes.NONE, Map.of())
                        .explain(ISSUER + ",x", List.of("/cms/pilots", "compute.read"))
                        .account())
                .isEqualTo("any");
        Explanation refused = site.explainer(() -> Routes.NONE, Map.of()).explain(ISSUER + ",x", List.of());
        assertThat(refused.authorized()).isFalse();
        assertThat(refused.refusal()).contains("no line of the grid-mapfile");
        assertThatThrownBy(() -> site.explainer(() -> Routes.NONE, Map.of()).explain(ISSUER, List.of()))
                .hasMessageContaining("ISSUER,SUBJECT");
    }
}
