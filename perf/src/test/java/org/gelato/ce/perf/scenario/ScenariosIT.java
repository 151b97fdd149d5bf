package org.gelato.ce.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.gelato.ce.perf.load.LoadProtocol;
import org.gelato.ce.perf.site.BatchKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Scenarios at a small size: what they count is true and what no load can break holds. Ratios of times are not checked.
 * Those that take minutes run on request.
 */
@Tag("long")
class ScenariosIT {
    private static final int JOBS = 20;
    private static final String ALL = "gelato.perf.scenarios";

    private static ScenarioResult run(Scenario scenario, int jobs) {
        return ScenarioResult.of(scenario, new ScenarioPlan(BatchKind.STUB, jobs));
    }

    private static void holds(ScenarioResult result, String... names) {
        Map<String, Check> checks = result.protocol().checks().stream().collect(Collectors.toMap(Check::name, c -> c));
        assertThat(checks).containsKeys(names);
        for (String name : Set.of(names)) {
            assertThat(checks.get(name).held()).as("%s", checks.get(name)).isTrue();
        }
    }

    @Test
    void rampUpTakesEveryJobAndItsReportNeedsNothingElse(@TempDir Path directory) throws Exception {
        ScenarioResult result = run(new RampUp(), JOBS);
        holds(
                result,
                "submissions_missing",
                "jobs_lost",
                "jobs_failed_or_cancelled",
                "payloads_run_twice",
                "commands_left");
        ObjectNode json = ResultJson.of(result);
        assertThat(json.at("/counts/jobs").asInt()).isEqualTo(JOBS);
        assertThat(json.at("/latency_ms/register/count").asInt()).isEqualTo(JOBS);
        assertThat(json.at("/latency_ms/start/count").asInt()).isEqualTo(JOBS);
        assertThat(json.at("/counts/life.sql_per_job").asDouble()).isPositive();
        JsonNode samples = json.path("samples");
        assertThat(samples.path("rows").size()).isGreaterThan(1);
        assertThat(StreamSupport.stream(samples.path("rows").spliterator(), false))
                .allMatch(row -> row.size() == samples.path("columns").size());

        ScenarioReport.write(result, directory);
        String page = Files.readString(directory.resolve("index.html"));
        assertThat(page)
                .contains("data:image/png;base64,", "jobs_lost")
                .doesNotContain("http://", "https://", "<script", "<link", "url(");
        assertThat(directory.resolve("jobs.png")).isNotEmptyFile();
    }

    @Test
    void purgeAllLeavesNothing() {
        ScenarioResult result = run(new PurgeAll(), JOBS);
        holds(
                result,
                "sandboxes_missing_before",
                "jobs_left",
                "sandboxes_left",
                "jobs_failed_or_cancelled",
                "commands_left");
        assertThat(result.protocol().latencies().get("purge of all").count()).isEqualTo(1);
    }

    @Test
    void everyFollowerGetsEachMessageOnce() {
        ScenarioResult result = run(new MessagesOfRunningJobs(), JOBS);
        holds(
                result,
                "messages_lost",
                "messages_doubled",
                "messages_wrong",
                "jobs_failed_or_cancelled",
                "commands_left");
        long messages = result.protocol().counts().get("messages").longValue();
        // 60 of the first second and the last 100, and some nine between.
        assertThat(messages).isBetween(60L * JOBS, 80L * JOBS);
        assertThat(result.protocol().latencies().get("job to follower").count()).isEqualTo(5 * messages);
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "true", disabledReason = "-D" + ALL + "=true runs it: some minutes")
    void endToEndHandsEveryJobOverToABatchSystemThatRunsNone() {
        ScenarioResult result =
                ScenarioResult.of(new EndToEnd(), new ScenarioPlan(BatchKind.TORQUE, new EndToEnd().fewestJobs()));
        holds(result, "commands_left");
        assertThat(result.protocol().counts().get("bare_per_second").doubleValue())
                .isPositive();
        assertThat(result.protocol().counts().get("running_peak").longValue()).isZero();
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "true", disabledReason = "-D" + ALL + "=true runs it: some minutes")
    void manyUsersSeeAndTouchTheirOwnJobsAlone() {
        ScenarioResult result = run(new ManyUsers(), new ManyUsers().fewestJobs());
        holds(
                result,
                "jobs_lost_or_failed",
                "attempts_not_refused",
                "lists_that_are_not_the_own",
                "states_changed_by_attempts",
                "cancels_missing",
                "others_jobs_purged_by_a_purge_of_all",
                "payloads_run_twice");
        // 40 owners try 7 commands on 6 jobs, and 3 directories and 2 delegations.
        assertThat(result.protocol().counts().get("attempts_on_others_jobs").longValue())
                .isEqualTo(40 * (7 * 6 + 3 + 2));
    }

    @ParameterizedTest
    @EnumSource(LoadProtocol.class)
    @EnabledIfSystemProperty(named = ALL, matches = "true", disabledReason = "-D" + ALL + "=true runs it: some minutes")
    void theFactoryLosesNoPilot(LoadProtocol protocol) {
        ScenarioResult result = ScenarioResult.of(new Factory(), new ScenarioPlan(BatchKind.STUB, JOBS).over(protocol));
        holds(
                result,
                "pilots_lost",
                "pilots_doubled",
                "pilots_failed_or_cancelled",
                "purges_refused",
                "commands_left",
                "renewals");
        assertThat(result.protocol().counts().get("pilots").longValue()).isGreaterThanOrEqualTo(JOBS);
        assertThat(result.protocol().counts()).containsKey("cpu_ms_per_authentication.new_proxy");
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "true", disabledReason = "-D" + ALL + "=true runs it: some minutes")
    void aKilledFrontEndAndAKilledDatabaseServerLoseNoJob() {
        ScenarioResult result =
                ScenarioResult.of(new Million(), new ScenarioPlan(BatchKind.SLURM, new Million().fewestJobs()));
        holds(
                result,
                "jobs_lost",
                "jobs_run_twice",
                "jobs_run_that_nobody_started",
                "jobs_failed_or_cancelled",
                "ids_given_twice");
        assertThat(result.protocol().counts().get("jobs").longValue())
                .isGreaterThanOrEqualTo(new Million().fewestJobs());
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "true", disabledReason = "-D" + ALL + "=true runs it: some minutes")
    void arcsStudyLosesNoJobAndStagesEveryByte() {
        ScenarioResult result = run(new ArcStudy(), new ArcStudy().fewestJobs());
        holds(result, "jobs_failed_or_cancelled", "payloads_run_twice", "commands_left");
        assertThat(result.protocol().counts()).containsKeys("stage_in_to_curl.1_files", "stage_out_to_curl.30_files");
    }
}
