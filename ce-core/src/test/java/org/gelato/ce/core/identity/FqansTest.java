package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FqansTest {
    private static final MappingLine LINE = new MappingLine(1, "", "dteam001", false);

    @ParameterizedTest
    @CsvSource({
        "/dteam/Role=NULL/Capability=NULL,/dteam",
        "/dteam/Role=NULL,/dteam",
        "/dteam/x/Role=prod/Capability=NULL,/dteam/x/Role=prod",
        "/dteam,/dteam"
    })
    void emptyRoleAndCapabilityAreCut(String written, String normalised) {
        assertThat(Fqans.normalised(written)).isEqualTo(normalised);
    }

    @ParameterizedTest
    @CsvSource({
        "/dteam,true",
        "/dteam/prod/Role=lcgadmin,true",
        "/dteam/Role=NULL/Capability=NULL,true",
        "/atlas,false",
        "/dteamx,false",
        "/dteam/a b,false",
        "dteam,false",
        "/dteam/,false"
    })
    void anIssuerSpeaksForItsOwnVo(String fqan, boolean expected) {
        assertThat(Fqans.belongsTo("dteam", fqan)).isEqualTo(expected);
    }

    @Test
    void aNameTooLongForTheDatabaseIsNone() {
        assertThat(Fqans.belongsTo("dteam", "/dteam/" + "x".repeat(248))).isTrue();
        assertThat(Fqans.belongsTo("dteam", "/dteam/" + "x".repeat(249))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/dteam,/dteam,true",
        "/dteam,/dteam/Role=prod,false",
        "/dteam/*,/dteam,true",
        "/dteam/*,/dteam/Role=prod,true",
        "/dteam/*,/dteam/a/b/Role=prod,true",
        "/dteam/*,/dteamx,false",
        "/dteam/Role=NULL/Capability=NULL,/dteam,true",
        "/dteam/Role=prod/Capability=NULL,/dteam/Role=prod,true",
        "/dteam/*/Role=prod,/dteam/x/Role=prod,true",
        "/dteam/*/Role=prod,/dteam/x/Role=pilot,false",
        "/dteam/Role=pr?d,/dteam/Role=prod,true",
        "/dteam/Role=pr?d,/dteam/Role=prood,false",
        "/d.eam,/dteam,false",
        "/*,/dteam/x,true"
    })
    void patternsMatch(String pattern, String fqan, boolean expected) {
        assertThat(FqanRule.of(pattern, LINE).matches(fqan)).isEqualTo(expected);
    }

    @Test
    void aPatternOfStarsIsNoTrap() {
        assertThat(FqanRule.of("/" + "*".repeat(200) + "y", LINE).matches("/" + "x".repeat(250)))
                .isFalse();
    }

    @Test
    void textThatIsNoPatternIsRefused() {
        assertThatThrownBy(() -> FqanRule.of("/dteam/(a|b)", LINE)).hasMessageContaining("/dteam/(a|b)");
    }
}
