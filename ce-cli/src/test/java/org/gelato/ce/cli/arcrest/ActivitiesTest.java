package org.gelato.ce.cli.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.json.JobDetail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActivitiesTest {
    private static StatusReport status(String state, String exitCode, String error) {
        ObjectNode response = new ObjectMapper().createObjectNode();
        ObjectNode activity = response.putObject("info_document").putObject("ComputingActivity");
        activity.putArray("State").add("emies:terminal").add("arcrest:" + state);
        if (exitCode != null) {
            activity.put("ExitCode", exitCode);
        }
        if (error != null) {
            activity.put("Error", error);
        }
        return Activities.report(response).status();
    }

    @ParameterizedTest
    @CsvSource({
        "FINISHED, 0, , DONE-OK, ",
        "FAILED, 3, LRMS error: (3) Job finished with wrong exit code - 3 != 0, DONE-OK, ",
        "FAILED, 3, LRMS error: (4) Job finished with wrong exit code - 4 != 0, DONE-FAILED, "
                + "LRMS error: (4) Job finished with wrong exit code - 4 != 0",
        "FAILED, 137, out of memory, DONE-FAILED, out of memory",
        "FAILED, , , DONE-FAILED, ",
        "KILLED, , Cancelled by user, CANCELLED, Cancelled by user"
    })
    void endedJobsHaveTheNamesOfCream(String arc, String exitCode, String error, String name, String reason) {
        StatusReport status = status(arc, exitCode, error);
        assertThat(status.name()).isEqualTo(name);
        assertThat(status.exitCode()).isEqualTo(exitCode);
        assertThat(status.failureReason()).isEqualTo(reason);
    }

    @Test
    void theQueueAndWhatTheJobUsedAreRead() {
        ObjectNode response = new ObjectMapper().createObjectNode();
        ObjectNode activity = response.putObject("info_document").putObject("ComputingActivity");
        activity.put("State", "arcrest:FINISHED");
        activity.putArray("Queue").add("long");
        activity.put("UsedTotalCPUTime", "61").put("UsedTotalWallTime", "280").put("UsedMainMemory", "120");
        assertThat(Activities.report(response).details())
                .containsExactly(
                        entry(JobDetail.QUEUE, "long"),
                        entry(JobDetail.CPU_TIME, "61"),
                        entry(JobDetail.PEAK_MEMORY, "122880"));
        activity.put("UsedTotalCPUTime", "-1").put("UsedMainMemory", "much");
        assertThat(Activities.report(response).details()).containsOnlyKeys(JobDetail.QUEUE);
    }

    @Test
    void theLabelsAreReadBesideTheRoutes() {
        ObjectNode response = new ObjectMapper().createObjectNode();
        ObjectNode activity = response.putObject("info_document").putObject("ComputingActivity");
        activity.put("State", "arcrest:RUNNING");
        activity.putArray("OtherInfo").add("Label=mass=100").add("big, long").add("Label=note=a=b");
        assertThat(Activities.report(response).labels()).containsExactly("mass=100", "note=a=b");
        assertThat(Activities.report(response).details()).containsExactly(entry(JobDetail.ROUTES, "big, long"));
        activity.putArray("OtherInfo").add("Label=mass=100");
        assertThat(Activities.report(response).details()).isEmpty();
    }

    /** It is no failure, and said all the same. */
    @Test
    void anOutputFileThatIsMissingIsNamed() {
        String missing = "Cannot read or missing file nothere";
        assertThat(Lines.status(status("FINISHED", "0", missing))).isEqualTo("DONE-OK exit=0 reason=" + missing);
    }

    @Test
    void aStateThatIsNotKnownKeepsItsName() {
        assertThat(status("WIPED", null, null).name()).isEqualTo("WIPED");
    }

    @Test
    void aJobThatIsRefusedHasTheWordsOfTheCe() {
        ObjectNode job = new ObjectMapper().createObjectNode().put("status-code", "404");
        assertThat(ArcComputingElement.fault(job.put("reason", "purged at noon"))
                        .advised())
                .isEqualTo("purged at noon (ce list shows your jobs; purged ones are gone)");
        assertThat(ArcComputingElement.fault(
                                new ObjectMapper().createObjectNode().put("status-code", "404"))
                        .advised())
                .isEqualTo("Job not found (ce list shows your jobs; purged ones are gone)");
        assertThat(ArcComputingElement.fault(job.put("status-code", "409")).advised())
                .isEqualTo("purged at noon (ce status shows the state the job is in)");
    }
}
