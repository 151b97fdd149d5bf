package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.stream.Stream;
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
    void aJobsRoutesAreShownWithEachSettingAndItsRoute() throws IOException {
        assertThat(ce.run("explain", "-e", "ce", "--dn", "CN=Bob", "--queue", "long", "--cores", "8"))
                .isZero();
        assertThat(ce.calls).contains("explain CN=Bob [] long 8");
        assertThat(ce.out())
                .contains(
                        "routes:    multicore, atlas\n  set.qos = large, by multicore\n  limits.cores = 64, by atlas\n");

        FakeCe again = new FakeCe();
        assertThat(again.run("explain", "-e", "ce", "--json", "--dn", "CN=Bob", "--queue", "long"))
                .isZero();
        JsonNode json = new ObjectMapper().readTree(again.out());
        assertThat(json.at("/routes/values/1/value").asInt()).isEqualTo(64);
        for (String[] wrong : new String[][] {{"--cores", "8"}, {"--queue", "long", "--cores", "0"}}) {
            String[] line = {"explain", "-e", "ce", "--dn", "CN=Bob"};
            assertThat(ce.run(Stream.concat(Stream.of(line), Stream.of(wrong)).toArray(String[]::new)))
                    .isEqualTo(2);
        }
    }

    @Test
    void withoutADnTheCommandLineIsWrong() {
        assertThat(ce.run("explain", "-e", "ce")).isEqualTo(2);
        assertThat(ce.run("explain", "-e", "ce", "--dn", " ")).isEqualTo(2);
        assertThat(ce.run("explain", "--dn", "CN=Bob")).isEqualTo(2);
    }
}
