package org.gelato.ce.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A small run of JMH: what its ratios make of the exit status. */
class JmhCommandTest {
    private static final String DESCRIPTION = "TextBenchmark.jdlParse";
    private static final String WRAPPER = "TextBenchmark.wrapper";

    @TempDir
    Path home;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(List<Ratio> ratios, String... arguments) {
        return new CommandLine(new JmhCommand(ratios))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void aRatioOutOfItsBoundFailsAQuickRun() throws IOException {
        Path json = home.resolve("quick.json");
        List<Ratio> ratios = List.of(
                new Ratio("never_holds", DESCRIPTION, WRAPPER, 0),
                new Ratio("always_holds", DESCRIPTION, DESCRIPTION, 1),
                new Ratio("told", WRAPPER, DESCRIPTION, Double.POSITIVE_INFINITY));
        int code = run(ratios, "--quick", "--only", "TextBenchmark", "--json", json.toString());
        assertThat(code).as(err::toString).isEqualTo(1);
        assertThat(err.toString()).contains("ce perf: out of bounds: never_holds is ");
        assertThat(err.toString()).doesNotContain("bounds: always_holds", "bounds: told");
        assertThat(out.toString()).contains(DESCRIPTION, WRAPPER, "never_holds", "always_holds", "told");
        JsonNode result = new ObjectMapper().readTree(Files.readString(json));
        assertThat(result.at("/ratios").findValuesAsText("holds")).containsExactly("false", "true");
        assertThat(result.at("/scores").findValuesAsText("name")).containsExactly(DESCRIPTION, WRAPPER);
        assertThat(result.at("/jmh")).hasSize(2);
    }

    @Test
    void aRunWithinItsBoundsSucceeds() {
        List<Ratio> ratios = List.of(new Ratio("always_holds", WRAPPER, WRAPPER, 1));
        assertThat(run(ratios, "--quick", "--only", "TextBenchmark.wrapper"))
                .as(err::toString)
                .isZero();
        assertThat(err.toString()).doesNotContain("out of bounds");
    }

    @Test
    void aNameOfNoBenchmarkIsInvalidUsage() {
        assertThat(run(List.of(), "--only", "Nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("no benchmark's name contains Nothing");
        assertThat(run(List.of(), "--only", "[")).isEqualTo(2);
    }
}
