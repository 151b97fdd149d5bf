package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.ws.check.ServerCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whole jobs through a real HTCondor, by the commands of users. */
class CondorIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int SLOTS = 24;

    private static CondorSlots pool;
    private static SiteCe ce;
    private static SiteUser user;

    @BeforeAll
    static void start() throws IOException {
        CondorSlots.missing().ifPresent(reason -> Skipped.because("HTCondor", reason));
        pool = CondorSlots.start(Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-"), SLOTS);
        ce = new SiteCe(
                        "condor",
                        "condor",
                        CondorSlots.ACCOUNT,
                        Map.of("gelato.lrms.condor.config", pool.config().toString()))
                .start();
        user = ce.user("Ann of HTCondor");
        user.must("", "delegate", "condor");
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (pool != null) {
            pool.close();
        }
    }

    private static String submit(String jdl) {
        return user.submit(jdl, "-D", "condor", "-r", ce.resource("long"));
    }

    private static String tag(String id) {
        return "cream_" + id.substring(id.length() - 9);
    }

    private static String ads(String id, String... attributes) {
        List<String> words =
                new ArrayList<>(List.of("condor_q", "-all", "-constraint", "GelatoTag==\"" + tag(id) + "\"", "-af"));
        words.addAll(List.of(attributes));
        return pool.command(words.toArray(String[]::new)).strip();
    }

    private static String number(String id) {
        return ads(id, "ClusterId").split("\\s")[0] + "." + ads(id, "ProcId");
    }

    @Test
    void jobsEndAsTheirProgramsDoAndTheirUsageIsHTCondors() {
        List<String> good = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            good.add(submit(SiteUser.shellJob("exit 0")));
        }
        String bad = submit(SiteUser.shellJob("sleep 2; exit 3"));
        user.await(good, "DONE-OK");
        user.await(bad, "DONE-OK");
        assertThat(user.info(bad).path("exitCode").asText()).isEqualTo("3");
        Awaitility.await("usage by HTCondor").atMost(PATIENCE).untilAsserted(() -> {
            JsonNode usage = user.info(bad).path("usage");
            assertThat(usage.path("source").asText()).contains("batch system");
            assertThat(usage.path("wallSeconds").decimalValue()).isPositive();
        });
    }

    @Test
    void theServersCheckFindsNoError() throws Exception {
        assertThat(ServerCheck.findings(ce.configuration(), Clock.systemUTC()))
                .filteredOn(finding -> finding.text().startsWith("error: "))
                .isEmpty();
    }

    @Test
    void aWaitingJobIsHeldAndResumedARunningOneSuspended() {
        String running = submit(SiteUser.sleepJob(600));
        user.await(running, "REALLY-RUNNING");
        user.must("", "suspend", running);
        user.await(running, "HELD");
        user.must("", "resume", running);
        user.await(running, "REALLY-RUNNING");
        assertThat(ads(running, "JobStatus")).isEqualTo("2");
        user.must("", "cancel", running);
        user.await(running, "CANCELLED");
    }

    @Test
    void whatAnAdministratorDoesIsShown() {
        String removed = submit(SiteUser.sleepJob(600));
        String held = submit(SiteUser.sleepJob(600));
        String evicted = submit(SiteUser.sleepJob(600));
        user.await(List.of(removed, held, evicted), "REALLY-RUNNING");
        pool.command("condor_rm", number(removed));
        pool.command("condor_hold", number(held));
        pool.command("condor_vacate_job", "-fast", number(evicted));
        user.await(removed, "CANCELLED");
        user.await(List.of(held, evicted), "DONE-FAILED");
        assertThat(user.info(evicted).toString()).contains("evicted");
    }

    /** Its wrapper reports the end of a job of which neither queue nor history knows. */
    @Test
    void jobsOutOfQueueAndHistoryAreWhatHTCondorOrTheirWrappersSaid() {
        String forced = submit(SiteUser.sleepJob(600));
        String edited = submit(SiteUser.shellJob("sleep 20"));
        String ended = submit(SiteUser.shellJob("exit 5"));
        user.await(ended, "DONE-OK");
        user.await(List.of(forced, edited), "REALLY-RUNNING");
        String number = number(forced);
        pool.command("condor_qedit", number(edited), "GelatoTag", "\"an administrator's\"");
        pool.command("condor_rm", number);
        pool.command("condor_rm", "-forcex", number);
        user.await(forced, "CANCELLED");
        pool.loseHistory();
        user.await(edited, "DONE-OK");
        assertThat(List.of(user.state(forced), user.state(ended))).containsExactly("CANCELLED", "DONE-OK");
        assertThat(user.info(ended).path("exitCode").asText()).isEqualTo("5");
    }

    @Test
    void aJobOverItsTimeHasFailedWithTheReason() {
        String id = submit("[ Executable = \"/bin/sleep\"; Arguments = \"600\";"
                + " CERequirements = \"other.GlueCEPolicyMaxWallClockTime == 1\"; ]");
        user.await(id, "REALLY-RUNNING");
        // of a minute is not waited for
        pool.command("condor_qedit", number(id), "AllowedJobDuration", "2");
        user.await(id, "DONE-FAILED");
        assertThat(user.info(id).toString()).contains("allowed job duration");
    }

    @Test
    void aKilledCeHasEachJobOnce() {
        List<String> ids = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 5; i++) {
                ids.add(submit(SiteUser.shellJob("sleep 1")));
            }
            ce.kill();
            if (round == 1) {
                pool.killSchedd();
            }
            ce.start();
        }
        user.await(ids, "DONE-OK");
        for (String id : ids) {
            assertThat(ads(id, "NumJobStarts").lines()).as(id).hasSizeLessThanOrEqualTo(1);
            assertThat(pool.command(
                                            "condor_history",
                                            "-constraint",
                                            "GelatoTag==\"" + tag(id) + "\"",
                                            "-af",
                                            "ClusterId")
                                    .lines()
                                    .count()
                            + ads(id, "ClusterId").lines().count())
                    .as(id)
                    .isEqualTo(1);
        }
    }
}
