package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.gelato.ce.description.DescriptionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One row per check: what is added to a good description (the last of two values counts), and what the error says. */
class JdlRuleTest {
    private static final String GOOD = "Executable = \"/bin/sleep\"; BatchSystem = \"slurm\"; QueueName = \"short\";\n";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Executable = undefined                         | mandatory attribute "Executable" not defined!
            Executable = ""                                | mandatory attribute "Executable" not defined!
            BatchSystem = "  "                             | mandatory attribute "BatchSystem" not defined!
            BatchSystem = undefined                        | "BatchSystem" attribute not defined into the JDL
            QueueName = ""                                 | mandatory attribute "QueueName" not defined!
            QueueName = ""                                 | "QueueName" attribute not defined into the JDL
            Type = "DAG"                                   | Type "DAG" not allowed
            JobType = "Mpich"                              | JobType "Mpich" not allowed
            JobType = { "Normal" }                         | JobType: wrong type (expected type: string)
            Executable = 5                                 | Executable: wrong type (expected type: string)
            Executable = error                             | Executable: wrong type (expected type: string)
            Executable = sleep                             | Executable: sleep is not defined
            Executable = "/bin/"                           | Executable: directory path not allowed
            Executable = "/bin/x\\"                        | Unable to parse
            Executable = "/bin/.."                         | Executable: directory path not allowed
            Executable = "/bin/sl*p"                       | Executable: wildcards not allowed
            Executable = "/bin/sl?p"                       | Executable: wildcards not allowed
            Executable = "/bin/[s]leep"                    | Executable: wildcards not allowed
            Executable = "bin/sleep"                       | Executable: relative path not allowed
            Executable = "./sleep"                         | Executable: relative path not allowed
            Executable = "$(id)"                           | Executable: only $NAME or ${NAME} may follow a leading $
            Executable = "run.sh"                          | InputSandbox: the executable file is not listed in the InputSandbox
            StdInput = "in"                                | InputSandbox: the stdInput file is not listed in the InputSandbox
            StdInput = "a/in"                              | StdInput: relative path not allowed
            StdInput = "/a/"                               | StdInput: directory path not allowed
            StdInput = "/a/*"                              | StdInput: wildcards not allowed
            StdOutput = "/tmp/out"                         | StdOutput: absolute path not allowed
            StdOutput = "$HOME/out"                        | StdOutput: absolute path not allowed
            StdOutput = "out/"                             | StdOutput: directory path not allowed
            StdError = "e?r"                               | StdError: wildcards not allowed
            StdError = "/tmp/err"                          | StdError: absolute path not allowed
            StdOutput = "a/x"; StdError = "b/x"            | StdOutput & StdError: the values specified have the same name but with different paths
            InputSandbox = { "/a/x", "b/x" }               | InputSandbox: the file list cannot contain two or more files having the same name (even if in different paths)
            InputSandbox = { "/a/x", "gsiftp://h/x?DN=/C=I/CN=h" } | InputSandbox: the file list cannot contain two or more files having the same name
            InputSandbox = { "a", 5 }                      | InputSandbox: wrong type (expected type: list of strings)
            InputSandbox = 5                               | InputSandbox: wrong type (expected type: list of strings)
            InputSandbox = "/a/"                           | InputSandbox: /a/ does not name a file
            InputSandbox = ".."                            | InputSandbox: .. does not name a file
            InputSandboxBaseURI = "ftp://h/x"              | InputSandboxBaseURI: the URI "ftp://h/x" doesn't present an allowed scheme (gsiftp, file, http, https)
            InputSandboxBaseURI = "gsiftp://h/ x"          | InputSandboxBaseURI: Illegal character for the URI: gsiftp://h/ x
            InputSandboxBaseURI = "/x"                     | InputSandboxBaseURI: the URI "/x" doesn't present an allowed scheme
            OutputSandbox = { "a/x", "x" }; OutputSandboxBaseDestURI = "gsiftp://localhost" | OutputSandbox: the file list cannot contain two or more files having the same name
            OutputSandbox = "x"; OutputSandboxBaseDestURI = "gsiftp://localhost"; OutputSandboxDestURI = "gsiftp://localhost" | OutputSandbox: one (and only one) among
            OutputSandbox = { "x", "y" }; OutputSandboxDestURI = "gsiftp://localhost" | OutputSandboxDestURI: the OutputSandboxDestURI list must have the same cardinality as the OutputSandbox list
            OutputSandboxDestURI = "gsiftp://localhost"    | OutputSandboxDestURI: the OutputSandboxDestURI list must have the same cardinality as the OutputSandbox list
            OutputSandbox = "x"; OutputSandboxDestURI = "srm://h/x" | OutputSandboxDestURI: the URI "srm://h/x" doesn't present an allowed scheme
            OutputSandbox = "x"; OutputSandboxBaseDestURI = "gsiftp://h/{" | OutputSandboxBaseDestURI: Illegal character for the URI: gsiftp://h/{
            OutputSandbox = "*.x"; OutputSandboxDestURI = "gsiftp://localhost" | OutputSandbox: wildcards are allowed with OutputSandboxBaseDestURI only
            OutputSandbox = { "x", "y" }; OutputSandboxDestURI = { "gsiftp://localhost/a/z", "gsiftp://localhost/z" } | OutputSandboxDestURI: two files have the same destination
            Environment = "A"                              | Environment: wrong item A (equality required)
            Environment = { "A=1", "2B=x" }                | Environment: 2B is no name for a variable
            Environment = "A-B=x"                          | Environment: A-B is no name for a variable
            Environment = "=x"                             | Environment:  is no name for a variable
            Environment = "__gelato_token=x"               | Environment: names beginning with __gelato_ are reserved
            CpuNumber = 0                                  | CpuNumber: the value must be >=1
            CpuNumber = -3                                 | CpuNumber: the value must be >=1
            CpuNumber = "2"                                | CpuNumber: wrong type (expected type: integer)
            CpuNumber = 2.5                                | CpuNumber: wrong type (expected type: integer)
            CpuNumber = 4294967296                         | CpuNumber: the number 4294967296 is out of range
            CpuNumber = 99999999999999999999               | CpuNumber: the number 99999999999999999999 is out of range
            NodeNumber = 0                                 | NodeNumber: the value must be >=1
            SMPGranularity = 0                             | SMPGranularity: the value must be >=1
            HostNumber = 0                                 | HostNumber: the value must be >=1
            GPUNumber = 0                                  | GPUNumber: the value must be >=1
            MICNumber = 0                                  | MICNumber: the value must be >=1
            GPUMode = 1                                    | GPUMode: wrong type (expected type: string)
            WholeNodes = "yes"                             | WholeNodes: wrong type (expected type: boolean)
            SMPGranularity = 2; HostNumber = 2             | WholeNodes: the SMPGranularity and HostNumber attributes cannot be specified together when WholeNodes=false
            PerusalFileEnable = 1                          | PerusalFileEnable: wrong type (expected type: boolean)
            PerusalFileEnable = true                       | mandatory attribute "PerusalTimeInterval" not defined!
            PerusalFileEnable = true; PerusalTimeInterval = 0 | PerusalTimeInterval: the value must be >=1
            PerusalFileEnable = true; PerusalTimeInterval = 9 | mandatory attribute "PerusalFilesDestURI" not defined!
            PerusalFileEnable = true; PerusalTimeInterval = 9; PerusalFilesDestURI = "http://h/x" | PerusalFilesDestURI: wrong protocol
            PerusalFileEnable = true; PerusalTimeInterval = 9; PerusalFilesDestURI = "https://h/x" | mandatory attribute "PerusalListFileURI" not defined!
            PerusalFileEnable = true; PerusalTimeInterval = 9; PerusalFilesDestURI = "https://h/x"; PerusalListFileURI = "https://h/x" | PerusalListFileURI: wrong protocol (just gridFTP URIs are supported)
            MaxOutputSandboxSize = "big"                   | MaxOutputSandboxSize: wrong type (expected type: real)
            MaxOutputSandboxSize = 1e999                   | MaxOutputSandboxSize: the number 1e999 is out of range
            Prologue = "a/b"                               | Prologue: relative path not allowed
            Epilogue = "/b/"                               | Epilogue: directory path not allowed
            PrologueArguments = "a; b"; Prologue = "/x"    | PrologueArguments: control operator ';' outside quotes is not allowed
            EpilogueArguments = "it's"                     | EpilogueArguments: unbalanced quote
            ReallyRunningToken = "https://h/t"             | ReallyRunningToken: wrong protocol (just gridFTP URIs are supported)
            ReallyRunningToken = "token"                   | ReallyRunningToken: the URI "token" doesn't present an allowed scheme
            ReallyRunningToken = "gsiftp:///t"             | ReallyRunningToken: the URI "gsiftp:///t" names no host
            InputSandbox = "ftp://h/x"                     | InputSandbox: the URI "ftp://h/x" doesn't present an allowed scheme
            InputSandbox = "https://h/a b"                 | InputSandbox: Illegal character for the URI: https://h/a b
            OutputSandbox = "x"; OutputSandboxBaseDestURI = "http://h/d" | OutputSandboxBaseDestURI: wrong protocol (just gsiftp and https URIs are supported)
            OutputSandbox = "x"; OutputSandboxDestURI = "file:///tmp/x" | OutputSandboxDestURI: wrong protocol
            OutputSandbox = "x"; OutputSandboxDestURI = "gsiftp:/x" | OutputSandboxDestURI: the URI "gsiftp:/x" names no host
            PerusalFileEnable = true; PerusalTimeInterval = 9; PerusalFilesDestURI = "https:/x" | PerusalFilesDestURI: the URI "https:/x" names no host
            OutputData = "x"                               | OutputData: Bad format for 'OutputData' jdl attribute.
            OutputData = { "x" }                           | OutputData: Bad format for 'OutputData' jdl attribute.
            OutputData = { [ StorageElement = "se" ] }     | OutputData: OutputFile is mandatory for the OutputData jdl attribute.
            Arguments = 3600                               | Arguments: wrong type (expected type: string)
            Arguments = "a; b"                             | Arguments: control operator ';' outside quotes is not allowed
            Arguments = "it's"                             | Arguments: unbalanced quote
            edg_jobid = 5                                  | edg_jobid: wrong type (expected type: string)
            Foo = 99999999999999999999                     | Foo: the number 99999999999999999999 is out of range
            """)
    void refuses(String added, String error) {
        assertThatThrownBy(() -> Jdl.parse(GOOD + added))
                .isExactlyInstanceOf(DescriptionException.class)
                .hasMessageContaining(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Executable", "Arguments", "StdOutput", "InputSandbox", "Environment", "QueueName", "HLRLocation"
            })
    void refusesControlCharactersByName(String attribute) {
        for (char c : new char[] {0, 7, '\r', 0x1b, 0x7f, 0x85}) {
            String value = attribute.equals("Environment") ? "A=" + c + "b" : "/a" + c + "b";
            assertThatThrownBy(() -> Jdl.parse(GOOD + attribute + " = \"" + value + "\""))
                    .isExactlyInstanceOf(DescriptionException.class)
                    .hasMessage("%s: control character U+%04X not allowed", attribute, (int) c);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Type = \"JOB\"; JobType = \"normal\"",
                "Executable = \"$VO_SW/bin/x\"; StdInput = \"${HOME}/in\"",
                "Executable = \"run.sh\"; StdInput = \"in\"; InputSandbox = { \"/home/me/run.sh\", \"file:///x/in\" }",
                "StdOutput = \"a/b/out\"; StdError = \"a/b/out\"",
                "InputSandbox = { \" \", \"\", \"/a/x\" }",
                "OutputSandbox = { \"*.log\", \"out\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost/\"",
                "OutputSandbox = \"x\"; OutputSandboxDestURI = \"GSIFTP://LocalHost/a/y?DN=/CN=h\"",
                "SMPGranularity = 2; HostNumber = 2; WholeNodes = true",
                "PerusalFileEnable = false; PerusalTimeInterval = 0",
                "PerusalFileEnable = true; PerusalTimeInterval = 9; PerusalFilesDestURI = \"https://h/x\"; PerusalListFileURI = \"gsiftp://h/x\"",
                "Prologue = \"/bin/true\"; Epilogue = \"/bin/true\"; EpilogueArguments = \"'a b' $X\"",
                "ReallyRunningToken = \"gsiftp://h/t?DN=/CN=h\"",
                "InputSandbox = { \"gsiftp://h/x\", \"https://h/y\", \"http://h/z\", \"a b\" }; InputSandboxBaseURI = \"gsiftp://h\"",
                "OutputSandbox = { \"x\", \"*\" }; OutputSandboxBaseDestURI = \"https://h/d\"",
                "OutputSandbox = \"x\"; OutputSandboxDestURI = \"gsiftp://localhost:2812/x\"",
                "PrologueArguments = \"x\"; RetryCount = 3; Unknown = Member(\"a\", other.B) ? 1 : 2",
                "OutputData = { [ OutputFile = \"x\"; LogicalFileName = \"lfn:x\" ] }",
                "MaxOutputSandboxSize = -1; CpuNumber = 2 * 4",
            })
    void accepts(String added) throws Exception {
        assertThat(Jdl.parse(GOOD + added).resources().queue()).isEqualTo("short");
    }

    /** CREAM refuses it; what else its user could want is nothing. */
    @Test
    void outputWithoutADestinationIsKeptAsWithTheCesOwn() throws Exception {
        String output = "OutputSandbox = { \"a/x\", \"*.log\" }";
        assertThat(Jdl.parse(GOOD + output).files().output())
                .hasSize(2)
                .isEqualTo(Jdl.parse(GOOD + output + "; OutputSandboxBaseDestURI = \"gsiftp://localhost\"")
                        .files()
                        .output());
    }
}
