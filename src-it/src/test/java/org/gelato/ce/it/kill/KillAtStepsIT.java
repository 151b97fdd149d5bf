package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.step.Step.*;
import static org.gelato.ce.it.kill.Victim.*;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.step.Step;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Kills at every numbered step: the CE is stopped there, the victim killed, the CE let go on or started again. One site for
 * all; what became of the jobs is asked at the end of each part and reckoned up in the last.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KillAtStepsIT {
    private static final int JOBS = 3;
    private static final int CANCELS = 2;

    /** -Dgelato.kill.victims=DATABASE,SLURM kills only these. */
    private static final String ONLY = System.getProperty("gelato.kill.victims", "");

    private static final Reckoning BOOKS = new Reckoning();
    private static final ExecutorService CLIENT = Executors.newSingleThreadExecutor();
    private static final Set<Step> KILLED_AT = EnumSet.noneOf(Step.class);
    private static final Deque<String> ENDED = new ArrayDeque<>();
    private static KillSite site;
    private static PatientClient alice;
    private static int kills;

    /** A step and what is killed there. */
    private record Kill(Step at, Victim victim) {}

    /** What a client does while it happens. */
    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    @BeforeAll
    static void start() {
        site = new KillSite("kill-steps");
        alice = site.client("Alice");
        alice.delegate("d");
    }

    @AfterAll
    static void stop() {
        CLIENT.shutdownNow();
        if (site != null) {
            site.close();
        }
    }

    private static List<Kill> at(Victim victim, Step... steps) {
        List<Kill> all = new ArrayList<>();
        for (Step s : steps) {
            all.add(new Kill(s, victim));
        }
        return all;
    }

    private static void kill(Kill kill, Action action) throws Exception {
        if (!isWanted(kill.victim())) {
            action.run();
            return;
        }
        site.arm(kill.at());
        Future<?> client = CLIENT.submit(() -> {
            action.run();
            return null;
        });
        try {
            site.awaitStop(kill.at());
            kill.victim().strike(site);
            client.get(5, TimeUnit.MINUTES);
            System.out.println("KillAtSteps: " + kill.victim() + " at " + kill.at() + " survived");
        } catch (Exception e) {
            throw new IllegalStateException(kill + " was not survived", e);
        }
        kills++;
        if (kill.victim() == CE) {
            KILLED_AT.add(kill.at());
        }
    }

    private static boolean isWanted(Victim victim) {
        return ONLY.isEmpty() || List.of(ONLY.split(",")).contains(victim.name());
    }

    private static void submit(int seconds, String end) {
        List<String> ids = alice.submit(JOBS, site.job(seconds), "d");
        BOOKS.expect(alice, ids, end);
        ENDED.addAll(ids);
    }

    @Test
    @Order(1)
    void atTheStepsOfSubmissionAndEvents() throws Exception {
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, REGISTER_STORED, START_STORED));
        all.addAll(at(DATABASE_CUT, START_WRITTEN, HAND_OVER_CLAIMED, OUTCOME_WRITTEN, EVENTS_WRITTEN));
        all.addAll(at(COMMIT_ANSWER, START_WRITTEN, CLAIM_WRITTEN, OUTCOME_WRITTEN, EVENTS_WRITTEN));
        all.addAll(at(DATABASE, REGISTER_CHECKED, CLAIM_WRITTEN, HAND_OVER_ANSWERED, OUTCOME_WRITTEN, EVENTS_WRITTEN));
        all.addAll(at(SLURM, HAND_OVER_CLAIMED, HAND_OVER_SENT, HAND_OVER_ANSWERED));
        all.addAll(at(HELPER, HAND_OVER_CLAIMED, HAND_OVER_SENT, EVENTS_STORED));
        all.addAll(at(WORKER, HAND_OVER_CLAIMED, HAND_OVER_SENT));
        all.addAll(at(CE, REGISTER_CHECKED, REGISTER_STORED, REGISTER_READY, START_WRITTEN, START_STORED));
        all.addAll(at(CE, CLAIM_WRITTEN, HAND_OVER_CLAIMED, HAND_OVER_SENT, HAND_OVER_ANSWERED));
        all.addAll(at(CE, OUTCOME_WRITTEN, OUTCOME_STORED, EVENTS_COLLECTED, EVENTS_WRITTEN, EVENTS_STORED));
        for (Kill kill : all) {
            kill(kill, () -> submit(0, Reckoning.RUNS));
        }
    }

    /** The look-up is only made of a job that an earlier process left in doubt. */
    @Test
    @Order(2)
    void atTheAnswerOfTheLookUp() throws Exception {
        site.arm(HAND_OVER_ANSWERED);
        Future<?> client = CLIENT.submit(() -> submit(0, Reckoning.RUNS));
        site.awaitStop(HAND_OVER_ANSWERED);
        site.ce().kill();
        site.release();
        site.arm(LOOK_UP_ANSWERED);
        ExecutorService starter = Executors.newSingleThreadExecutor();
        try {
            Future<?> neverReady = starter.submit(site::startCe);
            site.awaitStop(LOOK_UP_ANSWERED);
            site.ce().kill();
            assertThat(neverReady).failsWithin(Duration.ofMinutes(1));
        } finally {
            starter.shutdownNow();
        }
        site.release();
        site.startCe();
        client.get(5, TimeUnit.MINUTES);
        kills += 2;
        KILLED_AT.add(LOOK_UP_ANSWERED);
    }

    @Test
    @Order(3)
    void atTheStepsOfCancelling() throws Exception {
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, CANCEL_STORED));
        all.addAll(at(DATABASE_CUT, CANCEL_WRITTEN));
        all.addAll(at(COMMIT_ANSWER, CANCEL_WRITTEN));
        all.addAll(at(DATABASE, CANCEL_WRITTEN, CONTROL_ANSWERED));
        all.addAll(at(SLURM, CONTROL_CLAIMED, CONTROL_ANSWERED));
        all.addAll(at(HELPER, CONTROL_SENT));
        all.addAll(at(WORKER, CONTROL_SENT));
        all.addAll(at(CE, CANCEL_WRITTEN, CANCEL_STORED, CONTROL_CLAIMED, CONTROL_SENT, CONTROL_ANSWERED));
        List<String> ids = alice.submit(all.size() * CANCELS, site.job(900), "d");
        BOOKS.expect(alice, ids, "REALLY-RUNNING");
        assertThat(BOOKS.awaitEnds(false)).isEmpty();
        for (int i = 0; i < all.size(); i++) {
            List<String> some = ids.subList(i * CANCELS, (i + 1) * CANCELS);
            kill(all.get(i), () -> alice.cancel(some));
            BOOKS.expect(alice, some, Reckoning.CANCELLED);
        }
    }

    @Test
    @Order(4)
    void atTheStepsOfRenewal() throws Exception {
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, RENEW_REQUESTED, PROXY_STORED, PROXY_MARKED));
        all.addAll(at(DATABASE_CUT, PROXY_CHECKED, PROXY_FILE_WRITTEN));
        all.addAll(at(DATABASE, PROXY_CHECKED, PROXY_FILE_WRITTEN));
        all.addAll(at(HELPER, PROXY_STORED));
        all.addAll(at(WORKER, PROXY_STORED));
        all.addAll(at(CE, RENEW_REQUESTED, PROXY_CHECKED, PROXY_STORED, PROXY_FILE_WRITTEN, PROXY_MARKED));
        for (Kill kill : all) {
            kill(kill, () -> alice.renew("d"));
        }
    }

    @Test
    @Order(5)
    void atTheStepsOfPurging() throws Exception {
        assertThat(BOOKS.awaitEnds(false)).isEmpty();
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, PURGE_STORED));
        all.addAll(at(DATABASE_CUT, PURGE_WRITTEN, SANDBOX_RENAMED));
        all.addAll(at(COMMIT_ANSWER, PURGE_WRITTEN));
        all.addAll(at(DATABASE, PURGE_WRITTEN, SANDBOX_RENAMED));
        all.addAll(at(HELPER, PURGE_CLAIMED, ROWS_DELETED));
        all.addAll(at(WORKER, PURGE_CLAIMED));
        all.addAll(at(CE, PURGE_WRITTEN, PURGE_STORED, PURGE_CLAIMED, SANDBOX_RENAMED, ROWS_DELETED));
        for (Kill kill : all) {
            List<String> some = List.of(ENDED.remove(), ENDED.remove());
            kill(kill, () -> alice.purge(some));
            BOOKS.expect(alice, some, Reckoning.PURGED);
        }
    }

    @Test
    @Order(6)
    void nothingIsLostDoubledOrLeftBehind() {
        // What a living CE leaves to the next start, such as trash it could not remove, is gone after it.
        site.ce().stop();
        site.startCe();
        BOOKS.close("KillAtSteps", kills, site, false);
        if (isWanted(CE)) {
            assertThat(KILLED_AT).isEqualTo(EnumSet.allOf(Step.class));
        }
    }
}
