package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;
import static org.gelato.ce.core.delegation.DelegationGrid.proxy;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.delegation.AttributeReader.Attributes;
import org.gelato.ce.core.delegation.DelegationGrid.Kind;
import org.junit.jupiter.api.Test;

class ProxyInfoTextTest {

    private final Instant begin = NOW.minusSeconds(600);
    private final Instant end = NOW.plusSeconds(3600);

    @Test
    void datesAreUsShortOnesWithPlainSpaces() {
        assertThat(ProxyInfoText.date(Instant.parse("2026-01-02T03:04:05Z"))).isEqualTo("1/2/26 3:04 AM (GMT)");
        assertThat(ProxyInfoText.date(Instant.parse("2026-11-20T15:30:00Z"))).isEqualTo("11/20/26 3:30 PM (GMT)");
        assertThat(ProxyInfoText.date(Instant.parse("2026-12-31T00:00:00Z"))).isEqualTo("12/31/26 12:00 AM (GMT)");
    }

    @Test
    void aProxyWithAttributesIsTold() {
        ProxyChain chain = chain(Kind.RFC);
        Attributes attributes = new Attributes(
                "dteam",
                List.of("/dteam/Role=NULL/Capability=NULL", "/dteam/x"),
                "CN=voms.example.org,O=Gelato,C=EU",
                List.of());
        assertThat(ProxyInfoText.of(chain, attributes))
                .isEqualTo("[ isRFC=\"true\"; valid from=\"" + ProxyInfoText.date(begin) + "\"; valid to=\""
                        + ProxyInfoText.date(end) + "\"; holder DN=\"CN=Sample User,O=People,DC=gelato,DC=test\";"
                        + " holder AC issuer=\"CN=Sample User,O=People,DC=gelato,DC=test\"; VO=\"dteam\";"
                        + " AC issuer=\"CN=voms.example.org,O=Gelato,C=EU\";"
                        + " VOMS attributes={ /dteam/Role=NULL/Capability=NULL, /dteam/x } ]");
    }

    @Test
    void aPlainLegacyProxyIsTold() {
        assertThat(ProxyInfoText.of(chain(Kind.LEGACY), Attributes.NONE))
                .startsWith("[ isRFC=\"false\"; valid from=")
                .endsWith("holder AC issuer=\"CN=Sample User,O=People,DC=gelato,DC=test\" ]")
                .doesNotContain("VO");
    }

    private ProxyChain chain(Kind kind) {
        return ProxyChain.parse(ProxyChain.pem(proxy(USER, SPARE_KEY.getPublic(), kind, begin, end)));
    }
}
