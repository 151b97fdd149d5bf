package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.gelato.ce.description.DescriptionException;

/** Whatever comes in, either a request or a {@link DescriptionException} comes out. */
class JdlFuzzTest {
    private static final String GOOD = """
            [ Type = "Job"; Executable = "run.sh"; Arguments = "a 'b c' $HOME \\"${X}\\" *.txt"; StdInput = "in";
              StdOutput = "out"; StdError = "err"; InputSandbox = { "/x/run.sh", "file:///y/in" };
              OutputSandbox = { "out", "err" }; OutputSandboxDestURI = { "gsiftp://localhost", "gsiftp://localhost/e" };
              Environment = { "A=1", "B=2" }; BatchSystem = "slurm"; QueueName = "q"; CpuNumber = 1 + 2 * 3;
              CERequirements = other.X >= 5 && Member("y", other.Z); Rank = a ? b : c; // comment
              OutputData = { [ OutputFile = "x" ] }; /* end */ ]
            """;

    private static void survives(String text) {
        try {
            assertThat(Jdl.parse(text)).isNotNull();
        } catch (DescriptionException e) {
            assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(1200);
        }
    }

    @Property
    void anyText(@ForAll @StringLength(max = 300) String text) {
        survives(text);
    }

    @Property
    void anyWords(@ForAll("words") List<String> words) {
        survives(String.join("", words));
        survives("Executable = \"/x\"; BatchSystem = \"b\"; QueueName = \"q\"; CpuNumber = " + String.join("", words));
    }

    @Property
    void mutations(
            @ForAll @IntRange(max = 700) int from,
            @ForAll @IntRange(max = 40) int length,
            @ForAll("words") List<String> words) {
        int start = Math.min(from, GOOD.length());
        int end = Math.min(start + length, GOOD.length());
        survives(GOOD.substring(0, start) + String.join("", words) + GOOD.substring(end));
    }

    @Provide
    Arbitrary<List<String>> words() {
        return Arbitraries.of(
                        "[",
                        "]",
                        "{",
                        "}",
                        "(",
                        ")",
                        ";",
                        ",",
                        "=",
                        "==",
                        "=?=",
                        "!",
                        "-",
                        "?",
                        ":",
                        ".",
                        "\"",
                        "\\",
                        "'",
                        "#",
                        "/*",
                        "*/",
                        "//",
                        "\n",
                        " ",
                        "$",
                        "${",
                        "`",
                        "|",
                        "&",
                        "a",
                        "A",
                        "Executable",
                        "undefined",
                        "error",
                        "true",
                        "1",
                        "1.5e3",
                        "9".repeat(30),
                        "gsiftp://localhost",
                        "\0",
                        "\r",
                        "\u00e9",
                        "\ud83d\ude00",
                        "\ud800")
                .list()
                .ofMaxSize(12);
    }
}
