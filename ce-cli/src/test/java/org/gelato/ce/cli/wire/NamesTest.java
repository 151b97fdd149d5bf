package org.gelato.ce.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users may write for a CE, a job, a queue. */
class NamesTest {
    @Test
    void endpointHasPort8443ByDefault() {
        assertThat(Endpoint.parse("CE.example.org")).hasToString("ce.example.org:8443");
        assertThat(Endpoint.parse("localhost:9443")).isEqualTo(new Endpoint("localhost", 9443));
        assertThat(Endpoint.parse("[::1]:9443").resolve("/x")).hasToString("https://[::1]:9443/x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://ce:8443",
                "https://",
                "https://u@ce/x",
                "ce:",
                "ce:0",
                "ce:65536",
                "ce:8443/",
                "a b",
                "-x",
                "ce:99999",
                "u@ce",
                "ce?x"
            })
    void otherTextsAreNoEndpoint(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void jobIdCarriesItsCe() {
        JobUrl job = JobUrl.parse("https://ce.example:9443/CREAM012345678", Optional.empty());
        assertThat(job).isEqualTo(new JobUrl(new Endpoint("ce.example", 9443), "CREAM012345678"));
        assertThat(job).hasToString("https://ce.example:9443/CREAM012345678");
        assertThat(JobUrl.parse("https://ce.example/CREAM012345678", Optional.empty())
                        .endpoint()
                        .port())
                .isEqualTo(8443);
    }

    @Test
    void localIdNeedsKnownCe() {
        Endpoint ce = new Endpoint("ce", 1);
        assertThat(JobUrl.parse("CREAM000000001", Optional.of(ce))).hasToString("https://ce:1/CREAM000000001");
        assertThatThrownBy(() -> JobUrl.parse("CREAM000000001", Optional.empty()))
                .hasMessageContaining("-e");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "CREAM1",
                "CREAM0000000001",
                "https://ce/CREAM00000000x",
                "http://ce/CREAM000000001",
                "https://ce:8443/x/CREAM000000001",
                "https://ce:8443/CREAM000000001/",
                "https://ce:70000/CREAM000000001",
                "https://u@ce/CREAM000000001",
                "https://ce/CREAM000000001\nx"
            })
    void otherTextsAreNoJobId(String text) {
        assertThatThrownBy(() -> JobUrl.parse(text, Optional.of(new Endpoint("ce", 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void resourceNamesCeBatchSystemAndQueue() {
        ResourceName resource = ResourceName.parse("ce.example:9443/cream-slurm-long-jobs");
        assertThat(resource.endpoint()).isEqualTo(new Endpoint("ce.example", 9443));
        assertThat(resource.batchSystem()).isEqualTo("slurm");
        assertThat(resource.queue()).isEqualTo("long-jobs");
        assertThat(resource).hasToString("ce.example:9443/cream-slurm-long-jobs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ce",
                "ce/cream-slurm",
                "ce/slurm-q",
                "ce/cream-slurm-q\"; Executable=\"x",
                "ce/cream--q",
                "https://ce/cream-a-b",
                "ce/cream-a-b c"
            })
    void otherTextsAreNoResource(String text) {
        assertThatThrownBy(() -> ResourceName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void faultGivesTheCauseWhereTheDescriptionIsEmpty() {
        assertThat(new WireFault("GenericFault", "0", "system error", "Queue: unknown").message())
                .isEqualTo("Queue: unknown");
        assertThat(new WireFault("JobUnknownFault", "2", "job not found", "N/A").message())
                .isEqualTo("job not found");
        assertThat(new WireFault("X", null, "a", "b\nc").message()).isEqualTo("a: b c");
        assertThat(new WireFault("GenericFault", null, null, "N/A").message()).contains("GenericFault");
        assertThat(new WireFault("X", null, "\u001b[2Jgone", null).message()).isEqualTo("?[2Jgone");
    }

    /** The two sides may be of two versions: the code travels, and its advice is the client's own. */
    @Test
    void aCodeOfANewerCeHasItsWordsWithoutAdvice() {
        assertThat(new WireFault("X", "403", "you are banned", null, "BANNED").advised())
                .isEqualTo("you are banned (only the site's administrators can lift a ban)");
        assertThat(new WireFault("JobUnknownFault", "404", "no more", null, "BANNED_TOO").advised())
                .isEqualTo("no more");
        assertThat(new WireFault("JobUnknownFault", "2", "job not found", null).advised())
                .isEqualTo("job not found (ce list shows your jobs; purged ones are gone)");
        assertThat(new WireFault("GenericFault", "0", "no", null, "GENERIC").advised())
                .isEqualTo("no");
    }
}
