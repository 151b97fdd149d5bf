package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on many jobs or delegations: the result of each is shown, and one failure is the exit code. */
class ResultsOfEachTest {
    private final FakeCe ce = new FakeCe();

    @TempDir
    private Path directory;

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(ce.out());
    }

    private static List<String> texts(JsonNode array) {
        return IntStream.range(0, array.size())
                .mapToObj(i -> array.get(i).asText())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "purge", "suspend", "resume", "lease attach -L L1", "lease detach"})
    void aRefusedJobAmongOthersIsNotCountedAsDone(String command) throws IOException {
        ce.refusal = new WireFault("LeaseIdMismatchFault", "3", "no lease of this id", null);
        String[] words = (command + " --json https://ce/CREAM000000001 https://ce/CREAM000000002").split(" ");
        assertThat(ce.run(words)).isEqualTo(1);
        assertThat(ce.err()).contains("https://ce:8443/CREAM000000001: no lease of this id", "for 1 job\n");
        assertThat(json().at("/refused")).hasSize(1);
        assertThat(json().at("/refused/0/id").asText()).isEqualTo("https://ce:8443/CREAM000000001");
        assertThat(texts(json().at("/agreed"))).containsExactly("https://ce:8443/CREAM000000002");
    }

    @Test
    void jobsOfRequestsThatWereNotSentAreNotCountedAsDone() throws IOException {
        ce.requestsBeforeLoss = 1;
        ce.input = IntStream.rangeClosed(1, 1600)
                .mapToObj(i -> String.format("https://ce/CREAM%09d", i))
                .collect(Collectors.joining("\n"));
        assertThat(ce.run("cancel", "--json", "-")).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo("ce cancel: 500 jobs from CREAM000000501 on: ce:8443: the connection broke; it is not known"
                        + " whether the CE has got this command: ce status shows how the jobs stand, and the command can be"
                        + " repeated\n"
                        + "ce cancel: 600 jobs from CREAM000001001 on: not sent, as the connection broke before\n"
                        + "ce cancel: cancel requested for 500 jobs\n");
        assertThat(json().at("/agreed")).hasSize(500);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void jobsSubmittedBeforeTheConnectionBrokeAreNamed(boolean wait) throws IOException {
        ce.registersBeforeLoss = 1;
        ce.workingDirectory = directory;
        Files.writeString(directory.resolve("a.jdl"), "[Executable = \"/bin/true\";]");
        List<String> words = new ArrayList<>(List.of("submit", "--json", "-r", "ce:9443/cream-fork-demo"));
        if (wait) {
            words.add("--wait");
        }
        words.addAll(Collections.nCopies(102, "a.jdl"));
        assertThat(ce.run(words.toArray(String[]::new))).isEqualTo(1);
        assertThat(ce.err()).contains("ce submit: a.jdl and 1 more: ce:9443: the connection broke");
        assertThat(json().at("/jobs")).hasSize(100);
        assertThat(json().at("/jobs/0/id").asText()).isEqualTo("https://ce:9443/CREAM000000001");
        assertThat(json().at("/jobs/99/status").asText()).isEqualTo(wait ? "DONE-OK" : "");
        assertThat(json().at("/notSubmitted/files")).hasSize(2);
        assertThat(json().at("/notSubmitted/reason").asText())
                .startsWith("ce:9443: the connection broke; it is not known whether the 2 jobs were registered");
    }

    @Test
    void aRefusalAmongAllJobsIsNotSaidToBeDone() {
        ce.refusalOfAll = "CREAM000000004";
        ce.refusal = new WireFault("LeaseIdMismatchFault", "3", "no lease of this id", null);
        assertThat(ce.run("lease", "attach", "-L", "L1", "--all", "-e", "ce")).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo("ce lease attach: https://ce:8443/CREAM000000004: no lease of this id\n"
                        + "ce lease attach: lease set for all your other jobs that meet the criteria\n");
    }

    @Test
    void eachDelegationHasItsResultAlsoWhenTheConnectionBreaks() throws IOException {
        assertThat(ce.run("-e", "ce", "renew", "--json", "one", "cut", "unknown", "two"))
                .isEqualTo(1);
        assertThat(texts(json().at("/renewed"))).containsExactly("one", "two");
        assertThat(json().at("/refused/0/id").asText()).isEqualTo("cut");
        assertThat(json().at("/refused/1/id").asText()).isEqualTo("unknown");
        assertThat(ce.err()).contains("ce renew: cut: ce:8443: the connection broke", "ce renew: unknown: ");
    }
}
