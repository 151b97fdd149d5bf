package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Languages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, and where it stands, can be read from an error without its text. */
class JdlErrorPlaceTest {
    private static final String GOOD = "Executable = \"/bin/sleep\"; BatchSystem = \"slurm\"; QueueName = \"short\";\n";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            Type = "DAG"                                   | Type                     | 2 | 1
            JobType = { "Normal" }                         | JobType                  | 2 | 1
            Executable = 5                                 | Executable               | 2 | 1
            executable = "/bin/"                           | Executable               | 2 | 1
            Foo = 1; \\n  Executable = "a/b"               | Executable               | 3 | 3
            BatchSystem = undefined                        | BatchSystem              | 2 | 1
            QueueName = ""                                 | QueueName                | 2 | 1
            Executable = "$(id)"                           | Executable               | 2 | 1
            Executable = "run.sh"                          | InputSandbox             | 0 | 0
            InputSandbox = "x"; Executable = "run.sh"      | InputSandbox             | 2 | 1
            StdOutput = "/tmp/out"                         | StdOutput                | 2 | 1
            StdError = "e?r"                               | StdError                 | 2 | 1
            StdOutput = "a/x"; StdError = "b/x"            | StdError                 | 2 | 20
            InputSandbox = { "/a/x", "b/x" }               | InputSandbox             | 2 | 1
            InputSandbox = "/a/"                           | InputSandbox             | 2 | 1
            InputSandbox = "ftp://h/x"                     | InputSandbox             | 2 | 1
            InputSandboxBaseURI = "gsiftp://h/ x"          | InputSandboxBaseURI      | 2 | 1
            OutputSandboxDestURI = "gsiftp://localhost"    | OutputSandboxDestURI     | 2 | 1
            OutputSandbox = "x"; OutputSandboxBaseDestURI = "http://h/d" | OutputSandboxBaseDestURI | 2 | 22
            OutputSandbox = "*"; OutputSandboxDestURI = "https://h/d"    | OutputSandbox            | 2 | 1
            Environment = "A"                              | Environment              | 2 | 1
            Environment = "2B=x"                           | Environment              | 2 | 1
            Environment = "__gelato_token=x"               | Environment              | 2 | 1
            CpuNumber = 0                                  | CpuNumber                | 2 | 1
            CpuNumber = 4294967296                         | CpuNumber                | 2 | 1
            CpuNumber = Foo                                | CpuNumber                | 2 | 1
            CpuNumber = 1 / 0                              | CpuNumber                | 2 | 1
            CpuNumber = 1.0 / 0                            | CpuNumber                | 2 | 1
            WholeNodes = "yes"                             | WholeNodes               | 2 | 1
            SMPGranularity = 2; HostNumber = 2             | WholeNodes               | 0 | 0
            PerusalFileEnable = true                       | PerusalTimeInterval      | 0 | 0
            PerusalFileEnable = true; PerusalTimeInterval = 9 | PerusalFilesDestURI   | 0 | 0
            MaxOutputSandboxSize = "big"                   | MaxOutputSandboxSize     | 2 | 1
            Prologue = "a/b"                               | Prologue                 | 2 | 1
            Arguments = "a; b"                             | Arguments                | 2 | 1
            ReallyRunningToken = "gsiftp:///t"             | ReallyRunningToken       | 2 | 1
            OutputData = "x"                               | OutputData               | 2 | 1
            OutputData = { [ StorageElement = "se" ] }     | OutputData               | 2 | 1
            HLRLocation = "\u0007"                         | HLRLocation              | 2 | 1
            Foo = \\n 99999999999999999999                 | Foo                      | 2 | 1
            A = 1; Foo = [ Bar = 1e999 ]                   | Bar                      | 2 | 16
            A = 1; Foo:x = 2                               | Foo:x                    | 2 | 8
            A = 1;\\n  B = "x" 2                           | -                        | 3 | 11
            A = "x                                         | -                        | 2 | 5
            A = 1; /* x                                    | -                        | 2 | 8
            A = 5 & 6                                      | -                        | 2 | 7
            """)
    void errorsHaveAttributeAndPlace(String added, String attribute, int line, int column) {
        DescriptionException error = refusal(GOOD + added.replace("\\n", "\n"));
        assertThat(error.attribute()).isEqualTo(attribute);
        assertThat(error.line()).as("line").isEqualTo(line);
        assertThat(error.column()).as("column").isEqualTo(column);
    }

    @Test
    void whatConcernsTheWholeDescriptionHasNeither() {
        for (String text : new String[] {";".repeat(JdlTokens.MAX_TOKENS), "A = \"\ud800\"", " ".repeat(1 << 21)}) {
            whole(refusal(text));
        }
        Languages none = new Languages(List.of());
        whole(catchThrowableOfType(DescriptionException.class, () -> none.read(7, GOOD)));
    }

    @Test
    void anErrorOfDepthHasThePlaceWhereItIsTooDeep() {
        DescriptionException error = refusal("A = " + "(".repeat(101));
        assertThat(error.line()).isEqualTo(1);
        assertThat(error.column()).isEqualTo(105);
    }

    private static void whole(DescriptionException error) {
        assertThat(error.attribute()).isNull();
        assertThat(error.line()).isZero();
        assertThat(error.column()).isZero();
    }

    private static DescriptionException refusal(String text) {
        return catchThrowableOfType(DescriptionException.class, () -> Jdl.parse(text));
    }
}
