package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which jobs a command means, and the commands that came with the choice. */
class JobChoiceTest {
    private static final String JOB = "https://ce:9443/CREAM000000001";

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void endpoint() {
        ce.environment.put("CE_ENDPOINT", "ce:9443");
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("IDLE")));
        ce.script.put("CREAM000000002", new ArrayList<>(List.of("HELD")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "purge", "suspend", "resume", "lease attach -L x", "lease detach"})
    void changesOfUnnamedJobsWantAll(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        assertThat(ce.run(words.toArray(String[]::new))).isEqualTo(2);
        words.addAll(List.of("--status", "IDLE"));
        assertThat(ce.run(words.toArray(String[]::new))).isEqualTo(2);
        assertThat(ce.err()).contains("give --all").hasLineCount(2);
        assertThat(ce.calls).isEmpty();
        words.add("--all");
        assertThat(ce.run(words.toArray(String[]::new))).isZero();
        assertThat(ce.selector).isEqualTo(new JobSelector(List.of(), List.of("IDLE"), null, null, null, null));
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err().lines().skip(2).toList())
                .singleElement(InstanceOfAssertFactories.STRING)
                .endsWith(" for all your jobs that meet the criteria");
    }

    @Test
    void namedJobsAreSiftedByTheCe() {
        assertThat(ce.run("cancel", JOB, "--from", "2026-01-02T03:04:05+01:00", "--delegation", "d", "--lease", "l"))
                .isZero();
        assertThat(ce.selector)
                .isEqualTo(new JobSelector(
                        List.of("CREAM000000001"), List.of(), Instant.parse("2026-01-02T02:04:05Z"), null, "d", "l"));
    }

    @Test
    void questionsNeedNoAllWithCriteria() {
        assertThat(ce.run("status")).isEqualTo(2);
        assertThat(ce.run("status", "--status", "IDLE,HELD")).isZero();
        assertThat(ce.selector.states()).containsExactly("IDLE", "HELD");
        assertThat(ce.out())
                .isEqualTo(JOB + " IDLE 2026-11-20T12:00:00Z\n"
                        + "https://ce:9443/CREAM000000002 HELD 2026-11-20T12:00:00Z\n");
        assertThat(ce.run("info", "--all")).isZero();
        assertThat(ce.selector).isEqualTo(JobSelector.ALL);
    }

    @Test
    void listWithCriteriaPrintsIdsOnly() {
        assertThat(ce.run("list", "--status", "IDLE,HELD")).isZero();
        assertThat(ce.out()).isEqualTo(JOB + "\nhttps://ce:9443/CREAM000000002\n");
    }

    @Test
    void contradictionsAndNonsenseAreUsage() {
        for (String wrong : List.of(
                "cancel --all " + JOB,
                "status --from 2026-01-02 --to 2026-01-01",
                "status --status BLUE",
                "status --from yesterday " + JOB,
                "cancel --all --delegation=",
                "cancel --all --lease=")) {
            ce.err.reset();
            assertThat(ce.run(wrong.split(" "))).as(wrong).isEqualTo(2);
            assertThat(ce.err()).as(wrong).hasLineCount(1);
        }
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void suspendAndResumeTellRefusals() {
        ce.refusal = new WireFault("JobStatusInvalidFault", "2", "the job has a status not compatible", "N/A");
        assertThat(ce.run("suspend", JOB)).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo("ce suspend: " + JOB + ": the job has a status not compatible"
                        + " (ce status shows the state the job is in)\n");
        assertThat(ce.run("resume", JOB)).isEqualTo(1);
        assertThat(ce.calls).contains("suspend CREAM000000001", "resume CREAM000000001");
    }

    /** The CE agrees at once, and learns later what the batch system says. */
    @Test
    void suspendSaysWhatBecameOfIt() throws IOException {
        Deque<JobReport.CommandReport> seen = new ArrayDeque<>(List.of(
                FakeCe.command("JOB_SUSPEND", "QUEUED", null),
                FakeCe.command("JOB_SUSPEND", "ERROR", "the job is running")));
        ce.commands = () -> List.of(FakeCe.command("JOB_SUSPEND", "SUCCESSFULL", null), seen.remove());
        assertThat(ce.run("suspend", JOB, "--json")).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce suspend: " + JOB + ": the job is running\n");
        JsonNode json = new ObjectMapper().readTree(ce.out());
        assertThat(json.at("/refused/0/fault/description").asText()).isEqualTo("the job is running");
        assertThat(json.at("/agreed")).isEmpty();

        ce.err.reset();
        ce.commands = () -> List.of(FakeCe.command("JOB_RESUME", "SUCCESSFULL", null));
        assertThat(ce.run("resume", JOB)).isZero();
        assertThat(ce.err()).isEqualTo("ce resume: released 1 job\n");

        // One that is under way after seconds is left to the CE.
        ce.err.reset();
        ce.pauses.clear();
        ce.commands = () -> List.of(FakeCe.command("JOB_SUSPEND", "PROCESSING", null));
        assertThat(ce.run("suspend", JOB)).isZero();
        assertThat(ce.err()).isEqualTo("ce suspend: hold requested for 1 job\n");
        assertThat(ce.pauses.stream().reduce(Duration.ZERO, Duration::plus)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void renewGoesOnAfterARefusal() throws IOException {
        assertThat(ce.run("renew", "unknown", "mine", "--json")).isEqualTo(1);
        assertThat(ce.calls).contains("renew unknown", "renew mine");
        assertThat(ce.err()).isEqualTo("ce renew: unknown: ce:9443: not found\n");
        assertThat(new ObjectMapper().readTree(ce.out()).at("/renewed").toString())
                .isEqualTo("[\"mine\"]");
        assertThat(ce.run("renew")).isEqualTo(2);
        assertThat(ce.run("renew", "")).isEqualTo(2);
    }

    @Test
    void leasesAreSetShownAndDeleted() throws IOException {
        assertThat(ce.run("lease", "set", "-T", "7200", "one")).isZero();
        assertThat(ce.calls).contains("setLease one 2026-11-20T14:00:00Z");
        assertThat(ce.out()).isEqualTo("one 2026-11-20T13:00:00Z\n");
        ce.out.reset();
        assertThat(ce.run("lease", "list")).isZero();
        assertThat(ce.out()).isEqualTo("one 2026-11-20T13:00:00Z\ntwo lines\n");
        ce.out.reset();
        assertThat(ce.run("lease", "get", "one", "--json", "-e", "other")).isZero();
        assertThat(new ObjectMapper().readTree(ce.out()).at("/leaseTime").asText())
                .isEqualTo("2026-11-20T13:00:00Z");
        assertThat(ce.run("lease", "delete", "one")).isZero();
        assertThat(ce.calls).contains("deleteLease one", "connect other:8443");
        ce.calls.clear();
        for (String wrong : List.of("lease", "lease set one", "lease set -T 0 one", "lease get", "lease dance")) {
            assertThat(ce.run(wrong.split(" "))).as(wrong).isEqualTo(2);
        }
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void leaseIsAttachedAndDetached() {
        assertThat(ce.run("lease", "attach", "-L", "one", JOB)).isZero();
        assertThat(ce.run("lease", "detach", JOB)).isZero();
        assertThat(ce.calls).contains("lease one", "attach CREAM000000001", "lease null");
        assertThat(ce.run("lease", "attach", "-L", "", JOB)).isEqualTo(2);
    }

    @Test
    void adminsOpenAndCloseTheCe() throws IOException {
        assertThat(ce.run("enable")).isZero();
        assertThat(ce.run("disable")).isZero();
        assertThat(ce.run("disable", "--json")).isZero();
        assertThat(ce.calls.stream().filter(call -> call.startsWith("accept")))
                .containsExactly("acceptJobs true", "acceptJobs false", "acceptJobs false");
        assertThat(new ObjectMapper().readTree(ce.out()).at("/acceptsJobs").asBoolean(true))
                .isFalse();
    }

    private String listed(String... criteria) {
        ce.out.reset();
        List<String> args = new ArrayList<>(List.of("status", "-e", "ce:9443"));
        args.addAll(List.of(criteria));
        ce.run(args.toArray(String[]::new));
        return ce.out()
                .lines()
                .map(line -> line.replaceAll(".*CREAM0*(\\d+) .*", "$1"))
                .collect(Collectors.joining(" "));
    }

    /** How jobs have ended is no criterion of a protocol. */
    @Test
    void jobsAreChosenByTheirEnd() {
        ce.script.clear();
        List.of("DONE-OK", "DONE-OK", "DONE-FAILED", "ABORTED", "CANCELLED", "RUNNING", "DONE-OK")
                .forEach(state ->
                        ce.script.put("CREAM00000000" + (ce.script.size() + 1), new ArrayList<>(List.of(state))));
        ce.exitCodes.putAll(Map.of("CREAM000000002", "3", "CREAM000000003", "N/A", "CREAM000000007", "256"));
        assertThat(listed("--failed")).isEqualTo("2 3 4 7");
        assertThat(listed("--exit-code", "!=0")).isEqualTo("2 7");
        assertThat(listed("--exit-code", "0")).isEqualTo("1");
        assertThat(listed("--exit-code", "=3")).isEqualTo("2");
        assertThat(listed("--exit-code", ">3")).isEqualTo("7");
        assertThat(listed("--exit-code", "<=3")).isEqualTo("1 2");
        assertThat(listed("--failed", "--exit-code", ">=0")).isEqualTo("2 7");
        assertThat(listed("--failed", "--status", "ABORTED")).isEqualTo("4");
        assertThat(listed("--failed", "CREAM000000001", "CREAM000000002", "CREAM000000006"))
                .isEqualTo("2");
        assertThat(ce.err()).isEmpty();
        assertThat(listed("--failed", "CREAM000000001")).isEmpty();
        assertThat(ce.err()).isEqualTo("ce status: no job of these meets the criteria\n");
        assertThat(ce.run("status", "-e", "ce:9443", "--failed", "CREAM000000002", "CREAM000000099"))
                .as("one that is not known")
                .isEqualTo(1);
        assertThat(ce.run("list", "-e", "ce:9443", "--exit-code", "x")).isEqualTo(2);
        assertThat(ce.run("list", "-e", "ce:9443", "--exit-code", "256")).isEqualTo(2);
        assertThat(ce.run("cancel", "-e", "ce:9443", "--failed")).isEqualTo(2);
        assertThat(ce.run("purge", "-e", "ce:9443", "--all", "--failed")).isZero();
        assertThat(ce.calls).endsWith("purge CREAM000000002 CREAM000000003 CREAM000000004 CREAM000000007");
        ce.out.reset();
        assertThat(ce.run("list", "-e", "ce:9443", "--failed")).isZero();
        assertThat(ce.out()).hasLineCount(4);
    }

    /** The CE removes a job whatever its exit code. */
    @Test
    void aJobWhoseEndIsNotKnownIsReportedAndLeftAlone() {
        ce.script.clear();
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("DONE-OK")));
        ce.script.put("CREAM000000002", new ArrayList<>(List.of("ABORTED")));
        ce.faults.put("CREAM000000001", new WireFault("GenericFault", "0", "database error", null));
        for (List<String> which : List.of(List.of("--all"), List.of("CREAM000000001", "CREAM000000002"))) {
            ce.err.reset();
            List<String> args = new ArrayList<>(List.of("purge", "-e", "ce:9443", "--failed"));
            args.addAll(which);
            assertThat(ce.run(args.toArray(String[]::new))).isEqualTo(1);
            assertThat(ce.err()).contains("https://ce:9443/CREAM000000001: database error");
            assertThat(ce.calls).endsWith("purge CREAM000000002");
        }
        assertThat(ce.run("purge", "-e", "ce:9443", "--failed", "CREAM000000001"))
                .isEqualTo(1);
        assertThat(ce.run("list", "-e", "ce:9443", "--failed")).isEqualTo(1);
    }
}
