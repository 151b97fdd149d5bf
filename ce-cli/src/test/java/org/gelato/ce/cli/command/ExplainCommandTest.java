package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
    private final FakeCe ce = new FakeCe();

    @Test
    void aMappedUserIsExplainedStepByStep() {
        assertThat(ce.run("explain", "-e", "ce", "--dn", "CN=Bob", "--fqan", "/dteam", "--fqan", "/cms"))
                .isZero();
        assertThat(ce.calls).contains("explain CN=Bob [/dteam, /cms]");
        assertThat(ce.out())
                .contains(
                        "owner:     CN=Bob\n",
                        "group:     /dteam\n",
                        "account:   dteam001\n",
                        "mapping:   /gridmap:1: \"/dteam/*\" .dteam\n",
                        "  - one\n  - two\n")
                .endsWith("AUTHORIZED\n");
    }

    @Test
    void aBannedUserIsExitCodeOne() throws IOException {
        assertThat(ce.run("explain", "-e", "ce", "--dn", "/CN=Eve")).isEqualTo(1);
        assertThat(ce.out()).contains("banned:    /ban:3\n").endsWith("BANNED\n");

        FakeCe again = new FakeCe();
        assertThat(again.run("explain", "-e", "ce", "--json", "--dn", "/CN=Eve"))
                .isEqualTo(1);
        JsonNode json = new ObjectMapper().readTree(again.out());
        assertThat(json.path("authorized").booleanValue()).isFalse();
        assertThat(json.path("banned").asText()).isEqualTo("/ban:3");
        assertThat(json.path("leased").isBoolean()).isTrue();
        assertThat(json.path("steps")).hasSize(2);
    }

    @Test
    void withoutADnTheCommandLineIsWrong() {
        assertThat(ce.run("explain", "-e", "ce")).isEqualTo(2);
        assertThat(ce.run("explain", "-e", "ce", "--dn", " ")).isEqualTo(2);
        assertThat(ce.run("explain", "--dn", "CN=Bob")).isEqualTo(2);
    }
}
