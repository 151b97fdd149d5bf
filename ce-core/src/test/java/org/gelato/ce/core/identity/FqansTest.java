package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FqansTest {
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
}
