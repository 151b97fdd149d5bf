package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.AccountingGroups.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Under which FQAN a token's jobs are accounted, by docs/admin/accounting.md. */
class AccountingGroupsTest {
    private static final String ISSUER = "https://iam.example.org/";
    private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

    private static TokenIdentity token(String issuer, String name, String... groups) {
        return new TokenIdentity(
                issuer,
                name,
                "ofgroup",
                Set.of(),
                false,
                Stream.of(groups).map(TokenGroup::parse).toList(),
                "",
                null,
                END);
    }

    private static GridIdentity person(String... fqans) {
        return new GridIdentity("CN=Ada", List.of(fqans), null, false, END, List.of());
    }

    @Test
    void theFirstRuleThatFitsCounts() {
        AccountingGroups groups = new AccountingGroups(
                List.of(
                        new Rule(ISSUER, "ada", null, "/wlcg/Role=pilot"),
                        new Rule(ISSUER, null, TokenGroup.parse("/wlcg/ops"), "/ops"),
                        new Rule(ISSUER, "bob", null, "/never")),
                false,
                Map.of(ISSUER, "wlcg"));
        assertThat(groups.of(token(ISSUER, "ada", "/wlcg/ops"))).contains("/wlcg/Role=pilot");
        assertThat(groups.of(token(ISSUER, "bob", "/wlcg", "/wlcg/ops"))).contains("/ops");
        assertThat(groups.of(token(ISSUER, "eve", "/wlcg/opsx"))).contains("/wlcg");
        assertThat(groups.of(token("https://other.example.org/", "ada"))).isEmpty();
    }

    @Test
    void groupsCountWhereTheSiteTrustsThemAndTheyAreOfTheIssuersVo() {
        Map<String, String> vos = Map.of(ISSUER, "wlcg");
        AccountingGroups trusting = new AccountingGroups(List.of(), true, vos);
        assertThat(trusting.of(token(ISSUER, "ada", "/wlcg/ana", "/wlcg"))).contains("/wlcg/ana");
        assertThat(trusting.of(token(ISSUER, "ada", "/atlas", "/wlcg"))).contains("/wlcg");
        assertThat(trusting.of(token(ISSUER, "ada", "urn:mace:egi.eu:group:wlcg")))
                .contains("/wlcg");
        assertThat(new AccountingGroups(List.of(), false, vos).of(token(ISSUER, "ada", "/wlcg/ana")))
                .contains("/wlcg");
        assertThat(new AccountingGroups(List.of(), true, Map.of()).of(token(ISSUER, "ada", "/wlcg")))
                .as("an issuer without a VO of its own")
                .isEmpty();
    }

    @Test
    void aVerifiedAttributeIsTakenAsItIs() {
        AccountingGroups groups = new AccountingGroups(List.of(new Rule(ISSUER, null, null, "/wlcg")), true, Map.of());
        assertThat(groups.of(person("/dteam"))).isEmpty();
        assertThat(groups.of(new LinkedIdentity(token(ISSUER, "ada"), person("/dteam"))))
                .isEmpty();
        assertThat(groups.of(new LinkedIdentity(token(ISSUER, "ada"), person())))
                .contains("/wlcg");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wlcg", "/", "/a b", "/wlcg/Role=", "/wlcg/Role=a/b", "/w%%", "/wlcg/\u00e9"})
    void aRuleNamesAnFqan(String fqan) {
        assertThatThrownBy(() -> new Rule(ISSUER, null, null, fqan)).isInstanceOf(IllegalArgumentException.class);
    }
}
