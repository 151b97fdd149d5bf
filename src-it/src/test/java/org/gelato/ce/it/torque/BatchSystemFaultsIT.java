package org.gelato.ce.it.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
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

/** What a batch system can do wrong, and that no job is lost or run twice for it, nor the service stopped. */
@TestMethodOrder(OrderAnnotation.class)
class BatchSystemFaultsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration HANGS = Duration.ofSeconds(8);

    /**
     * Jobs that end in the same second. All their nodes are this host: 500 wrappers, which {@code -Dgelato.faults.jobs=500} has, keep two
     * processors busy for a minute and a half, and every test beside them waits in vain.
     */
    private static final int MANY = Integer.getInteger("gelato.faults.jobs", 60);

    private static TorqueSite site;
    private static SiteUser user;

    @BeforeAll
    static void start() throws IOException {
        TorqueStandIn.missing().ifPresent(reason -> Skipped.because("Torque", reason));
        site = new TorqueSite(
                        "faults",
                        Map.of("gelato.lrms.command-timeout", "5 s", "gelato.lrms.hand-over.probe-interval", "1 s"))
                .start();
        user = site.ce().user("Ann of faults");
    }

    @AfterAll
    static void stop() {
        if (site != null) {
            site.close();
        }
    }

    @AfterEach
    void allIsWell() {
        site.torque().faults().none();
        site.torque().settings().forgetsFinished(false);
        site.torque().settings().staleRunning(Duration.ZERO);
        site.torque().start();
        await().atMost(PATIENCE).until(() -> !paused());
    }

    private static boolean paused() {
        return site.metric("ce_lrms_paused", "") > 0;
    }

    private static void allRanOnce(List<String> ids) throws IOException {
        assertThat(site.witnessed(ids)).containsExactlyInAnyOrderElementsOf(TorqueSite.tags(ids));
        assertThat(site.starts(ids)).containsExactlyInAnyOrderElementsOf(TorqueSite.tags(ids));
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void manyJobsEndInTheSameSecond() throws IOException {
        site.makeGate();
        List<String> ids = site.submit(user, MANY, "gate");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.witnessed(ids)).hasSize(MANY));
        site.openGate();
        // the service responds while they end
        SiteUser other = site.ce().user("Ben of faults");
        List<String> later = site.submit(other, 5, "exit 0");
        user.await(ids, "DONE-OK");
        other.await(later, "DONE-OK");
        allRanOnce(ids);
        assertThat(site.submissions(ids)).containsExactlyInAnyOrderElementsOf(TorqueSite.tags(ids));
    }

    @Test
    @Tag("long")
    void aBatchSystemThatHangsPausesTheHandOverAndNothingElse() throws IOException {
        List<String> before = site.submit(user, 2, "sleep 1");
        user.await(before, "DONE-OK");
        double killed = site.metric("ce_lrms_commands_total", "outcome=\"timed-out\"");
        site.torque().faults().hung();
        long since = System.nanoTime();
        List<String> ids = new ArrayList<>(site.submit(user, 10, "exit 0"));
        await().atMost(PATIENCE).until(BatchSystemFaultsIT::paused);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.page("/health/ready")).contains("hand-over pauses"));
        await().atMost(PATIENCE)
                .during(HANGS.minusNanos(System.nanoTime() - since))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> {
                    if (ids.size() < 20) {
                        ids.addAll(site.submit(user, 1, "exit 0"));
                    }
                    return user.states(ids).size() == ids.size()
                            && site.witnessed(ids).isEmpty();
                });
        // a command that hangs is killed with all it started
        await().atMost(PATIENCE).until(() -> site.metric("ce_lrms_commands_total", "outcome=\"timed-out\"") > killed);
        site.torque().faults().none();
        user.await(ids, "DONE-OK");
        assertThat(paused()).isFalse();
        allRanOnce(ids);
    }

    @Test
    void pollsThatFailMakeTheCeNotReadyThoughTheServerResponds() throws IOException {
        List<String> ids = site.submit(user, 1, "sleep 600");
        user.await(ids, "REALLY-RUNNING");
        site.torque().faults().jobsRefused(15033, "End of File");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(site.status("/health/ready")).isEqualTo(503);
            assertThat(site.page("/health/ready"))
                    .contains("polls failed, the last successful one was ", "End of File");
        });
        assertThat(site.metric("ce_lrms_polls_failed_total", "pbs")).isGreaterThanOrEqualTo(3);
        site.torque().faults().none();
        await().atMost(PATIENCE).until(() -> site.status("/health/ready") == 200);
        user.must("", "cancel", ids.get(0));
        user.await(ids, "CANCELLED");
    }

    @Test
    @Tag("long")
    void jobsWhoseResponsesAreLostAreFoundByTheirNames() throws IOException {
        site.torque().faults().responseLost(15033, "submit error (End of File)");
        List<String> ids = new ArrayList<>(site.submit(user, 5, "exit 0"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.submissions(ids)).hasSize(5));
        site.torque().faults().none();
        user.await(ids, "DONE-OK");
        site.torque().faults().answerHangs();
        List<String> hanging = site.submit(user, 3, "exit 0");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(site.submissions(hanging)).hasSize(3));
        site.torque().faults().none();
        user.await(hanging, "DONE-OK");
        ids.addAll(hanging);
        allRanOnce(ids);
        assertThat(site.submissions(ids)).containsExactlyInAnyOrderElementsOf(TorqueSite.tags(ids));
    }

    @Test
    @Tag("long")
    void aServerThatIsDownIsWaitedFor() throws IOException {
        List<String> ids = new ArrayList<>(site.submit(user, 2, "sleep 3"));
        user.await(ids, "REALLY-RUNNING");
        site.torque().kill();
        List<String> waiting = site.submit(user, 10, "exit 0");
        await().atMost(PATIENCE).until(BatchSystemFaultsIT::paused);
        // those that ran end without it
        user.await(ids, "DONE-OK");
        assertThat(site.witnessed(waiting)).isEmpty();
        site.torque().start();
        user.await(waiting, "DONE-OK");
        ids.addAll(waiting);
        allRanOnce(ids);
    }

    @Test
    void jobsThatAreForgottenAtTheirEndEndAsTheirWrappersSay() throws IOException {
        site.torque().settings().forgetsFinished(true);
        List<String> ids = site.submit(user, 5, "exit 0");
        List<String> failing = site.submit(user, 1, "exit 7");
        user.await(ids, "DONE-OK");
        user.await(failing, "DONE-OK");
        assertThat(user.info(failing.get(0)).path("exitCode").asText()).isEqualTo("7");
        await().atMost(PATIENCE).until(() -> site.shown("R").isEmpty());
        allRanOnce(ids);
    }

    @Test
    @Tag("long")
    void jobsThatGoOnShowingRunningAreOverAllTheSame() throws IOException {
        site.torque().settings().staleRunning(Duration.ofSeconds(40));
        List<String> ids = site.submit(user, 5, "exit 0");
        user.await(ids, "DONE-OK");
        long polls = site.torque().calls(TorqueProgram.QSTAT);
        assertThat(site.shown("R")).hasSize(5);
        // something to poll for
        user.await(site.submit(user, 1, "sleep 2"), "DONE-OK");
        await().atMost(PATIENCE).until(() -> site.torque().calls(TorqueProgram.QSTAT) > polls + 1);
        assertThat(user.states(ids).values()).containsOnly("DONE-OK");
        allRanOnce(ids);
    }
}
