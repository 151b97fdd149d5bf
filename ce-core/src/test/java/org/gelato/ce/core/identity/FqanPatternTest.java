package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FqanPatternTest {
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
        "/*,/dteam/x,true",
        "/*,/dteam,true",
        "/dteam,/dteam/Role=NULL,true",
        "/dteam,/dteam/Role=NULL/Capability=NULL,true",
        "/dteam,/dteam/Capability=x,true",
        "/dteam/Capability=NULL,/dteam,true",
        "/dteam/Capability=*,/dteam/Capability=x,true",
        "/dteam/Role=NULL,/dteam,true",
        "/dteam/Role=NULL,/dteam/Role=NULL/Capability=NULL,true",
        "/dteam/Role=NULL,/dteam/Role=prod,false",
        "/dteam/Role=NULL,/dteam/a,false",
        "/dteam/*/Role=NULL,/dteam/Role=prod,false",
        "/dteam/*/Role=NULL,/dteam/a/Role=prod,false",
        "/dteam/*/Role=NULL,/dteam/a,true",
        "/dteam/*/Role=NULL,/dteam/a/b,true",
        "/dteam/*/Role=NULL,/dteam/a/Role=NULL,true",
        "/dteam/*/Role=NULL,/dteam,false",
        "/dteam/*/Role=NULL/Capability=NULL,/dteam/Role=prod,false",
        "/dteam/*/Role=NULL/Capability=NULL,/dteam/a,true",
        "/dteam*/Role=NULL,/dteam,true",
        "/dteam*/Role=NULL,/dteamx,true",
        "/dteam*/Role=NULL,/dteam/Role=prod,false",
        "/dteam/Role=*,/dteam,false",
        "/dteam/Role=*,/dteam/Role=prod,true",
        "/dteam/*/Role=*,/dteam/a,false",
        "/dteam/a/*,/dteam/a,true",
        "/dteam/a/*,/dteam,false"
    })
    void patternsMatch(String pattern, String fqan, boolean expected) {
        assertThat(FqanPattern.of(pattern).matches(fqan)).isEqualTo(expected);
    }

    @Test
    void aPatternOfStarsIsNoTrap() {
        assertThat(FqanPattern.of("/" + "*".repeat(200) + "y").matches("/" + "x".repeat(250)))
                .isFalse();
    }

    @Test
    void textThatIsNoPatternIsRefused() {
        assertThatThrownBy(() -> FqanPattern.of("/dteam/(a|b)")).hasMessageContaining("/dteam/(a|b)");
    }
}
