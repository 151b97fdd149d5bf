package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gelato.ce.ws.glue2.SiteFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InformationKeysTest {
    private static final String NODES =
            "gelato.information.environments = [{ name = a, platform = x86_64, memory = 64000,"
                    + " os-family = linux, inbound = false, outbound = true }]";

    @TempDir
    private Path directory;

    private SiteFacts load(String text) throws IOException {
        return CeConfig.load(Files.writeString(directory.resolve("gelato.conf"), text))
                .information();
    }

    @Test
    void aSiteThatTellsNothingHasNoFacts() throws IOException {
        SiteFacts facts = load("gelato.home = run");
        assertThat(facts).isEqualTo(SiteFacts.none(directory.resolve("run/glue2.ldif")));
    }

    @Test
    void aSiteTellsOfItself() throws IOException {
        SiteFacts facts = load("""
                gelato {
                  lrms.queues = [long, short]
                  information {
                    site = EXAMPLE-SITE
                    quality-level = pre-production
                    vos = [atlas]
                    location { place = Meyrin, latitude = "46.23", longitude = "-6.05" }
                    environments = [{ name = epyc, queues = [long], platform = x86_64, memory = 256000, os-family = linux
                      logical-cpus = 128, inbound = no, outbound = yes, benchmarks = { hep-spec06 = "12.50", HEPscore23 = 14 } }]
                    queues = [{ queue = long, max-wall-time = 48 h, max-slots-per-job = 64 }]
                    storage = [{ id = se.example.org, local-path = /data }]
                  }
                }
                """);

        assertThat(facts.site()).isEqualTo("EXAMPLE-SITE");
        assertThat(facts.quality()).isEqualTo("pre-production");
        assertThat(facts.vos()).containsExactly("atlas");
        assertThat(facts.location()).isEqualTo(new SiteFacts.Location("Meyrin", "", "46.23", "-6.05"));
        assertThat(facts.environments()).singleElement().satisfies(e -> {
            assertThat(e.queues()).isEqualTo(List.of("long"));
            assertThat(e.memory()).isEqualTo(256_000);
            assertThat(e.logicalCpus()).isEqualTo(128);
            assertThat(e.inbound()).isFalse();
            assertThat(e.outbound()).isTrue();
            assertThat(e.benchmarks()).isEqualTo(Map.of("hep-spec06", "12.50", "HEPscore23", "14"));
        });
        assertThat(facts.queues()).singleElement().satisfies(q -> {
            assertThat(q.maxWallTime()).isEqualTo(Duration.ofDays(2));
            assertThat(q.maxSlotsPerJob()).isEqualTo(64);
            assertThat(q.maxMemory()).isNull();
        });
        assertThat(facts.storage()).containsExactly(new SiteFacts.Storage("se.example.org", "/data", "none"));
    }

    @Test
    void nodesServeAllQueuesUnlessToldOtherwise() throws IOException {
        assertThat(load(NODES).environments())
                .singleElement()
                .satisfies(e -> assertThat(e.queues()).isEqualTo(List.of("default")));
    }

    @Test
    void textsAreStrippedAndBlankOnesAreAbsent() throws IOException {
        SiteFacts facts = load(
                NODES.replace("os-family = linux", "os-family = \" linux \", os-name = \" CentOS\", os-version = \" \"")
                        + "\ngelato.information.storage = [{ id = \"se \", local-path = /data, remote-path = \"\" }]");

        assertThat(facts.environments()).singleElement().satisfies(e -> {
            assertThat(e.osFamily()).isEqualTo("linux");
            assertThat(e.osName()).isEqualTo("CentOS");
            assertThat(e.osVersion()).isEmpty();
        });
        assertThat(facts.storage()).containsExactly(new SiteFacts.Storage("se", "/data", "none"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "site = \"a b\"; site =",
                "vos = [\"a/b\"]; vos =",
                "quality-level = good; quality-level =",
                "location.latitude = \"91\"; location.latitude =",
                "location.longitude = east; location.longitude =",
                "environments = [{ name = a }]; platform is missing",
                "environments = [{ name = a, platform = x, memory = 0, os-family = linux }]; memory is not a whole number",
                "environments = [{ name = a, cores = 4 }]; there is no key cores",
                "environments = [{ name = a, queues = [x], platform = x, memory = 1, os-family = linux, inbound = no, outbound = no }]; x is not in gelato.lrms.queues",
                "queues = [{ queue = x }]; x is not in gelato.lrms.queues",
                "queues = [{ queue = default, max-wall-time = 1 h, default-wall-time = 2 h }]; default-wall-time is more than",
                "queues = [{ queue = default, max-memory = 2, max-virtual-memory = 1 }]; max-memory is more than",
                "queues = [{ queue = default, max-cpu-time = 0 s }]; max-cpu-time is not a duration",
                "queues = [{ queue = default }, { queue = default }]; default is there twice",
                "storage = [{ id = x }]; local-path is missing",
                "storage = [{ id = \" \", local-path = x }]; id is not a text of one line"
            })
    void anInvalidValueIsRefusedWithItsKey(String line, String problem) throws IOException {
        ConfigurationException e =
                catchThrowableOfType(ConfigurationException.class, () -> load("gelato.information." + line));
        assertThat(e).as("refused").isNotNull();
        assertThat(e.problems())
                .singleElement()
                .asString()
                .startsWith("gelato.information.")
                .contains(problem, "line 1");
    }

    @Test
    void benchmarksAreDecimalNumbers() throws IOException {
        ConfigurationException e = catchThrowableOfType(
                ConfigurationException.class,
                () -> load(NODES.replace("memory", "benchmarks = { hep-spec06 = fast }, memory")));
        assertThat(e.problems()).singleElement().asString().contains("hep-spec06 = \"12.5\"");
    }
}
