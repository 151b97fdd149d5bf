package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs once more: with what, which of them, and never twice. */
class ResubmitCommandTest {
    private static final String JOB = "https://ce:9443/CREAM000000091";
    private static final String JDL = "[Executable = \"/bin/cat\"; InputSandbox = {\"in\"}; Labels = {\"x=1\"};"
            + " BatchSystem = \"fork\"; QueueName = \"demo\";]";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void endedJob() throws IOException {
        ce.workingDirectory = temp;
        ce.environment.put("CE_ENDPOINT", "ce:9443");
        ce.script.put("CREAM000000091", new ArrayList<>(List.of("DONE-FAILED")));
        ce.jdlOf.put("CREAM000000091", JDL);
        Path input = Files.writeString(temp.resolve("in"), "");
        Files.setLastModifiedTime(input, FileTime.from(FakeCe.NOON.minus(Duration.ofDays(1))));
    }

    @Test
    void aJobIsSubmittedByWhatTheCeHasOfItAndNamesTheFirst() {
        assertThat(ce.run("resubmit", JOB)).as(ce.err()).isZero();
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\n");
        assertThat(ce.err()).isEmpty();
        assertThat(ce.jdls.get(0))
                .contains("QueueName = \"demo\"")
                .contains("Labels = {\"x=1\", \"resubmit-of=CREAM000000091\"};");
        assertThat(ce.calls).contains("upload CREAM000000001 in");
    }

    @Test
    void aJobOfAJobNamesTheLastOne() {
        ce.jdlOf.put("CREAM000000091", JDL.replace("\"x=1\"", "\"resubmit-of=CREAM000000090\""));
        ce.run("resubmit", JOB);
        assertThat(ce.jdls.get(0)).contains("Labels = {\"resubmit-of=CREAM000000091\"};");
    }

    @Test
    void aJobThatMayRunIsRefusedByItsNameAndTheOthersAreSubmitted() {
        ce.history = List.of(FakeCe.state("REGISTERED"), FakeCe.state("REALLY-RUNNING"));
        assertThat(ce.run("resubmit", JOB)).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo("ce resubmit: " + JOB
                        + ": has not ended (REALLY-RUNNING): only a job that has ended is submitted again\n");
        assertThat(ce.jdls).isEmpty();
    }

    /** Its label is there from its registration on, so that also a command that was killed is no reason for two. */
    @Test
    void aJobIsNotSubmittedTwiceUnlessThatIsWanted() {
        ce.names.put("CREAM000000092", "resubmit-of=CREAM000000091");
        assertThat(ce.run("resubmit", JOB)).isZero();
        assertThat(ce.err()).contains(JOB + " is left out: it was submitted again as CREAM000000092");
        assertThat(ce.jdls).isEmpty();
        assertThat(ce.calls).noneMatch(call -> call.startsWith("delegate"));
        assertThat(ce.run("resubmit", "--again", JOB)).isZero();
        assertThat(ce.jdls).hasSize(1);
    }

    /** A command that was killed between registration and start leaves it so. */
    @Test
    void aJobWhoseSuccessorWasNeverStartedIsReportedWithWhatToType() {
        ce.names.put("CREAM000000092", "resubmit-of=CREAM000000091");
        ce.script.put("CREAM000000092", new ArrayList<>(List.of("REGISTERED")));
        assertThat(ce.run("resubmit", "--json", JOB)).isEqualTo(1);
        assertThat(ce.err())
                .contains(JOB + ": was registered as https://ce:9443/CREAM000000092 and never started")
                .contains("ce purge https://ce:9443/CREAM000000092, and repeat");
        assertThat(ce.out()).contains("\"leftOut\":0");
        ce.script.put("CREAM000000092", new ArrayList<>(List.of("IDLE")));
        assertThat(ce.run("resubmit", JOB)).isZero();
        assertThat(ce.jdls).isEmpty();
    }

    @Test
    void aJobNamedByTwoSpellingsIsSubmittedOnce() {
        assertThat(ce.run("resubmit", JOB, "https://CE:9443/arex/rest/1.0/jobs/CREAM000000091"))
                .isZero();
        assertThat(ce.jdls).hasSize(1);
    }

    @Test
    void aJobWithoutRoomForTheLabelIsReportedBeforeAnythingIsSent() {
        String labels =
                IntStream.rangeClosed(1, 16).mapToObj(i -> "\"l" + i + "=1\"").collect(Collectors.joining(", "));
        ce.jdlOf.put("CREAM000000091", JDL.replace("\"x=1\"", labels));
        assertThat(ce.run("resubmit", "--json", JOB)).isEqualTo(1);
        assertThat(ce.err())
                .contains(JOB + ": has 16 labels, the most a job can have, and resubmit-of would be one more");
        assertThat(ce.out()).contains("\"notSubmitted\":[{\"id\":\"" + JOB + "\",\"reason\":\"has 16 labels");
        assertThat(ce.calls).noneMatch(call -> call.startsWith("register"));
    }

    @Test
    void anInterruptedCommandNamesWhatItDidAndWhatNot() {
        ce.script.put("CREAM000000092", new ArrayList<>(List.of("DONE-FAILED")));
        ce.jdlOf.put("CREAM000000092", JDL);
        ce.whileRegistering = () -> ce.signals.accept(Signal.TERM);
        String other = "https://other:8443/CREAM000000092";
        assertThat(ce.run("resubmit", "--json", JOB, other)).isEqualTo(143);
        assertThat(ce.calls).filteredOn(call -> call.startsWith("register")).hasSize(1);
        assertThat(ce.out()).contains("{\"id\":\"" + other + "\",\"reason\":\"interrupted\"}");
        assertThat(ce.err()).contains("other:8443: interrupted (1 not sent)");
    }

    @Test
    void whatHasChangedIsNamedAndWhatIsGoneStopsAll() throws IOException {
        Files.setLastModifiedTime(temp.resolve("in"), FileTime.from(FakeCe.NOON.plusSeconds(1)));
        assertThat(ce.run("resubmit", JOB)).isZero();
        assertThat(ce.err())
                .isEqualTo("ce resubmit: " + temp.resolve("in")
                        + " has changed since it was submitted: the jobs get it as it is now\n");
        ce.calls.clear();
        Files.delete(temp.resolve("in"));
        assertThat(ce.run("resubmit", JOB)).isEqualTo(1);
        assertThat(ce.err()).contains(JOB + ": InputSandbox: 'in': no file " + temp.resolve("in"));
        assertThat(ce.calls).noneMatch(call -> call.startsWith("register"));
        Files.createDirectory(temp.resolve("d"));
        Files.writeString(temp.resolve("d/in"), "");
        assertThat(ce.run("resubmit", "--dir", "d", JOB)).isZero();
    }

    @Test
    void aDescriptionThatCannotBeHadIsSaid() {
        ce.jdlOf.put("CREAM000000091", "N/A");
        assertThat(ce.run("resubmit", JOB)).isEqualTo(1);
        assertThat(ce.err()).contains("add --protocol cream2");
        ce.jdlOf.put("CREAM000000091", "<ActivityDescription/>");
        assertThat(ce.run("resubmit", JOB)).isEqualTo(1);
        assertThat(ce.err()).contains("its description is in ADL");
        assertThat(ce.jdls).isEmpty();
    }

    @Test
    void jobsAreChosenByCriteriaAndNamedInJson() {
        ce.script.put("CREAM000000092", new ArrayList<>(List.of("DONE-OK")));
        assertThat(ce.run("resubmit", "--failed", "--json")).isZero();
        assertThat(ce.out())
                .isEqualTo("{\"leftOut\":0,\"jobs\":[{\"id\":\"https://ce:9443/CREAM000000001\",\"resubmitOf\":\"" + JOB
                        + "\"}],\"refused\":[]}\n");
        assertThat(ce.run("resubmit")).isEqualTo(2);
    }
}
