package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever shows a banned name is banned, by proxy or token, with whatever else. */
class BanSetTest {
    @ParameterizedTest
    @CsvSource({
        "VO, cms, /dteam /cms, true",
        "VO, cms, urn:mace:egi.eu:group:cms:role=pilot#aai.egi.eu, true",
        "VO, cms, urn:mace:egi.eu:group:registry:cms, true",
        "VO, cms, /dteam/cms, false",
        "VO, issuers, /dteam, true",
        "FQAN, /cms, /dteam /cms, true",
        "FQAN, /cms, /cms/pilots, false",
        "FQAN, urn:mace:egi.eu:group:cms, urn:mace:egi.eu:group:cms:role=pilot#aai.egi.eu, true",
        "FQAN, urn:mace:egi.eu:group:cms:role=pilot, urn:mace:egi.eu:group:cms:role=pilot#aai.egi.eu, true",
        "FQAN, urn:mace:egi.eu:group:cms:role=pilot, urn:mace:egi.eu:group:cms, false",
        "FQAN, urn:mace:egi.eu:group:cms, urn:mace:other.org:group:cms, false",
        "FQAN, urn:mace:egi.eu:group:%63ms, urn:mace:egi.eu:group:cms, true",
        "DN, 'https://iss,zoe', /cms, true",
        "DN, 'https://iss,Zoe', /cms, false",
    })
    void tokens(Ban.Kind kind, String name, String groups, boolean banned) {
        List<TokenGroup> all =
                Stream.of(groups.split(" ")).map(TokenGroup::parse).toList();
        for (boolean capable : List.of(false, true)) {
            TokenIdentity token =
                    new TokenIdentity("https://iss", "zoe", "issuers", Set.of(), capable, all, "", null, Instant.MAX);
            assertThat(only(kind, name).of(token) != null)
                    .as("with capabilities: %s", capable)
                    .isEqualTo(banned);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FQAN, /dteam/Role=pilot, /dteam/Role=pilot/Capability=x, true",
        "FQAN, /dteam/Role=pilot, /dteam/Role=pilot/Capability=NULL, true",
        "FQAN, /dteam, /dteam/Role=NULL/Capability=x, true",
        "FQAN, /dteam/Role=pilot/Capability=x, /dteam/Role=pilot, false",
        "FQAN, /dteam/Role=pilot/Capability=x, /dteam/Role=pilot/Capability=x, true",
        "FQAN, /dteam, /dteam/Role=pilot, false",
        "VO, dteam, /cms /dteam/Role=pilot, true",
        "VO, dteam, /cms/dteam, false",
    })
    void proxies(Ban.Kind kind, String name, String fqans, boolean banned) {
        assertThat(only(kind, name).of("CN=a", List.of(fqans.split(" "))) != null)
                .isEqualTo(banned);
    }

    @Test
    void anotherKindOfOwnerIsNoneOfThese() {
        BanSet dn = only(Ban.Kind.DN, "CN=a");
        assertThat(dn.ofOwner(Identity.Kind.X509, new Owner("CN=a", "", null))).isNotNull();
        assertThat(dn.ofOwner(Identity.Kind.TOKEN, new Owner("https://iss,zoe", "urn:mace:egi.eu:group:cms", "cms")))
                .isNull();
    }

    @Test
    void whatIsNeitherFqanNorEntitlementCannotBeBanned() {
        assertThatThrownBy(() -> Ban.name(Ban.Kind.FQAN, "urn:mace:egi.eu:cms"))
                .hasMessageContaining("neither an FQAN such as /vo/group/Role=role nor an entitlement");
    }

    private static BanSet only(Ban.Kind kind, String name) {
        return new BanSet(List.of(new Ban(kind, Ban.name(kind, name), null, "CN=admin", Instant.EPOCH)));
    }
}
