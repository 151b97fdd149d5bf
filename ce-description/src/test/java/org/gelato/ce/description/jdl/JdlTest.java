package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdlTest {
    private static final String TARGET = "BatchSystem = \"slurm\"; QueueName = \"short\";";
    private static final String GOOD = "Executable = \"/bin/sleep\"; " + TARGET;

    @Test
    void readsWhatTheCommandLineClientSends() throws Exception {
        JobRequest request = Jdl.parse("[ QueueName = \"short\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; "
                + "BatchSystem = \"slurm\"; Arguments = \"one \\\"t w o\\\"\"; Executable = \"/bin/echo\"; "
                + "JobType = \"Normal\"; OutputSandbox = { \"out\",\"err\" }; StdError = \"err\"; "
                + "StdOutput = \"out\"; Type = \"Job\" ]");
        assertThat(request.executable().file()).isEqualTo("/bin/echo");
        assertThat(request.executable().arguments()).isEqualTo("one \"t w o\"");
        assertThat(request.streams().output()).isEqualTo("out");
        assertThat(request.streams().error()).isEqualTo("err");
        assertThat(request.streams().input()).isNull();
        assertThat(request.files().output()).containsExactly(kept("out"), kept("err"));
        assertThat(request.resources().batchSystem()).isEqualTo("slurm");
        assertThat(request.resources().queue()).isEqualTo("short");
        assertThat(request.resources().nodes()).isEqualTo(new JobRequest.NodeRequest(1, null, null, false));
        assertThat(request.others()).isEmpty();
        assertThat(request.warnings()).isEmpty();
        assertThat(request.files().uploads()).isEmpty();
    }

    @Test
    void readsEverythingElse() throws Exception {
        JobRequest request = Jdl.parse("""
                # a comment of the command line
                [
                  executable = "run.sh"; // another
                  ARGUMENTS = "x"; arguments = "y";
                  InputSandbox = "run.sh"; /* and
                  another */ Environment = { "A = 1 ", "B=x=$y", "A=2" };
                  BatchSystem = "pbs"; QueueName = "long"; VirtualOrganisation = "dteam"; # a third, "of more
                  CpuNumber = 8; WholeNodes = true; SMPGranularity = 2; HostNumber = 4; GPUNumber = 1; MICNumber = 3;
                  GPUMode = "exclusive"; GPUModel = "teslaK80";
                  CERequirements = other.GlueHostMainMemoryRAMSize >= 2000 // much
                      && Member("x y", other.Tags);
                  Requirements = true; Rank = -other.Load;
                  edg_jobid = "https://wms/1"; LB_sequence_code = "UI=0";
                  HLRLocation = "h:1"; MwVersion = "3"; MyProxyServer = "mp"; MaxOutputSandboxSize = 100;
                ]
                """);
        assertThat(request.executable().file()).isEqualTo("run.sh");
        assertThat(request.executable().arguments()).isEqualTo("y");
        assertThat(request.files().input()).containsExactly(new JobRequest.InputFile("run.sh", null, null, false));
        assertThat(request.environment())
                .containsOnlyKeys("A", "B")
                .containsEntry("A", "2")
                .containsEntry("B", "x=$y");
        assertThat(request.warnings()).singleElement().asString().startsWith("Environment: the value of B");
        assertThat(request.origin().virtualOrganisation()).isEqualTo("dteam");
        assertThat(request.resources().nodes())
                .isEqualTo(new JobRequest.NodeRequest(
                        8,
                        2,
                        4,
                        true,
                        1,
                        "exclusive",
                        "teslaK80",
                        3,
                        "other.GlueHostMainMemoryRAMSize >= 2000 && Member(\"x y\", other.Tags)"));
        assertThat(request.origin().gridJobId()).isEqualTo("https://wms/1");
        assertThat(request.origin().sequenceCode()).isEqualTo("UI=0");
        assertThat(request.others())
                .containsEntry("HLRLocation", "h:1")
                .containsEntry("MwVersion", "3")
                .containsEntry("MyProxyServer", "mp")
                .containsEntry("MaxOutputSandboxSize", "100")
                .containsEntry("Requirements", "true")
                .containsEntry("Rank", "-other.Load");
    }

    @Test
    void onlyAQuoteIsEscapedByABackslash() throws Exception {
        assertThat(Jdl.parse(GOOD + "HLRLocation = \"a\\n\\\"b\\\\c\\\\\\\"\"")
                        .others()
                        .get("HLRLocation"))
                .isEqualTo("a\\n\"b\\\\c\\\\\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', textBlock = """
            1 + 2 * 3                              @ 7
            (1 + 2) * 3 - 10 / 3 % 2               @ 8
            - - 4                                  @ 4
            1 < 2 && !(3 <= 2) ? 5 : 6             @ 5
            2.5 > 2 || undefined ? 5 : 6           @ 5
            false && Foo ? 5 : 6                   @ 6
            "A" == "a" ? 1 : 2                     @ 1
            "A" =?= "a" ? 1 : 2                    @ 2
            undefined =!= 3 ? 1 : 2                @ 1
            NodeNumber * 2                         @ 18
            """)
    void evaluatesConstants(String expression, int value) throws Exception {
        String jdl = GOOD + "NodeNumber = 9; CpuNumber = " + expression;
        assertThat(Jdl.parse(jdl).resources().nodes().cpus()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Foo                                    | CpuNumber: Foo is not defined
            other.Foo                              | CpuNumber: a constant is needed, Foo of another record is not; a text stands in double quotes
            size({ 1, 2 })                         | CpuNumber: a constant is needed, function size is not evaluated here
            CpuNumber                              | CpuNumber: the value refers to itself
            1 / 0                                  | CpuNumber: division by zero
            1 % 0                                  | CpuNumber: division by zero
            9223372036854775807 + 1                | CpuNumber: the result of + is out of range
            1.0 / 0                                | CpuNumber: the result of / is out of range
            "a" + 1                                | CpuNumber: wrong type (expected type: integer)
            1 && true                              | CpuNumber: wrong type (expected type: integer)
            """)
    void refusesWhatIsNoConstant(String expression, String error) {
        assertThatThrownBy(() -> Jdl.parse(GOOD + "CpuNumber = " + expression))
                .isExactlyInstanceOf(DescriptionException.class)
                .hasMessageStartingWith(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `[\n  A = 1;\n  B = "x" 2;\n]`    | (line 3, column 11: unexpected '2'
            `[ A = 1; B = ; ]`                | (line 1, column 14: unexpected ';'
            `A = "x`                          | (line 1, column 5: the string that begins here has no end)
            `A = 1; /* x`                     | (line 1, column 8: the comment that begins here has no end)
            `[ A = 1`                         | (line 1, column 8: unexpected end
            `[ A = 1 ] B`                     | (line 1, column 11: unexpected 'B', expected the end)
            `A = # 1;`                        | (line 1, column 9: unexpected end
            `{ "a" }`                         | (line 1, column 1: unexpected '{'
            `A = 5 & 6`                       | (line 1, column 7: unexpected character '&')
            """)
    void syntaxErrorsTellTheirPlace(String text, String place) {
        assertThatThrownBy(() -> Jdl.parse(text.replace("\\n", "\n")))
                .isExactlyInstanceOf(DescriptionException.class)
                .hasMessageStartingWith("Unable to parse: doesn't seem to be a valid Expression (")
                .hasMessageContaining(place);
    }

    @ParameterizedTest
    @ValueSource(strings = {":", "#", "@", "[", "]", "+", "*", "$", "%", "!", "?", "~"})
    void namesHaveNoStrangeCharacters(String c) {
        assertThatThrownBy(() -> Jdl.parse("[ A = 1; Foo" + c + "x = 2; ]"))
                .isExactlyInstanceOf(DescriptionException.class)
                .hasMessage("Foo" + c + "x: Not allowed char '" + c + "' found");
    }

    @Test
    void textIsBounded() {
        String blanks = " ".repeat(JdlTokens.MAX_BYTES);
        assertThatThrownBy(() -> Jdl.parse(GOOD + blanks))
                .hasMessage("Unable to parse: the job description is larger than 1048576 bytes");
        assertThatThrownBy(() -> Jdl.parse(GOOD + "A = \"" + "\u20ac".repeat(JdlTokens.MAX_BYTES / 2) + "\""))
                .hasMessage("Unable to parse: the job description is larger than 1048576 bytes");
        assertThatThrownBy(() -> Jdl.parse(";".repeat(JdlTokens.MAX_BYTES)))
                .hasMessage("Unable to parse: the job description has more than 20000 words");
        assertThatThrownBy(() -> Jdl.parse(GOOD + "A = \"\ud800\"")).hasMessageContaining("not valid Unicode");
    }

    @Test
    void largeTextWithinTheBoundIsRead() throws Exception {
        String value = "x".repeat(1_000_000);
        assertThat(Jdl.parse(GOOD + "HLRLocation = \"" + value + "\"").others().get("HLRLocation"))
                .isEqualTo(value);
    }

    /** Each bracket with fewer signs before it than the one around it. */
    @Test
    void isBoundedInDepthAsAWhole() {
        StringBuilder deep = new StringBuilder();
        for (int signs = 98; signs > 0; signs--) {
            deep.append("-".repeat(signs)).append('(');
        }
        assertThatThrownBy(() -> Jdl.parse(GOOD + "A = " + deep + "1" + ")".repeat(98)))
                .hasMessageContaining("nested too deeply");
    }

    @Test
    void nestingIsBounded() throws Exception {
        for (String[] pair :
                new String[][] {{"(", ")"}, {"{", "}"}, {"[A=", "]"}, {"!", ""}, {"-", ""}, {"true?1:", ""}}) {
            String good = GOOD + "A = " + pair[0].repeat(90) + "1" + pair[1].repeat(90);
            assertThat(Jdl.parse(good)).isNotNull();
            String deep = GOOD + "A = " + pair[0].repeat(4_000) + "1" + pair[1].repeat(4_000);
            assertThatThrownBy(() -> Jdl.parse(deep)).as(pair[0]).hasMessageContaining("nested more than 100 deep");
        }
    }

    @Test
    void longChainsOfOperatorsNeedNoStack() throws Exception {
        assertThat(Jdl.parse(GOOD + "CpuNumber = 1" + " + 1".repeat(9_000))
                        .resources()
                        .nodes()
                        .cpus())
                .isEqualTo(9_001);
        assertThat(Jdl.parse(GOOD + "A = a" + ".b".repeat(9_000))).isNotNull();
    }

    @Test
    void longChainsOfReferencesAreRefused() {
        StringBuilder chain = new StringBuilder(GOOD + "CpuNumber = A0;");
        for (int i = 0; i < 2_000; i++) {
            chain.append("A" + i + " = A" + (i + 1) + ";");
        }
        assertThatThrownBy(() -> Jdl.parse(chain + "A2000 = 1"))
                .hasMessage("CpuNumber: refers to other attributes too deeply");
    }

    @Test
    void sharedReferencesAreEvaluatedOnce() {
        StringBuilder doubled = new StringBuilder(GOOD + "A0 = { 1 };");
        for (int i = 1; i < 90; i++) {
            doubled.append("A" + i + " = { A" + (i - 1) + ", A" + (i - 1) + " };");
        }
        for (String use : List.of("CpuNumber = A89", "InputSandbox = A89", "CpuNumber = A89 =?= A89 ? 1 : 2")) {
            String jdl = doubled + use;
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> Jdl.parse(jdl)))
                    .satisfiesAnyOf(
                            error -> assertThat(error).isNull(),
                            error -> assertThat(error).isExactlyInstanceOf(DescriptionException.class));
        }
    }

    private static JobRequest.OutputFile kept(String name) {
        return new JobRequest.OutputFile(name, name, null, JobRequest.Ends.ALL);
    }
}
