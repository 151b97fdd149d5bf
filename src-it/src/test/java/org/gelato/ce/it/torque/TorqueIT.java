package org.gelato.ce.it.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.torque.TorqueProgram;
import org.gelato.ce.testkit.torque.TorqueStandIn;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Whole jobs through the stand-in for Torque, by the commands of users. */
@TestMethodOrder(OrderAnnotation.class)
class TorqueIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static TorqueSite site;
    private static SiteUser early;
    /** Ended before all others: what it used is asked of Torque half a minute later. */
    private static String earlyJob;

    @BeforeAll
    static void start() throws IOException {
        TorqueStandIn.missing().ifPresent(reason -> Skipped.because("Torque", reason));
        site = new TorqueSite("torque", Map.of("gelato.lrms.queues", List.of("long", "short", "gone"))).start();
        early = site.ce().user("Uta of Torque");
        earlyJob = site.submit(early, 1, "sleep 2").get(0);
        early.await(earlyJob, "DONE-OK");
        JsonNode first = early.info(earlyJob).path("usage");
        // Torque may have been polled meanwhile
        assertThat(first.path("source").asText()).endsWith("job wrapper");
        assertThat(first.path("wallSeconds").decimalValue()).isPositive();
    }

    @AfterAll
    static void stop() {
        if (site != null) {
            site.close();
        }
    }

    @AfterEach
    void allIsWell() {
        site.torque().settings().slots(500);
        site.torque().settings().forgetsFinished(false);
        site.torque().settings().overLimit(null);
        site.torque().settings().startsEndWith(null);
    }

    @Test
    void aJobIsOneQsubAndAPollOneQstat() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        long qsubs = site.torque().calls(TorqueProgram.QSUB);
        // of the tests themselves, and one that may be under way
        double others = site.torque().calls(TorqueProgram.QSTAT) - qstats();
        List<String> ids = site.submit(user, 10, "sleep 1");
        List<String> failing = site.submit(user, 1, "exit 3");
        user.await(ids, "DONE-OK");
        user.await(failing, "DONE-OK");
        assertThat(user.info(failing.get(0)).path("exitCode").asText()).isEqualTo("3");
        assertThat(user.info(ids.get(0)).path("exitCode").asText()).isEqualTo("0");
        assertThat(site.torque().calls(TorqueProgram.QSUB) - qsubs).isEqualTo(11);
        assertThat(site.witnessed(ids)).containsExactlyInAnyOrderElementsOf(TorqueSite.tags(ids));
        // what the CE counts is what Torque saw: there was no other caller
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(qstats()).isCloseTo(site.torque().calls(TorqueProgram.QSTAT) - others, within(1.0)));
        assertThat(Files.readAllLines(site.ce().log()))
                .as("errors but for the queue that the site does not have")
                .noneMatch(line -> line.contains(" ERROR ") && !line.contains("has no queue 'gone'"));
    }

    @Test
    void queuesAndSlotsAreShownToUsersAndMonitoring() {
        SiteUser user = site.ce().user("Cleo of Torque");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(user.must("", "service-info").out())
                    .contains("Batch system  pbs 6.1.3, slots: total 500, free ")
                    .containsPattern("\ncream-pbs-long +yes +yes +");
            assertThat(site.page("/metrics"))
                    .contains("ce_lrms_version{lrms=\"pbs\",version=\"6.1.3\"} 1.0")
                    .contains("ce_lrms_slots{lrms=\"pbs\"} 500.0")
                    .contains("ce_lrms_queue_accepts{lrms=\"pbs\",queue=\"short\"} 1.0");
        });
    }

    @Test
    @Tag("long")
    void theServersCheckNamesAQueueThatTorqueLacks() throws Exception {
        assertThat(check(site.ce().configuration()))
                .startsWith("error: gelato.lrms.queues (")
                .endsWith("the batch system has no queue 'gone'; it has long, short; name only queues that exist");
        Path mended = Files.writeString(
                site.folder().resolve("mended.conf"),
                Files.readString(site.ce().configuration()) + "\ngelato.lrms.queues = [long, short]\n");
        assertThat(check(mended)).isEqualTo("ok");
    }

    /** Last line of what it prints. */
    private static String check(Path configuration) throws Exception {
        List<String> command = new ArrayList<>(site.ce().program());
        command.subList(command.indexOf("run"), command.size()).clear();
        command.addAll(List.of("check", "--config", configuration.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        process.waitFor();
        return lines.get(lines.size() - 1);
    }

    @Test
    @Tag("long")
    void manyJobsArePolledTogether() throws IOException {
        SiteUser user = site.ce().user("Ben of Torque");
        site.torque().settings().slots(0);
        List<String> ids = site.submit(user, 20, "exit 0");
        user.await(ids, "IDLE");
        List<String> waiting = site.shown("Q");
        assertThat(waiting).hasSize(20);
        long qstats = site.torque().calls(TorqueProgram.QSTAT);
        assertThat(site.user().run("qhold", waiting.toArray(new String[0])).exit())
                .isZero();
        // only Torque knows, and each poll queries once for all
        user.await(ids, "HELD");
        assertThat(site.torque().calls(TorqueProgram.QSTAT) - qstats).isBetween(1L, 19L);
        user.must("", words("cancel", ids));
        user.await(ids, "CANCELLED");
        assertThat(site.witnessed(ids)).isEmpty();
    }

    @Test
    @Tag("long")
    void aListingOfManyMegabytesBlindsNoPoll() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        site.torque().settings().slots(0);
        Path script = Files.writeString(site.folder().resolve("nothing.sh"), "exit 0\n");
        String filler = "FILLER=" + "x".repeat(120_000);
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            others.add(site.user().run("qsub", "-v", filler, script.toString()).id());
        }
        List<String> ids = site.submit(user, 1, "exit 0");
        user.await(ids, "IDLE");
        double polls = qstats();
        await().atMost(PATIENCE).until(() -> qstats() >= polls + 2);
        String ready = site.page("/health/ready");
        assertThat(ready).contains("qstat -Q responds").doesNotContain("poll");
        assertThat(site.metric("ce_lrms_polls_failed_total", "pbs")).isZero();
        assertThat(site.metric("ce_lrms_poll_age_seconds", "pbs")).isPositive();

        List<String> ours = new ArrayList<>(site.shown("Q"));
        ours.removeAll(others);
        assertThat(site.user().run("qdel", ours.toArray(new String[0])).exit()).isZero();
        user.await(ids, "CANCELLED");
        assertThat(site.user().run("qdel", others.toArray(new String[0])).exit())
                .isZero();
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void whatAJobUsedIsReportedByItsWrapperAndThenByTorque() {
        await().atMost(PATIENCE)
                .until(() -> early.info(earlyJob).at("/usage/source").asText().equals("batch system, job wrapper"));
        JsonNode both = early.info(earlyJob).path("usage");
        assertThat(both.path("wallSeconds").asInt()).isGreaterThanOrEqualTo(1);
        assertThat(both.path("cores").asInt()).isEqualTo(1);
    }

    @Test
    void aRunningJobIsCancelled() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        List<String> ids = site.submit(user, 1, "sleep 600");
        user.await(ids, "REALLY-RUNNING");
        user.must("", words("cancel", ids));
        user.await(ids, "CANCELLED");
        await().atMost(PATIENCE).until(() -> site.shown("R").isEmpty());
    }

    @Test
    void aQueuedJobIsHeldAndReleased() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        site.torque().settings().slots(0);
        List<String> ids = site.submit(user, 1, "exit 0");
        user.await(ids, "IDLE");
        user.must("", words("suspend", ids));
        user.await(ids, "HELD");
        site.torque().settings().slots(500);
        assertThat(site.shown("H")).hasSize(1);
        user.must("", words("resume", ids));
        user.await(ids, "DONE-OK");
        assertThat(site.witnessed(ids)).hasSize(1);
    }

    @Test
    @Tag("long")
    void theWallTimeEndsAJobAndTorqueReportsWhyBesideTheWrapper() {
        SiteUser user = site.ce().user("Ann of Torque");
        // Long enough for the wrapper to have begun, however slow the machine is: absent output proves nothing.
        String id = user.submit(site.jdl("sleep 600", "CERequirements = \"other.Seconds >= 15\"; "));
        user.await(id, "DONE-FAILED");
        explained(user, id, "wall time limit exceeded (exit status -11)");
    }

    @Test
    void aLimitOfMemoryOrCpuTimeIsNamed() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        Map<Integer, String> limits = Map.of(
                -10, "memory limit exceeded (exit status -10)", -12, "CPU time limit exceeded (exit status -12)");
        for (int status : limits.keySet()) {
            String id = site.submit(user, 1, "sleep 600").get(0);
            user.await(List.of(id), "REALLY-RUNNING");
            site.torque().settings().overLimit(status);
            user.await(id, "DONE-FAILED");
            explained(user, id, limits.get(status));
            site.torque().settings().overLimit(null);
        }
    }

    /** Running ones are those of {@link TorqueCancelledJobsIT}. */
    @Test
    void aQueuedJobThatAnAdministratorDeletesIsCancelled() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        site.torque().settings().slots(0);
        String queued = site.submit(user, 1, "sleep 600").get(0);
        user.await(queued, "IDLE");
        assertThat(site.user()
                        .run("qdel", site.shown("Q").toArray(new String[0]))
                        .exit())
                .isZero();
        user.await(queued, "CANCELLED");
        assertThat(user.info(queued).path("description").asText()).isEqualTo("Cancelled by CE admin");
    }

    @Test
    void aSignalFromElsewhereIsReportedWithTheExitCodeTorqueSaw() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        String id = site.submit(user, 1, "sleep 600").get(0);
        user.await(List.of(id), "REALLY-RUNNING");
        // as somebody on the node does, past Torque
        assertThat(ProcessHandle.of(site.session(site.shown("R").get(0))).map(ProcessHandle::destroy))
                .contains(true);
        user.await(id, "DONE-FAILED");
        explained(user, id, "exit code 1");
    }

    @Test
    void aJobTerminatedBeforeItsWrapperIsHeardWasCancelledByNobody() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        site.torque().settings().startsEndWith(271);
        String id = site.submit(user, 1, "exit 0").get(0);
        user.await(id, "DONE-FAILED");
        assertThat(user.info(id).path("failureReason").asText())
                .isEqualTo(
                        "the job wrapper ended without an exit record; pbs reports exit code 143 (ended by signal 15)");
        assertThat(site.witnessed(List.of(id))).isEmpty();
    }

    @Test
    void aNodeThatCannotStartAJobIsReportedWithItsReason() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        Map<Integer, String> ends = Map.of(
                -1, "the node could not start the job (exit status -1)",
                -9, "the job's output could not be opened (exit status -9)");
        for (int status : ends.keySet()) {
            site.torque().settings().startsEndWith(status);
            String id = site.submit(user, 1, "exit 0").get(0);
            user.await(id, "DONE-FAILED");
            assertThat(user.info(id).path("failureReason").asText()).isEqualTo("pbs says: " + ends.get(status));
            assertThat(site.witnessed(List.of(id))).isEmpty();
        }
    }

    /** The wrapper's reason, and Torque's when it has one. */
    private static void explained(SiteUser user, String id, String reason) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(user.info(id).path("failureReason").asText())
                                .isEqualTo("Job has been terminated (got SIGTERM); pbs says: " + reason));
    }

    /** Once the batch system's status has been read, which it is each minute. */
    @Test
    void aQueueUnknownToTorqueIsRefusedAtRegistration() {
        SiteUser user = site.ce().user("Ann of Torque");
        await().atMost(PATIENCE).untilAsserted(() -> {
            SiteUser.Outcome outcome =
                    user.run(site.jdl("exit 0", ""), "submit", "-r", site.ce().resource("gone"), "-");
            assertThat(outcome.exit()).as("%s", outcome).isNotZero();
            assertThat(outcome.err()).contains("queue gone takes no jobs: pbs does not have it now");
        });
    }

    @Test
    void theAccountingLogReportsAJobThatVanished() throws IOException {
        SiteUser user = site.ce().user("Ann of Torque");
        site.torque().settings().forgetsFinished(true);
        List<String> ids = site.submit(user, 1, "die");
        user.await(ids, "DONE-FAILED");
        String reason = user.info(ids.get(0)).path("failureReason").asText();
        assertThat(reason).contains("signal 9").doesNotContain("vanished");
        assertThat(site.witnessed(ids)).hasSize(1);
    }

    /** As the CE counts them. */
    private static double qstats() {
        return site.metric("ce_lrms_commands_total", "program=\"qstat\"");
    }

    private static String[] words(String command, List<String> ids) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(ids);
        return words.toArray(new String[0]);
    }
}
