package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobCommandsTest {
    private static final String JOB = "https://ce:9443/CREAM000000001";

    private final FakeCe ce = new FakeCe();

    private void job(String state) {
        ce.script.put("CREAM000000001", new ArrayList<>(List.of(state)));
    }

    @Test
    void statusIsOneLinePerJob() {
        job("DONE-FAILED");
        assertThat(ce.run("status", JOB)).isZero();
        assertThat(ce.out()).isEqualTo(JOB + " DONE-FAILED 2026-11-20T12:00:00Z exit=0 reason=no such file\n");
    }

    @Test
    void unknownJobIsReportedAndFailsTheCommand() {
        job("IDLE");
        assertThat(ce.run("status", JOB, "https://ce:9443/CREAM000000002")).isEqualTo(1);
        assertThat(ce.out()).startsWith(JOB + " IDLE");
        assertThat(ce.err())
                .isEqualTo("ce status: https://ce:9443/CREAM000000002: job not found"
                        + " (ce list shows your jobs; purged ones are gone)\n");
    }

    @Test
    void jobsOfSeveralCesAreQueriedEachAtItsOwn() {
        ce.run("status", JOB, "https://b/CREAM000000002", "https://ce:9443/CREAM000000003");
        assertThat(ce.calls)
                .containsExactly(
                        "connect ce:9443",
                        "status CREAM000000001 CREAM000000003",
                        "connect b:8443",
                        "status CREAM000000002");
    }

    @Test
    void unreachableCeIsOneLine() {
        ce.outages = 1;
        assertThat(ce.run("status", JOB)).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce status: " + JOB + ": ce:9443: can't connect\n");
    }

    @Test
    void idsComeFromStandardInputToo() {
        ce.input = "##CREAMJOBS##\n" + JOB + "\n\n  https://ce:9443/CREAM000000002 \n";
        assertThat(ce.run("cancel", "-")).isZero();
        assertThat(ce.calls).contains("cancel CREAM000000001 CREAM000000002");
        ce.input = "\n";
        assertThat(ce.run("cancel", "-")).isEqualTo(2);
    }

    @Test
    void anUnknownCommandIsNamedInOneLine() {
        assertThat(ce.run("walk")).isEqualTo(2);
        assertThat(ce.err()).isEqualTo("ce: there is no command walk (see ce --help)\n");
    }

    @Test
    void noJobAtAllIsNeverSentAsAllJobs() {
        assertThat(ce.run("cancel")).isEqualTo(2);
        assertThat(ce.run("purge")).isEqualTo(2);
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void aCommandEndsWithOneLineOnStandardErrorThatSaysWhatWasRequested() {
        assertThat(ce.run("cancel", JOB)).isZero();
        assertThat(ce.run("purge", "--all", "-e", "ce:9443")).isZero();
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err())
                .isEqualTo("ce cancel: cancel requested for 1 job\n"
                        + "ce purge: removal requested for all your jobs that meet the criteria\n");
    }

    @Test
    void theCeIsNamedByTheAddressOfAServiceToo() {
        assertThat(ce.run("list", "-e", "https://ce:9443/ce-cream/services/CREAM2"))
                .isZero();
        assertThat(ce.run("list", "-e", "https://b")).isZero();
        assertThat(ce.calls).contains("connect ce:9443", "connect b:8443");
        assertThat(ce.run("list", "-e", "http://b")).isEqualTo(2);
    }

    @Test
    void aMisspeltCommandOrOptionIsNamedWithTheOneItMayBe() {
        assertThat(ce.run("staus", JOB)).isEqualTo(2);
        assertThat(ce.run("status", "--stauts", "IDLE", JOB)).isEqualTo(2);
        assertThat(ce.err())
                .contains("there is no command staus; did you mean status?")
                .contains("there is no option --stauts; did you mean --status?");
    }

    @ParameterizedTest
    @CsvSource({
        "stat,status",
        "ls,list",
        "logs,follow",
        "kill,cancel",
        "rm,purge",
        "sub,submit",
        "qsub,submit",
        "sbatch,submit"
    })
    void aNameThatACommandHasElsewhereIsNamedWithItsOwn(String word, String command) {
        assertThat(ce.run(word, "x")).isEqualTo(2);
        assertThat(ce.err()).startsWith("ce: there is no command " + word + "; did you mean " + command + "?");
    }

    @Test
    void criteriaWithoutAllAreShownTheWholeCommand() {
        assertThat(ce.run("cancel", "--label", "run=4 2", "-e", "ce:9443")).isEqualTo(2);
        assertThat(ce.err())
                .startsWith("ce cancel: which jobs? For all of yours that meet the criteria write: ce cancel --label"
                        + " 'run=4 2' -e ce:9443 --all\n");
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void errorsAreJsonWhereResultsAre() throws IOException {
        ce.refusal = new WireFault("GenericFault", "1", "the proxy has expired", null);
        assertThat(ce.run("list", "--json")).isEqualTo(2);
        JsonNode error = new ObjectMapper().readTree(ce.out()).at("/error");
        assertThat(error.at("/command").asText()).isEqualTo("ce list");
        assertThat(error.at("/exitCode").asInt()).isEqualTo(2);
        assertThat(error.at("/message").asText()).contains("which CE?");
        ce.out.reset();
        assertThat(ce.run("--json", "walk")).isEqualTo(2);
        assertThat(new ObjectMapper().readTree(ce.out()).at("/error/message").asText())
                .isEqualTo("there is no command walk");
    }

    @Test
    void aTableShowsStateAgeQueueAndResultOfEachJob() {
        job("DONE-OK");
        ce.jdlOf.put("CREAM000000001", "[ Labels = { \"mass=7\" }; ]");
        assertThat(ce.run("status", "--table", JOB)).isZero();
        assertThat(ce.out().lines().toList()).hasSize(2).element(1).asString().contains(" mass=7 ");
        assertThat(ce.out().lines().findFirst().orElseThrow()).startsWith("JOB").contains("STATE", "AGE", "QUEUE");
        assertThat(ce.out()).contains(JOB, "DONE-OK").doesNotContain("\u001b");
        ce.out.reset();
        assertThat(ce.run("status", "--no-table", JOB)).isZero();
        assertThat(ce.out().lines().toList()).hasSize(1);
    }

    @Test
    void oldJobsThatHaveEndedAreRemovedByTheirIds() {
        job("DONE-OK");
        assertThat(ce.run("purge", "--older-than", "7d", "-e", "ce:9443")).isZero();
        assertThat(ce.calls).contains("status ", "purge CREAM000000001");
        assertThat(ce.err()).isEqualTo("ce purge: removal requested for 1 job\n");
        assertThat(ce.run("purge", "--older-than", "7d", JOB)).isEqualTo(2);
        assertThat(ce.run("purge", "--older-than", "7d", "--all")).isEqualTo(2);
        assertThat(ce.run("purge", "--older-than", "soon")).isEqualTo(2);
    }

    @Test
    void refusedCommandIsReported() throws IOException {
        ce.refusal = new WireFault("JobStatusInvalidFault", "2", "the job has a status not compatible", "N/A");
        assertThat(ce.run("cancel", "--json", JOB)).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo("ce cancel: " + JOB + ": the job has a status not compatible"
                        + " (ce status shows the state the job is in)\n");
        assertThat(ce.out()).doesNotContain("N/A");
        JsonNode root = new ObjectMapper().readTree(ce.out());
        assertThat(root.at("/refused/0/id").asText()).isEqualTo(JOB);
        assertThat(root.at("/refused/0/fault/kind").asText()).isEqualTo("JobStatusInvalidFault");
    }

    @Test
    void infoShowsHistoryAndHidesAbsentValues() {
        assertThat(ce.run("info", JOB)).isZero();
        assertThat(ce.out())
                .contains("REGISTERED", "DONE-OK", "JOB_START SUCCESSFULL", "wn1", "[A=1;]")
                .doesNotContain("N/A")
                .doesNotContain("[reserved]");
    }

    @Test
    void infoShowsWhatTheCeSaysOfTheDescription() {
        assertThat(ce.run("info", JOB)).isZero();
        assertThat(ce.out()).doesNotContain("Warnings");
        StatusReport first = ce.history.get(0);
        ce.history = List.of(
                new StatusReport(first.name(), first.time(), null, null, "requested, but not passed: GPUMode"),
                ce.history.get(1));
        assertThat(ce.run("info", JOB)).isZero();
        assertThat(ce.out()).contains("  Warnings        requested, but not passed: GPUMode\n");
    }

    @Test
    void infoAsJsonHoldsEverything() throws IOException {
        ce.run("--json", "info", JOB);
        assertThat(ce.out()).as("what the wire calls absent").doesNotContain("N/A", "reserved", "null");
        JsonNode job = new ObjectMapper().readTree(ce.out()).at("/jobs/0");
        assertThat(job.at("/status").asText()).isEqualTo("DONE-OK");
        assertThat(job.at("/history/0/status").asText()).isEqualTo("REGISTERED");
        assertThat(job.at("/commands/0/name").asText()).isEqualTo("JOB_START");
    }

    @Test
    void infoShowsWhatAJobUsed() throws IOException {
        ce.properties.put("USAGE_CPU_SECONDS", "61.020");
        ce.properties.put("USAGE_WALL_SECONDS", "70.000");
        ce.properties.put("USAGE_CORES", "4");
        ce.properties.put("USAGE_PEAK_MEMORY_KIB", "123456");
        ce.properties.put("USAGE_SOURCE", "batch system, job wrapper");
        assertThat(ce.run("info", JOB)).isZero();
        assertThat(ce.out())
                .contains(
                        "  Worker node     wn1\n",
                        "  CPU time        61.020 s\n",
                        "  Wall time       70.000 s\n",
                        "  Cores           4\n",
                        "  Peak memory     123456 KiB\n",
                        "  Measured by     batch system, job wrapper\n");
        ce.out.reset();
        ce.run("--json", "info", JOB);
        assertThat(ce.out())
                .contains(
                        "\"usage\":{\"cpuSeconds\":61.020,\"wallSeconds\":70.000,\"cores\":4,\"peakMemoryKib\":123456,"
                                + "\"source\":\"batch system, job wrapper\"}");
    }

    @Test
    void infoShowsNothingOfAUsageThatIsNotTold() throws IOException {
        ce.properties.put("USAGE_CPU_SECONDS", "much\u001b[1m");
        ce.properties.put("USAGE_WALL_SECONDS", "-1");
        ce.properties.put("USAGE_CORES", "99999999999999999999");
        ce.properties.put("USAGE_SOURCE", "nobody");
        assertThat(ce.run("info", JOB)).isZero();
        assertThat(ce.out()).doesNotContain("CPU time", "Wall time", "Cores", "Peak memory", "Measured by");
        ce.out.reset();
        ce.run("--json", "info", JOB);
        assertThat(new ObjectMapper().readTree(ce.out()).at("/jobs/0").has("usage"))
                .isFalse();
    }

    @Test
    void listPrintsFullIds() {
        ce.environment.put("CE_ENDPOINT", "ce:9443");
        assertThat(ce.run("list")).isZero();
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000007\nhttps://ce:9443/CREAM000000003\n");
    }

    @Test
    void commandsForOneCeNeedItsName() {
        for (String command : List.of("list", "service-info")) {
            ce.err.reset();
            assertThat(ce.run(command)).isEqualTo(2);
            assertThat(ce.err()).contains("CE_ENDPOINT").hasLineCount(1);
        }
        assertThat(ce.run("list", "-e", "ftp://ce")).isEqualTo(2);
    }

    @Test
    void delegateAndServiceInfo() {
        assertThat(ce.run("-e", "ce", "delegate", "mine")).isZero();
        assertThat(ce.calls).contains("delegate mine");
        assertThat(ce.run("service-info", "-e", "ce")).isZero();
        assertThat(ce.out()).isEqualTo("""
                        CE            ce:8443, CREAM 2, version 1.16
                        New jobs      accepted: m
                        Started       0s ago, 2026-11-20T12:00:00Z
                        k             v
                        """);
    }

    @Test
    void aCeIsShownAsATable() {
        ce.service.put("SUBMISSION_THRESHOLD_MESSAGE", "Threshold for Load: 40 => Detected value: 1.5\nwait: x");
        ce.service.put("LRMS", "slurm 24.11");
        ce.service.put("LRMS_SLOTS", "total=500 free=12");
        ce.service.put("QUEUE_long", "accepts=yes starts=yes slots=400 free=0 maxWallTime=259200 maxRunning=50");
        ce.service.put("QUEUE_a", "accepts=no starts=yes");
        ce.service.put("DRAINED", "queue a since noon: repair");
        ce.service.put("WAITING_long", "12 jobs: no slot is free");
        assertThat(ce.run("service-info", "-e", "ce")).isZero();
        String table = """
                CE            ce:8443, CREAM 2, version 1.16
                New jobs      accepted: m
                Started       0s ago, 2026-11-20T12:00:00Z
                Batch system  slurm 24.11, slots: total 500, free 12
                k             v
                Drained       queue a since noon: repair
                Waiting       cream-slurm-long, 12 jobs: no slot is free

                QUEUE             ACCEPTS  STARTS  SLOTS  FREE  MAX TIME  MAX RUNNING
                cream-slurm-long  yes      yes     400    0     3d        50
                cream-slurm-a     no       yes     -      -     -         -
                """;
        assertThat(ce.out()).isEqualTo(table);
        ce.out.reset();
        assertThat(ce.run("service-info", "-e", "ce", "--limits")).isZero();
        assertThat(ce.out())
                .isEqualTo(table + "\nLimits\n  Threshold for Load: 40 => Detected value: 1.5\n  wait: x\n");
    }

    @Test
    void jobsAreSummedUpByState() throws IOException {
        ce.waits = "Resources";
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("IDLE")));
        ce.script.put("CREAM000000002", new ArrayList<>(List.of("DONE-FAILED")));
        ce.script.put("CREAM000000003", new ArrayList<>(List.of("IDLE")));
        ce.script.put("CREAM000000004", new ArrayList<>(List.of("ODD")));
        ce.script.put("CREAM000000005", new ArrayList<>(List.of("DONE-OK")));
        assertThat(ce.run("list", "-e", "ce", "--summary")).isZero();
        assertThat(ce.out()).isEqualTo("""
                        STATE              JOBS  OLDEST  MOST OFTEN BECAUSE
                        IDLE                  2  0s      Resources (2)
                        DONE-OK               1  0s
                        DONE-FAILED           1  0s      no such file
                        ODD                   1  0s
                        """);
        ce.out.reset();
        assertThat(ce.run("list", "-e", "ce", "--summary", "--json", "--status", "IDLE"))
                .isZero();
        assertThat(ce.selector.states()).containsExactly("IDLE");
        assertThat(ce.out()).isEqualTo("{\"states\":{\"IDLE\":2}}\n");
    }

    /** A job that waits says why, in a line and in a table. */
    @Test
    void aJobThatWaitsSaysWhy() {
        ce.waits = "held back by the quota of\ndteam";
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("IDLE")));
        assertThat(ce.run("status", JOB)).isZero();
        assertThat(ce.out()).isEqualTo(JOB + " IDLE 2026-11-20T12:00:00Z reason=held back by the quota of dteam\n");
        ce.out.reset();
        ce.history = List.of(FakeCe.state("REGISTERED"), new StatusReport("IDLE", FakeCe.NOON, null, null, ce.waits));
        assertThat(ce.run("status", "--table", JOB)).isZero();
        assertThat(ce.out())
                .contains("RESULT OR REASON TO WAIT", "held back by the quota of dteam")
                .hasLineCount(2);
    }

    /** Of one that waits at the CE the command knows why, which will hand it over. */
    @Test
    void theTableOfListSaysWhyAJobIsPending() {
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("PENDING")));
        ce.history = List.of(FakeCe.state("REGISTERED"), FakeCe.state("PENDING"));
        ce.commands = () -> List.of(FakeCe.command("JOB_START", "QUEUED", "the hand-over pauses:\nslurmctld is down"));
        assertThat(ce.run("list", "--table", "-e", "ce")).isZero();
        assertThat(ce.out())
                .contains("https://ce:8443/CREAM000000001  PENDING ", "  the hand-over pauses: slurmctld is down\n")
                .hasLineCount(2);
    }

    @Test
    void wrongOrMissingCommandIsUsage() {
        assertThat(ce.run()).isEqualTo(2);
        assertThat(ce.run("dance")).isEqualTo(2);
        assertThat(ce.run("status", "--timeout", "soon", JOB)).isEqualTo(2);
        assertThat(ce.err()).doesNotContain("Exception").doesNotContain("\tat ");
    }

    @Test
    void helpIsAResult() {
        assertThat(ce.run("--help")).isZero();
        assertThat(ce.out()).contains("--proxy", "--help", "--version").doesNotContain("suspend");
        ce.out.reset();
        assertThat(ce.run("submit", "--help")).isZero();
        assertThat(ce.out())
                .startsWith("Submits jobs; prints their ids, one per line.\n")
                .contains("Usage: ce submit", "--wait")
                .endsWith("Options of every command, such as --endpoint and --proxy: ce help options\n")
                .doesNotContain("--proxy=", "--help", "--version", "--json");
        assertThat(ce.err()).isEmpty();
        ce.out.reset();
        assertThat(ce.run("lease", "set", "--help")).isZero();
        assertThat(ce.out())
                .startsWith("Makes a lease, or moves its end;")
                .contains(": ce help options\n")
                .doesNotContain("--proxy=");
    }
}
