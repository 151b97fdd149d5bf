package org.gelato.ce.cli.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.gelato.ce.cli.terminal.CliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits keep the user's text, whatever hides in strings and comments. */
class JdlTextTest {
    private static final String QUEUE = " BatchSystem = \"slurm\"; QueueName = \"long\";";

    private static String edited(String jdl) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("BatchSystem", "slurm");
        values.put("QueueName", "long");
        return JdlText.of(jdl).with(values).toString();
    }

    @Test
    void aMessageGetsThePlaceOfItsAttribute() throws Exception {
        JdlText jdl = JdlText.of("[\n  Executable = \"a\";\n  A = 1; cpunumber = 0;\n]")
                .with(Map.of("QueueName", "long"));
        String place = "line 3, column 10: ";
        assertThat(jdl.placed("CpuNumber: the value must be >=1"))
                .isEqualTo(place + "CpuNumber: the value must be >=1");
        assertThat(jdl.placed("system error: CpuNumber: wrong type")).startsWith(place);
        for (String other : List.of(
                "mandatory attribute \"CpuNumber\" not defined!",
                "line 3: CpuNumber: wrong type",
                "StdOutput: no name",
                "CpuNumber",
                "")) {
            assertThat(jdl.placed(other)).isEqualTo(other);
        }
    }

    @Test
    void queueGoesBehindTheLastAttribute() throws Exception {
        assertThat(edited("[Executable=\"/bin/true\";]")).isEqualTo("[Executable=\"/bin/true\";" + QUEUE + "]");
        assertThat(edited("[Executable=\"/bin/true\"]")).isEqualTo("[Executable=\"/bin/true\";" + QUEUE + "]");
        assertThat(edited("Executable=\"/bin/true\";\n")).isEqualTo("Executable=\"/bin/true\";" + QUEUE + "\n");
        assertThat(edited("Executable=\"/bin/true\"")).isEqualTo("Executable=\"/bin/true\";" + QUEUE);
        assertThat(edited("[]")).isEqualTo("[" + QUEUE + "]");
    }

    @Test
    void trailingCommentsSwallowNothing() throws Exception {
        assertThat(edited("A=1 // last")).isEqualTo("A=1;" + QUEUE + " // last");
        assertThat(edited("A=1;\n# last")).isEqualTo("A=1;" + QUEUE + "\n# last");
        assertThat(edited("[A=1; /* ] */ ] // ]")).isEqualTo("[A=1;" + QUEUE + " /* ] */ ] // ]");
        assertThat(edited("[\n A=1 // no semicolon\n]\n")).isEqualTo("[\n A=1;" + QUEUE + " // no semicolon\n]\n");
    }

    @Test
    void formerQueueIsBlankedOutAndLinesStay() throws Exception {
        String text = edited("[\n batchsystem = \"pbs\";\n A = 1;\n QueueName\n  = \"short\"\n]");
        assertThat(text.lines().toList()).hasSize(6);
        assertThat(text).doesNotContain("pbs").doesNotContain("short").contains(QUEUE);
        assertThat(JdlText.of(text).has("QUEUENAME")).isTrue();
        assertThat(text.lines().toList().get(2)).startsWith(" A = 1;");
    }

    @Test
    void onlyTheTopCounts() throws Exception {
        String inner = "[ A = [ QueueName = \"inner\"; ]; B = \"QueueName = 1; ]\"; C = { \"x\", \"]\" }; ]";
        assertThat(edited(inner)).isEqualTo(inner.substring(0, inner.length() - 2) + QUEUE + " ]");
        assertThat(JdlText.of(inner).has("QueueName")).isFalse();
    }

    @Test
    void backslashEscapesOnlyQuotes() throws Exception {
        assertThat(edited("A = \"say \\\"hi;\\\"\"; B = \"c:\\dir\"")).endsWith("B = \"c:\\dir\";" + QUEUE);
    }

    @Test
    void comparisonsAreNoAttributes() throws Exception {
        JdlText jdl = JdlText.of("Requirements = other.QueueName == \"x\" && a != b; Rank = 1;");
        assertThat(jdl.has("QueueName")).isFalse();
        assertThat(jdl.has("requirements")).isTrue();
        assertThat(jdl.has("rank")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[A = 1;             | line 1, column 1: '[' is never closed",
                "A = {1, 2;          | line 1, column 5: '{' is never closed",
                "A = \"abc           | line 1, column 5: the string",
                "A = 1; /* x         | line 1, column 8: the comment",
                "A = 1]              | line 1, column 6: ']' closes nothing",
                "[A = (1};]          | line 1, column 8: '}' does not close",
                "[A = 1;] B          | line 1, column 10: text after",
            })
    void brokenTextIsReportedWithItsPlace(String jdl, String message) {
        assertThatThrownBy(() -> JdlText.of(jdl))
                .isInstanceOf(CliException.class)
                .hasMessageContaining(message);
    }

    @Test
    void placeCountsLines() {
        assertThatThrownBy(() -> JdlText.of("[\n  A = 1;\n  B = }\n]")).hasMessageStartingWith("line 3, column 7:");
    }

    @Test
    void localInputFilesAreFound() throws Exception {
        assertThat(JdlText.of("InputSandbox = { \"/a/b\", \"gsiftp://h/x\", \"file:///c\", \" \" };")
                        .localInputFiles())
                .containsExactly("/a/b", "file:///c");
        assertThat(JdlText.of("inputsandbox = \"run.sh\"").localInputFiles()).isEqualTo(List.of("run.sh"));
        assertThat(JdlText.of("InputSandbox = {\"a\"}; InputSandboxBaseURI = \"https://h/d\"")
                        .localInputFiles())
                .isEmpty();
        assertThat(JdlText.of("InputSandbox = {\"a\", \"/b\", \"file:///c\"}; InputSandboxBaseURI = \"https://h/d\"")
                        .localInputFiles())
                .containsExactly("/b", "file:///c");
        assertThat(JdlText.of("InputSandbox = {\"a\"}; InputSandboxBaseURI = \"file:///d\"")
                        .localInputFiles())
                .containsExactly("a");
        assertThat(JdlText.of("InputSandbox = {\"a\"}; InputSandbox = {}").localInputFiles())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n", "[]", "# nothing\n// at all", "/* x */"})
    void nothingIsEmpty(String text) throws Exception {
        assertThat(JdlText.of(text).isEmpty()).isTrue();
    }

    @Property
    void whateverStandsInAStringStaysThere(@ForAll @StringLength(max = 40) String content) throws Exception {
        String string = "\"" + content.replace("\\", "").replace("\"", "\\\"") + "\"";
        String text = edited("[A = " + string + "; B = 2]");
        assertThat(text).startsWith("[A = " + string + "; B = 2;" + QUEUE);
    }
}
