package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.step.Step.*;
import static org.gelato.ce.it.kill.Victim.*;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.core.step.Step;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Kills at every numbered step: the CE is stopped there, the victim killed, the CE let go on or started again. One site for
 * all; the jobs' results are queried at the end of each part and checked in the last. The CE is killed at each step, every other victim
 * once, at the first of its steps; at all of them with {@code -Dgelato.test.long=true}.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KillAtStepsIT {
    private static final int JOBS = 3;
    private static final int FEW = 2;

    private static final boolean LONG = Boolean.getBoolean("gelato.test.long");

    /** -Dgelato.kill.victims=DATABASE,SLURM kills only these. */
    private static final String ONLY = System.getProperty("gelato.kill.victims", "");

    private static final Reckoning BOOKS = new Reckoning();
    private static final ExecutorService CALLS = Executors.newCachedThreadPool();
    private static final Set<Step> KILLED_AT = EnumSet.noneOf(Step.class);
    private static final Set<Victim> CHOSEN = EnumSet.noneOf(Victim.class);
    private static final Set<Victim> STRUCK = EnumSet.noneOf(Victim.class);
    /** Their submission was on its way when something was killed; all others must reach the batch system once. */
    private static final Set<String> ON_THEIR_WAY = new HashSet<>();

    private static final Deque<String> ENDED = new ArrayDeque<>();
    private static KillSite site;
    private static PatientClient alice;
    private static PatientClient otherAlice;
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
        otherAlice = site.client("Alice");
        otherAlice.delegate("e");
    }

    @AfterAll
    static void stop() {
        CALLS.shutdownNow();
        if (site != null) {
            site.close();
        }
    }

    private static List<Kill> at(Victim victim, Step... steps) {
        boolean once = victim != CE && !LONG;
        List<Kill> all = new ArrayList<>();
        for (Step s : steps) {
            if (!once || CHOSEN.add(victim)) {
                all.add(new Kill(s, victim));
            }
        }
        return all;
    }

    private static void kill(Kill kill, Action action) throws Exception {
        if (!isWanted(kill.victim())) {
            action.run();
            return;
        }
        site.arm(kill.at());
        Future<?> client = CALLS.submit(() -> {
            action.run();
            return null;
        });
        try {
            site.awaitStop(kill.at(), client);
            kill.victim().strike(site);
            client.get(5, TimeUnit.MINUTES);
            System.out.println("KillAtSteps: " + kill.victim() + " at " + kill.at() + " survived");
        } catch (Exception e) {
            throw new IllegalStateException(kill + " was not survived", e);
        }
        kills++;
        STRUCK.add(kill.victim());
        if (kill.victim() == CE) {
            KILLED_AT.add(kill.at());
        }
    }

    /** The CE is killed while one client's call is at one step and the other's at another. */
    private static void killCe(Step first, Action action, Step second, Action other) throws Exception {
        if (!isWanted(CE)) {
            action.run();
            other.run();
            return;
        }
        site.arm(first, second);
        Future<?> call = CALLS.submit(() -> {
            action.run();
            return null;
        });
        try {
            site.awaitStop(first, call);
            Future<?> otherCall = CALLS.submit(() -> {
                other.run();
                return null;
            });
            site.awaitStop(second, call, otherCall);
            CE.strike(site);
            call.get(5, TimeUnit.MINUTES);
            otherCall.get(5, TimeUnit.MINUTES);
            System.out.println("KillAtSteps: CE at " + first + " and " + second + " survived");
        } catch (Exception e) {
            throw new IllegalStateException("CE at " + first + " and " + second + " was not survived", e);
        }
        kills++;
        STRUCK.add(CE);
        KILLED_AT.add(first);
        KILLED_AT.add(second);
    }

    private static boolean isWanted(Victim victim) {
        return ONLY.isEmpty() || List.of(ONLY.split(",")).contains(victim.name());
    }

    private static List<String> submit() {
        List<String> ids = alice.submit(JOBS, site.job(0), "d");
        BOOKS.expect(alice, ids, Reckoning.RUNS);
        ENDED.addAll(ids);
        return ids;
    }

    @Test
    @Order(1)
    void atTheStepsOfSubmissionAndEvents() throws Exception {
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, REGISTER_STORED, START_STORED));
        all.addAll(
                at(DATABASE_CUT, REGISTER_WRITTEN, OUTCOME_WRITTEN, START_WRITTEN, HAND_OVER_CLAIMED, EVENTS_WRITTEN));
        all.addAll(at(COMMIT_ANSWER, START_WRITTEN, REGISTER_WRITTEN, OUTCOME_WRITTEN, EVENTS_WRITTEN));
        all.addAll(at(DATABASE, HAND_OVER_ANSWERED, REGISTER_CHECKED, REGISTER_WRITTEN, OUTCOME_WRITTEN));
        all.addAll(at(SLURM, HAND_OVER_SENT, HAND_OVER_ANSWERED));
        all.addAll(at(HELPER, HAND_OVER_SENT, HAND_OVER_CLAIMED, EVENTS_STORED));
        all.addAll(at(WORKER, HAND_OVER_SENT));
        all.addAll(at(SLURMRESTD, HAND_OVER_SENT, HAND_OVER_CLAIMED, HAND_OVER_ANSWERED));
        all.addAll(at(SLURMRESTD_STOPPED, HAND_OVER_SENT, HAND_OVER_CLAIMED));
        all.addAll(at(SLURM_STOPPED, HAND_OVER_SENT, HAND_OVER_CLAIMED));
        all.addAll(at(MUNGE_STOPPED, HAND_OVER_SENT, HAND_OVER_CLAIMED));
        all.addAll(at(
                CE,
                REGISTER_WRITTEN,
                HAND_OVER_CLAIMED,
                HAND_OVER_SENT,
                HAND_OVER_ANSWERED,
                OUTCOME_WRITTEN,
                OUTCOME_STORED));
        all.addAll(at(CE, EVENTS_COLLECTED, EVENTS_WRITTEN, EVENTS_STORED));
        for (Kill kill : all) {
            kill(kill, () -> {
                List<String> ids = submit();
                if (kill.at() == HAND_OVER_SENT || kill.victim() == SLURMRESTD_STOPPED) {
                    ON_THEIR_WAY.addAll(ids);
                }
            });
        }
    }

    /** The look-up is only made of a job that an earlier process left in doubt. */
    @Test
    @Order(2)
    void atTheAnswerOfTheLookUp() throws Exception {
        site.arm(HAND_OVER_ANSWERED);
        Future<?> client = CALLS.submit(KillAtStepsIT::submit);
        site.awaitStop(HAND_OVER_ANSWERED);
        site.ce().kill();
        site.release();
        // The job runs meanwhile: its events wait, or they already report what the look-up is to find and none is made.
        site.arm(LOOK_UP_ANSWERED, EVENTS_COLLECTED);
        ExecutorService starter = Executors.newSingleThreadExecutor();
        try {
            Future<?> start = starter.submit(site::startCe);
            site.awaitStop(LOOK_UP_ANSWERED);
            site.ce().kill();
            // The look-up may come before the CE is ready or after.
            Awaitility.await("the end of the start").until(start::isDone);
        } finally {
            starter.shutdownNow();
        }
        site.release();
        site.startCe();
        client.get(5, TimeUnit.MINUTES);
        kills += 2;
        STRUCK.add(CE);
        KILLED_AT.add(LOOK_UP_ANSWERED);
    }

    /**
     * Another client renews meanwhile. A registration that was stored without a response is repeated by the client, and
     * gives the same jobs: the last part finds no others.
     */
    @Test
    @Order(3)
    void atTheStepsOfRegistrationAndRenewal() throws Exception {
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, RENEW_REQUESTED, PROXY_STORED));
        all.addAll(at(DATABASE_CUT, PROXY_CHECKED, PROXY_FILE_WRITTEN));
        all.addAll(at(DATABASE, PROXY_FILE_WRITTEN));
        all.addAll(at(HELPER, PROXY_STORED));
        for (Kill kill : all) {
            kill(kill, () -> alice.renew("d"));
        }
        List<Step> first = List.of(REGISTER_CHECKED, REGISTER_STORED, REGISTER_READY, START_WRITTEN, START_STORED);
        List<Step> second = List.of(RENEW_REQUESTED, PROXY_CHECKED, PROXY_STORED, PROXY_FILE_WRITTEN, PROXY_MARKED);
        for (int i = 0; i < first.size(); i++) {
            killCe(first.get(i), KillAtStepsIT::submit, second.get(i), () -> otherAlice.renew("e"));
        }
    }

    /** The CE is killed while other jobs are purged. */
    @Test
    @Order(4)
    void atTheStepsOfCancellingAndPurging() throws Exception {
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, CANCEL_STORED));
        all.addAll(at(DATABASE_CUT, CANCEL_WRITTEN));
        all.addAll(at(COMMIT_ANSWER, CANCEL_WRITTEN, CLAIM_WRITTEN));
        all.addAll(at(DATABASE, CONTROL_ANSWERED));
        all.addAll(at(SLURM, CONTROL_CLAIMED));
        all.addAll(at(HELPER, CONTROL_SENT));
        all.addAll(at(SLURMRESTD, CONTROL_CLAIMED, CONTROL_SENT));
        all.addAll(at(SLURMRESTD_STOPPED, CONTROL_CLAIMED));
        all.addAll(at(CE, CLAIM_WRITTEN));
        List<Step> first = List.of(CANCEL_WRITTEN, CANCEL_STORED, CONTROL_CLAIMED, CONTROL_SENT, CONTROL_ANSWERED);
        List<Step> second = List.of(ROWS_DELETED, SANDBOX_RENAMED, PURGE_WRITTEN, PURGE_STORED, PURGE_CLAIMED);
        List<String> ids = alice.submit((all.size() + first.size()) * FEW, site.job(900), "d");
        BOOKS.expect(alice, ids, "REALLY-RUNNING");
        assertThat(BOOKS.awaitEnds()).isEmpty();
        Deque<String> running = new ArrayDeque<>(ids);
        for (Kill kill : all) {
            List<String> some = some(running);
            kill(kill, () -> alice.cancel(some));
            BOOKS.expect(alice, some, Reckoning.CANCELLED);
        }
        for (int i = 0; i < first.size(); i++) {
            List<String> some = some(running);
            List<String> purged = some(ENDED);
            killCe(first.get(i), () -> alice.cancel(some), second.get(i), () -> otherAlice.purge(purged));
            BOOKS.expect(alice, some, Reckoning.CANCELLED);
            BOOKS.expect(alice, purged, Reckoning.PURGED);
        }
    }

    @Test
    @Order(5)
    void atTheStepsOfPurging() throws Exception {
        List<Kill> all = new ArrayList<>();
        all.addAll(at(CLIENTS, PURGE_STORED));
        all.addAll(at(DATABASE_CUT, SANDBOX_RENAMED));
        all.addAll(at(COMMIT_ANSWER, PURGE_WRITTEN));
        all.addAll(at(DATABASE, SANDBOX_RENAMED));
        all.addAll(at(HELPER, PURGE_CLAIMED, ROWS_DELETED));
        for (Kill kill : all) {
            List<String> some = some(ENDED);
            kill(kill, () -> alice.purge(some));
            BOOKS.expect(alice, some, Reckoning.PURGED);
        }
    }

    private static List<String> some(Deque<String> ids) {
        List<String> some = new ArrayList<>();
        while (some.size() < FEW) {
            some.add(ids.remove());
        }
        return some;
    }

    @Test
    @Order(6)
    void nothingIsLostDoubledOrLeftBehind() {
        // What a living CE leaves to the next start, such as trash it could not remove, is gone after it.
        site.ce().stop();
        site.startCe();
        assertThat(BOOKS.close("KillAtSteps", kills, site, null))
                .as("registrations without a response")
                .isZero();
        assertThat(site.submissions())
                .as("submissions of each job")
                .allSatisfy((id, times) -> assertThat(ON_THEIR_WAY.contains(id) || times == 1)
                        .as(id)
                        .isTrue());
        if (isWanted(CE)) {
            assertThat(KILLED_AT)
                    .as("DeferredPurgeKillTest has the others")
                    .isEqualTo(EnumSet.range(REGISTER_CHECKED, ROWS_DELETED));
        }
        if (ONLY.isEmpty()) {
            assertThat(STRUCK).isEqualTo(EnumSet.allOf(Victim.class));
        }
        ModelReplay.of("KillAtSteps", site);
    }
}
