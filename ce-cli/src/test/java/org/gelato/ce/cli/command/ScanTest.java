package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.Signals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One description, many jobs: which points a scan has, and what each job gets of its own. */
class ScanTest {
    private static final String QUEUE = "ce:9443/cream-fork-demo";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void files() throws IOException {
        ce.workingDirectory = temp;
        ce.environment.put("CE_RESOURCE", QUEUE);
        write("x.jdl", "[Executable = \"/bin/echo\"; Arguments = \"_x_\";]");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(temp.resolve(name), text);
    }

    private int submit(String... options) {
        ce.jdls.clear();
        ce.err.reset();
        ce.out.reset();
        List<String> args = new ArrayList<>(List.of("submit"));
        args.addAll(List.of(options));
        return ce.run(args.toArray(String[]::new));
    }

    /** The labels of the jobs that came, one text for each job. */
    private String labels() {
        return String.join(
                " ",
                ce.jdls.stream()
                        .map(jdl -> Pattern.compile("Labels = \\{(.*?)\\}")
                                .matcher(jdl)
                                .results()
                                .map(MatchResult::group)
                                .reduce((earlier, later) -> later)
                                .orElse("none")
                                .replaceAll("Labels = |[{}\" ]", ""))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x=1..3             | x=1 x=2 x=3",
                "x=100..200/50      | x=100 x=150 x=200",
                "x=0..1/0.25        | x=0.00 x=0.25 x=0.50 x=0.75 x=1.00",
                "x=0.5..2           | x=0.5 x=1.5",
                "x=3..1/-1          | x=3 x=2 x=1",
                "x=5..5             | x=5",
                "x=a,b c, d         | x=a x=bc x=d",
                "x=1.5              | x=1.5",
                "x=../in            | x=../in",
            })
    void aVariableHasARangeOrAList(String each, String labels) {
        assertThat(submit("--each", each, "x.jdl")).as(ce.err()).isZero();
        assertThat(labels()).isEqualTo(labels);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x                  | 'x' is no variable",
                "=1..3              | '=1..3' is no variable",
                "a-b=1..3           | is no variable",
                "x=1..3/0           | steps of 0 never come from 1 to 3",
                "x=3..1             | steps of 1 never come from 3 to 1",
                "x=1..3/-1          | steps of -1 never",
                "x=1..b             | '1..b' is no range",
                "x=.5..2            | '.5..2' is no range",
                "x=+1..3            | '+1..3' is no range",
                "x=1e3..2e3         | '1e3..2e3' is no range",
                "x=1 ..10           | '1 ..10' is no range",
                "x=1,3..5           | '3..5' is no range",
                "x=001..010         | has leading zeros",
                "x=1..9999999999999 | at most 10000 points",
                "x=0..1/0.000000000000001 | at most 10000 points",
                "x=1..10001         | at most 10000 points",
                "x=                 | a value is empty",
                "x=a,,b             | a value is empty",
                "x=a,a              | the point x=a is there twice",
                "x=a\\               | or has quotes, backslashes",
                "x=<a>              | or has quotes, backslashes",
                "y=1..3             | _y_ is not in the description",
            })
    void whatIsNoVariableIsRefusedBeforeAnythingIsSent(String each, String message) {
        assertThat(submit("--each", each, "x.jdl")).isIn(1, 2);
        assertThat(ce.err()).contains(message).hasLineCount(1);
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void severalVariablesAreCombinedEachWithEach() throws IOException {
        write("xy.jdl", "[Executable = \"/bin/echo\"; Arguments = \"_x_ _y_ _x_y_\";]");
        assertThat(submit("--each", "x=1..2", "--each", "y=a,_x_", "--label", "scan=s", "xy.jdl"))
                .isZero();
        assertThat(labels()).isEqualTo("scan=s,x=1,y=a scan=s,x=1,y=_x_ scan=s,x=2,y=a scan=s,x=2,y=_x_");
        assertThat(ce.jdls.get(3)).contains("Arguments = \"2 _x_ 2_x_\"");
        assertThat(ce.calls).filteredOn(call -> call.startsWith("register")).hasSize(1);
        assertThat(submit("--each", "x=1..101", "--each", "y=1..100", "xy.jdl")).isEqualTo(2);
        assertThat(ce.err()).contains("at most 10000 points");
        assertThat(submit("--each", "x=1..2", "--each", "x=1..2", "xy.jdl")).isEqualTo(2);
        assertThat(ce.err()).contains("a variable of this name is there already");
        assertThat(submit("--each", "x=1..2", "--each", "y=1", "--label", "x=0", "xy.jdl"))
                .isEqualTo(2);
        assertThat(ce.err()).contains("the label 'x=0' has the name of a variable");
    }

    @Test
    void aJobHasNoMoreLabelsThanTheCeTakes() {
        List<String> options = new ArrayList<>(List.of("--each", "x=1..2"));
        for (int i = 0; i < 16; i++) {
            options.addAll(List.of("--label", "l" + i + "=1"));
        }
        options.add("x.jdl");
        assertThat(submit(options.toArray(String[]::new))).isEqualTo(2);
        assertThat(ce.err()).contains("at most 16 labels, and each would have 17");
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void aTableHasAPointALine() throws IOException {
        write("xy.jdl", "[Executable = \"/bin/echo\"; Arguments = \"_mass_ _mass_w_\";]");
        write("p.csv", "\uFEFFmass, mass_w\r\n1,a\n\n2,\"b,c\"\n");
        assertThat(submit("--each-line", "p.csv", "xy.jdl")).as(ce.err()).isZero();
        assertThat(ce.jdls.get(1)).contains("Arguments = \"2 b,c\"").contains("{\"mass=2\", \"mass_w=b,c\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'x,x;1,2'      | p.csv: line 1: a name stands there twice",
                "'x,1;1,2'      | p.csv: line 1: '1' is no name of a variable",
                "'x;1;;1,2'     | p.csv: line 4: 2 values for 1 variable",
                "'x;1;\"2'      | p.csv: line 3: a quote is not closed",
                "'x;\"a\"b'     | p.csv: line 2: there is text behind a closing quote",
                "'x;\"a\"\"b\"' | p.csv: line 2: the value 'a\"b' is longer",
                "'x;a\"b\"'     | p.csv: line 2: the value 'a\"b\"' is longer",
                "'x,y;1,'       | p.csv: line 2: a value is empty",
                "'x'            | p.csv: no points",
                "''             | p.csv: no points",
                "'x;1;1'        | p.csv: the point x=1 is there twice",
            })
    void aFaultOfATableIsNamedByItsLine(String table, String message) throws IOException {
        write("p.csv", table.replace(';', '\n'));
        assertThat(submit("--each-line", "p.csv", "x.jdl")).isEqualTo(1);
        assertThat(ce.err()).contains(message);
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void eachPointBringsItsOwnFilesAndAMissingOneStopsAll() throws IOException {
        write("f.jdl", "[Executable = \"/bin/cat\"; InputSandbox = {\"in_x_\"}; OutputSandbox = {\"out_x_\"};]");
        write("in1", "");
        assertThat(submit("--each", "x=1..2", "f.jdl")).isEqualTo(1);
        assertThat(ce.err()).contains("f.jdl x=2: ").contains("in2");
        assertThat(ce.calls).isEmpty();
        write("in2", "");
        assertThat(submit("--each", "x=1..2", "f.jdl")).isZero();
        assertThat(ce.calls).contains("upload CREAM000000001 in1", "upload CREAM000000002 in2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Parameters = 3;                                           | PARAM=0 PARAM=1 PARAM=2",
                "Parameters = 100; ParameterStart = 70; ParameterStep = 10 | PARAM=70 PARAM=80 PARAM=90",
                "Parameters = 1; ParameterStep = 0.4                       | PARAM=0.0 PARAM=0.4 PARAM=0.8",
                "Parameters = {a, \"b\"}                                   | PARAM=a PARAM=b",
            })
    void aJdlIsAScanItself(String attributes, String labels) throws IOException {
        write(
                "p.jdl",
                "[JobType = \"parametric\"; Executable = \"/bin/echo\"; Arguments = \"_PARAM_\"; " + attributes + "]");
        assertThat(submit("p.jdl")).as(ce.err()).isZero();
        assertThat(labels()).isEqualTo(labels);
        assertThat(ce.jdls).allMatch(jdl -> !jdl.contains("Parameter") && !jdl.contains("JobType"));
        assertThat(ce.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Name = 3                             | wants Parameters",
                "Parameters = a                       | a number or a list in braces",
                "Parameters = 3; ParameterStep = \"x\" | ParameterStep: a number",
                "Parameters = 0                       | no value is from 0 to below 0",
                "Parameters = {a, a}                  | the point PARAM=a is there twice",
            })
    void aScanOfAJdlThatIsNoneIsRefused(String attributes, String message) throws IOException {
        write("p.jdl", "[JobType = \"Parametric\"; Executable = \"_PARAM_\"; " + attributes + "]");
        assertThat(submit("p.jdl")).isEqualTo(1);
        assertThat(ce.err()).startsWith("ce submit: p.jdl: ").contains(message);
        assertThat(ce.calls).isEmpty();
    }

    /** The labels of a description count where the command line gives none, as without a scan. */
    @Test
    void labelsOfTheDescriptionRemain() throws IOException {
        write("l.jdl", "[Executable = \"_x_\"; Labels = {\"a=1\", \"b=2\"};]");
        submit("--each", "x=1", "l.jdl");
        assertThat(labels()).isEqualTo("a=1,b=2,x=1");
        submit("--each", "x=1", "--label", "c=3", "l.jdl");
        assertThat(labels()).isEqualTo("c=3,x=1");
    }

    @Test
    void whatBrokeInTheMiddleIsNamedByItsPoint() {
        ce.registersBeforeLoss = 1;
        ce.lossAfterTheRequest = false;
        assertThat(submit("--each", "x=1..250", "x.jdl")).isEqualTo(1);
        assertThat(ce.out()).hasLineCount(100);
        assertThat(ce.err()).contains("ce submit: x.jdl x=101 and 149 more: ").contains("(50 more were not sent)");
    }

    @Test
    void adlHasLabelsToo() throws IOException {
        write("a.adl", "<ActivityDescription><Name>_x_</Name></ActivityDescription>");
        assertThat(submit("--each", "x=1..2", "a.adl")).as(ce.err()).isZero();
        assertThat(ce.jdls.get(1)).contains("<Annotation>x=2</Annotation>").contains("<Name>2</Name>");
        write("a.xrsl", "&(executable=\"_x_\")");
        assertThat(submit("--each", "x=1..2", "a.xrsl")).isEqualTo(1);
        assertThat(ce.err())
                .contains("a.xrsl x=1: a scan gives each job its values as labels, which xRSL does not have: write the"
                        + " description in JDL");
        assertThat(ce.jdls).as("nothing of it was sent").isEmpty();
    }

    @Test
    void anExitCodeIsThatOfOneJob() {
        assertThat(submit("--wait", "--exit-code", "--each", "x=1..2", "x.jdl")).isEqualTo(2);
        assertThat(ce.err()).contains("--exit-code needs one job, and this is a scan of 2 jobs");
    }

    @Test
    void aCommandIsAScanToo() throws IOException {
        write("in1", "");
        write("in2", "");
        assertThat(ce.run("run", "--each", "x=1..2", "--input", "in_x_", "--label", "s=1", "--", "work", "-m", "_x_"))
                .as(ce.err())
                .isZero();
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\nhttps://ce:9443/CREAM000000002\n");
        assertThat(labels()).isEqualTo("s=1,x=1 s=1,x=2");
        assertThat(ce.jdls.get(1)).contains("'-m' '2'");
        assertThat(ce.calls).contains("upload CREAM000000002 in2").noneMatch(call -> call.startsWith("status"));
        assertThat(ce.run("run", "--each", "x=1..2", "--purge", "work", "_x_")).isEqualTo(2);
        assertThat(ce.run("run", "--each", "x=1..2", "work")).isEqualTo(125);
        assertThat(ce.run("run", "--each-line", "gone.csv", "work", "_x_")).isEqualTo(125);
        assertThat(ce.err()).contains("the command: _x_ is not in the description");
    }

    @Test
    void aSignalEndsAScanOfACommandWithItsCode() {
        ce.whileRegistering = () -> ce.signals.accept(Signals.Signal.TERM);
        assertThat(ce.run("run", "--each", "x=1..150", "work", "_x_")).isEqualTo(143);
        assertThat(ce.err()).contains("interrupted (50 not sent)");
        assertThat(ce.calls).filteredOn(call -> call.startsWith("register")).hasSize(1);
    }
}
