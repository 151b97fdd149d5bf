package org.gelato.ce.ws.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.monitoring.RecentJobs;
import org.gelato.ce.ws.dashboard.Situation.Check;
import org.gelato.ce.ws.dashboard.Verdict.Level;
import org.gelato.ce.ws.dashboard.Verdict.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictTest {
    private static final Instant NOW = Instant.parse("2026-03-14T03:07:20Z");
    private static final Instant SINCE = NOW.minusSeconds(60);
    private static final Situation.Jobs JOBS = new Situation.Jobs(17, 33, 412);
    private static final Drain DRAIN = new Drain(Drain.Part.VO, "biomed", "new storage", "CN=admin", SINCE);

    private static Verdict of(Situation.Jobs jobs, boolean open, String paused, List<Drain> drains, Check... checks) {
        return Verdict.of(situation(jobs, open, paused, drains, checks));
    }

    private static Situation situation(
            Situation.Jobs jobs, boolean open, String paused, List<Drain> drains, Check... checks) {
        return new Situation(
                NOW,
                "ce.example.org",
                "slurm",
                new DiagnosticCommands(
                        "Slurm", List.of("systemctl status slurmctld", "scontrol ping"), List.of("sinfo"), List.of()),
                jobs,
                List.of(checks),
                open,
                paused,
                Duration.ofSeconds(200),
                drains,
                NOW.plus(Duration.ofDays(5)),
                Map.of("sandbox", Path.of("/srv/x")));
    }

    private static Check bad(String name, String detail) {
        return new Check(name, false, false, detail, SINCE);
    }

    private static Check degraded(String name, String detail) {
        return new Check(name, true, true, detail, SINCE);
    }

    private static Problem only(Verdict verdict) {
        assertThat(verdict.problems()).hasSize(1);
        return verdict.problems().get(0);
    }

    @Test
    void whenAllIsWellItSaysWhatToWatchNext() {
        Verdict verdict =
                of(new Situation.Jobs(1, 0, 1), true, null, List.of(), new Check("helper", true, false, "", null));
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.calm())
                .isEqualTo("1 job runs, 1 waits. Next to watch: the host certificate ends in 5 days.");
        assertThat(of(new Situation.Jobs(0, 0, 0), true, null, List.of()).calm())
                .startsWith("There are no jobs.");
    }

    @Test
    void aBatchSystemThatDoesNotRespondIsSilentSinceItsLastPoll() {
        Problem problem = only(
                of(JOBS, true, "down", List.of(), bad("slurm", "squeue: " + "*".repeat(200) + "\nconnect failure")));
        assertThat(problem.level()).isEqualTo(Level.ERROR);
        assertThat(problem.title()).isEqualTo("Slurm does not respond: 50 jobs wait, none is lost");
        assertThat(problem.since()).isEqualTo(NOW.minusSeconds(200));
        assertThat(problem.text())
                .contains("17 jobs are not handed over", "states of 445 are 3 minutes old", "New jobs are registered");
        assertThat(problem.commands()).containsExactly("systemctl status slurmctld", "scontrol ping");
        assertThat(problem.message()).isEqualTo("squeue: connect failure");
        assertThat(only(of(JOBS, true, "down", List.of(), bad("slurm", "slurm_set_addr: Unable to resolve \"ctl\"")))
                        .text())
                .contains("The name of a host of Slurm does not resolve on this one: correct DNS");
        assertThat(only(of(null, false, null, List.of(), bad("slurm", "x"))).text())
                .startsWith("Running jobs go on. Look");
    }

    @Test
    void mostJobsFailWhenTwentyEndedAndMoreThanHalfOfThemFailed() {
        Situation well = situation(JOBS, true, null, List.of());
        assertThat(Verdict.of(well, new Verdict.Ends(19, 19, 0, "x", null)).problems())
                .isEmpty();
        assertThat(Verdict.of(well, new Verdict.Ends(20, 10, 0, "x", null)).problems())
                .isEmpty();
        Problem problem = only(Verdict.of(well, new Verdict.Ends(20, 11, 0, "No space left\non device", "wn7")));
        assertThat(problem.level()).isEqualTo(Level.WARNING);
        assertThat(problem.title()).isEqualTo("Most jobs fail: 11 of 20 in the last hour");
        assertThat(problem.text()).startsWith("More of them do on wn7 than elsewhere");
        assertThat(problem.message()).isEqualTo("No space left on device");
        assertThat(only(Verdict.of(well, new Verdict.Ends(RecentJobs.MAX, 1500, 0, null, null)))
                        .title())
                .isEqualTo("Most jobs fail: 1500 of 2000 that ended last");
    }

    @Test
    void mostJobsExitWithAnotherCodeThanZero() {
        Situation well = situation(JOBS, true, null, List.of());
        assertThat(Verdict.of(well, new Verdict.Ends(20, 5, 5, null, null)).problems())
                .isEmpty();
        Problem problem = only(Verdict.of(well, new Verdict.Ends(20, 5, 6, null, "wn7")));
        assertThat(problem.title())
                .isEqualTo("Most jobs fail or exit with a code other than 0: 11 of 20 in the last hour");
        assertThat(problem.text()).contains("look at this node", "tables of owners and nodes");
    }

    @Test
    void theWorstStandsFirst() {
        Verdict verdict = of(
                JOBS,
                true,
                null,
                List.of(DRAIN),
                degraded("admission", "new jobs are refused: " + DRAIN.text()),
                degraded("host-certificate", "ends"),
                bad("helper", "gone"));
        assertThat(verdict.problems())
                .extracting(Problem::level)
                .containsExactly(Level.ERROR, Level.WARNING, Level.NOTE);
        assertThat(verdict.problems())
                .extracting(Problem::title)
                .containsExactly(
                        "The helper does not respond: no job is handed over and no file is served",
                        "The host certificate ends in 5 days",
                        "VO biomed takes no new jobs: drained by an administrator (new storage)");
        assertThat(verdict.problems().get(2).commands())
                .containsExactly("ce enable --vo biomed", "ce server enable --vo biomed");
    }

    @Test
    void aLimitThatIsPassedIsNamed() {
        Problem disk = only(
                of(
                        JOBS,
                        false,
                        null,
                        List.of(),
                        degraded(
                                "admission",
                                "new jobs are refused: Threshold for Disk Usage(sandbox): 95 => Detected value for Disk Usage(sandbox): 98%")));
        assertThat(disk.title()).isEqualTo("New jobs are refused: the disk of /srv/x is almost full");
        assertThat(disk.level()).isEqualTo(Level.ERROR);
        assertThat(disk.commands()).first().isEqualTo("df -h /srv/x");
        assertThat(only(of(
                                JOBS,
                                false,
                                null,
                                List.of(),
                                degraded("admission", "new jobs are refused: Threshold for Swap Usage: 95 => …")))
                        .title())
                .isEqualTo("New jobs are refused: a limit is passed (Swap Usage)");
        // A drain of all is an administrator's will and no limit.
        Drain all = new Drain(Drain.Part.ALL, null, null, "CN=admin", SINCE);
        assertThat(only(of(
                                JOBS,
                                false,
                                null,
                                List.of(all),
                                degraded("admission", "new jobs are refused: Submissions are disabled!")))
                        .level())
                .isEqualTo(Level.NOTE);
    }

    @Test
    void aPauseOfTheHandOverIsAWarningUnlessMoreIsWrong() {
        assertThat(only(of(JOBS, true, "sbatch takes 30 s", List.of())).title())
                .isEqualTo("The hand-over to Slurm pauses: 17 jobs wait here");
        assertThat(only(of(JOBS, true, "sbatch fails", List.of(), bad("slurm", "down")))
                        .level())
                .isEqualTo(Level.ERROR);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "database",
                "helper",
                "node",
                "registrations",
                "host-certificate",
                "trust",
                "tokens",
                "clock",
                "configuration-files",
                "queues",
                "slurm",
                "events",
                "gridftp"
            })
    void whateverIsWrongHasATitleAndSomethingToDo(String check) {
        for (Check of : List.of(bad(check, "detail"), degraded(check, "detail"))) {
            Problem problem = only(of(JOBS, true, null, List.of(), of));
            assertThat(problem.title()).doesNotContain("null").isNotBlank();
            assertThat(problem.text()).isNotBlank();
            assertThat(problem.commands()).isNotEmpty();
            assertThat(problem.level()).isEqualTo(of.ok() ? Level.WARNING : Level.ERROR);
        }
    }

    @Test
    void anIdThatIsNoPlainWordGoesIntoNoCommand() {
        DiagnosticCommands look = new DiagnosticCommands("X", List.of(), List.of(), List.of("show %s"));
        assertThat(look.ofJob("12[3].pbs")).containsExactly("show 12[3].pbs");
        assertThat(look.ofJob("1; rm -rf /")).isEmpty();
        assertThat(look.ofJob(null)).isEmpty();
    }

    @Test
    void foreignTextsAreOneParagraphWithoutRulers() {
        assertThat(Foreign.text("a\n====\r\n\u0007b  -----  c--d")).isEqualTo("a b c--d");
        assertThat(Foreign.text("x".repeat(5000))).hasSize(602).endsWith(" …");
        assertThat(Foreign.text(null)).isNull();
    }
}
