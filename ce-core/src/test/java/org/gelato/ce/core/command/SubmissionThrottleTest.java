package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.command.SubmissionThrottle.Verdict;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.lrms.Lrms;
import org.junit.jupiter.api.Test;

/** The window and the pauses of one batch system, on a clock the test moves. */
class SubmissionThrottleTest {
    private static final Duration FAST = Duration.ofMillis(50);
    private static final HandOverLimits LIMITS =
            new HandOverLimits(40, Duration.ofSeconds(20), -1, Duration.ofSeconds(5));

    private final FakeLrms lrms = new FakeLrms();
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // nanoTime may overflow
    private final SubmissionThrottle throttle = new SubmissionThrottle(lrms, LIMITS, clock::get);

    private void pass(Duration d) {
        clock.addAndGet(d.toNanos());
    }

    /** Fills the window; returns how many that were. */
    private List<Long> fill(SubmissionThrottle of) {
        List<Long> calls = new ArrayList<>();
        for (int room = of.room(); room > 0; room--) {
            calls.add(of.begin());
        }
        return calls;
    }

    private void round(Duration response) {
        List<Long> calls = fill(throttle);
        pass(response);
        calls.forEach(c -> throttle.succeeded(c, true));
    }

    /** The batch system does not respond to its probe after a fault. */
    private void pauseByFaults() {
        lrms.health(false, "slurmctld is down");
        pass(LIMITS.probeInterval());
        assertThat(throttle.failed(throttle.begin(), "no connection")).isEqualTo(Verdict.OF_LRMS);
        assertThat(throttle.pausedBy()).isEqualTo("does not respond: slurmctld is down");
        lrms.health(true, "up");
    }

    @Test
    void growsWithSuccessfulResultsUpToItsBound() {
        int first = throttle.room();
        round(FAST);
        assertThat(throttle.window()).isEqualTo(2 * first);
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        assertThat(throttle.window()).isEqualTo(40);
        assertThat(throttle.room()).isEqualTo(40);
    }

    @Test
    void staysWhereItIsWhileItIsNotUsed() {
        int first = throttle.room();
        for (int i = 0; i < 50; i++) {
            long call = throttle.begin();
            pass(FAST);
            throttle.succeeded(call, true);
        }
        assertThat(throttle.window()).isEqualTo(first);
    }

    @Test
    void shrinksWhileResultsGetSlower() {
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        int grown = throttle.window();
        for (int i = 0; i < 10; i++) {
            round(Duration.ofSeconds(3));
        }
        assertThat(throttle.window()).isLessThan(grown - 5);
        assertThat(throttle.pausedBy()).isNull();
        int shrunk = throttle.window();
        for (int i = 0; i < 5; i++) {
            round(FAST);
        }
        assertThat(throttle.window()).isGreaterThan(shrunk);
    }

    @Test
    void aBatchSystemThatHasBecomeSlowerForGoodIsUsedInFullAgain() {
        for (int i = 0; i < 20; i++) {
            round(Duration.ofMillis(600));
        }
        for (int i = 0; i < 20; i++) {
            round(Duration.ofMillis(1300));
        }
        assertThat(throttle.window()).isEqualTo(40);
    }

    @Test
    void aFaultHalvesOnceForAllThatWereUnderWay() {
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        List<Long> calls = fill(throttle);
        pass(FAST);
        assertThat(throttle.failed(calls.get(0), "busy")).isEqualTo(Verdict.OWN);
        assertThat(throttle.window()).isEqualTo(20);
        assertThat(throttle.failed(calls.get(1), "busy")).isEqualTo(Verdict.OWN);
        assertThat(throttle.window()).isEqualTo(20);
        calls.subList(2, 40).forEach(c -> throttle.succeeded(c, true));
        assertThat(throttle.window()).isBetween(20, 22); // beyond the last halving by one per round
        assertThat(throttle.pausedBy()).isNull();
    }

    @Test
    void aProbeThatFailsPausesAllAndThenNoJobIsToBlame() {
        List<Long> calls = fill(throttle);
        lrms.health(false, "down");
        assertThat(throttle.failed(calls.get(0), "connection refused")).isEqualTo(Verdict.OF_LRMS);
        assertThat(throttle.pausedBy()).isEqualTo("does not respond: down");
        assertThat(throttle.pauseCause()).isEqualTo(SubmissionThrottle.PauseCause.DOWN);
        assertThat(throttle.room()).isZero();
        assertThat(throttle.failed(calls.get(1), "connection refused")).isEqualTo(Verdict.OF_LRMS);
    }

    /** Every job would meet it, so it is no matter of a second job, nor of the batch system's health. */
    @Test
    void sandboxesWithoutRoomPauseAllAtOnce() {
        throttle.denied(throttle.begin(), "No space left on device", SubmissionThrottle.PauseCause.DISK_FULL);
        assertThat(throttle.pausedBy()).isEqualTo("No space left on device");
        assertThat(throttle.pauseCause()).isEqualTo(SubmissionThrottle.PauseCause.DISK_FULL);
        assertThat(throttle.room()).isZero();
    }

    @Test
    void faultsPauseNothingWhileTheBatchSystemRespondsToItsProbe() {
        for (int i = 0; i < 100; i++) {
            List<Long> calls = fill(throttle);
            assertThat(calls).isNotEmpty();
            pass(FAST);
            calls.forEach(c -> assertThat(throttle.failed(c, "unknown host, connection refused, temporarily unable"))
                    .isEqualTo(Verdict.OWN));
        }
        assertThat(throttle.pausedBy()).isNull();
        assertThat(throttle.room()).isPositive();
        assertThat(lrms.probes()).as("no more often than the interval").isLessThanOrEqualTo(2);
    }

    @Test
    void aHealthCheckThatTakesLongerThanFaultsComeApartCounts() {
        CompletableFuture<Lrms.Health> slow = lrms.slowHealth();
        for (int i = 0; i < 3; i++) {
            throttle.failed(throttle.begin(), "no connection");
            pass(LIMITS.probeInterval());
        }
        assertThat(lrms.probes()).isEqualTo(1);
        slow.complete(new Lrms.Health(false, "down"));
        assertThat(throttle.pausedBy()).isEqualTo("does not respond: down");
    }

    @Test
    void aHealthCheckFromBeforeThePauseSaysNothingOfTheProbe() {
        CompletableFuture<Lrms.Health> old = lrms.slowHealth();
        throttle.failed(throttle.begin(), "no connection");
        throttle.denied(throttle.begin(), "No space left on device", SubmissionThrottle.PauseCause.DISK_FULL);
        CompletableFuture<Lrms.Health> probe = lrms.slowHealth();
        pass(LIMITS.probeInterval());
        assertThat(throttle.room()).isZero();
        old.complete(new Lrms.Health(true, "up"));
        assertThat(throttle.room()).isZero();
        probe.complete(new Lrms.Health(true, "up"));
        assertThat(throttle.room()).isEqualTo(1);
    }

    @Test
    void pausesWhenResultsTakeTooLong() {
        for (int i = 0; i < 12 && throttle.pausedBy() == null; i++) {
            List<Long> calls = fill(throttle);
            pass(Duration.ofSeconds(25));
            calls.forEach(c -> throttle.succeeded(c, true));
        }
        assertThat(throttle.pausedBy()).contains("hand-overs take 25.0 s on average, at most 20.0 s");
    }

    @Test
    void pausesWhenAnAnswerStaysOut() {
        throttle.begin();
        pass(Duration.ofSeconds(20));
        assertThat(throttle.room()).isPositive();
        pass(Duration.ofSeconds(1));
        assertThat(throttle.room()).isZero();
        assertThat(throttle.pausedBy()).isEqualTo("no result for 21.0 s, at most 20.0 s");
    }

    @Test
    void whatHasNoResultDoesNotKeepItsPlaceBeyondThePause() {
        throttle.begin();
        throttle.begin();
        pass(Duration.ofSeconds(21));
        assertThat(throttle.room()).isZero();
        pass(Duration.ofSeconds(5));
        assertThat(throttle.room()).isEqualTo(1);
        long trial = throttle.begin();
        pass(FAST);
        throttle.succeeded(trial, true);
        assertThat(throttle.pausedBy()).isNull();
        assertThat(throttle.room()).isEqualTo(2);
        pass(Duration.ofDays(2));
        assertThat(throttle.room()).isEqualTo(2);
    }

    @Test
    void aTrialWithoutAResultEndsAndAnotherIsTried() {
        pauseByFaults();
        pass(Duration.ofSeconds(5));
        assertThat(throttle.room()).isEqualTo(1);
        long trial = throttle.begin();
        pass(Duration.ofSeconds(21));
        assertThat(throttle.room()).isZero();
        assertThat(throttle.pausedBy()).isEqualTo("no result for 21.0 s, at most 20.0 s");
        assertThat(throttle.untilNextClaim()).isEqualTo(Duration.ofSeconds(10));
        pass(Duration.ofSeconds(10));
        assertThat(throttle.room()).isEqualTo(1);
        assertThat(throttle.failed(trial, "killed at its timeout")).isEqualTo(Verdict.OF_LRMS);
        throttle.succeeded(throttle.begin(), true);
        assertThat(throttle.pausedBy()).isNull();
    }

    @Test
    void aTrialWhoseResultTakesTooLongEndsNoPause() {
        pauseByFaults();
        pass(Duration.ofSeconds(5));
        assertThat(throttle.room()).isEqualTo(1);
        long trial = throttle.begin();
        pass(Duration.ofSeconds(21));
        throttle.succeeded(trial, true);
        assertThat(throttle.pausedBy()).isEqualTo("a hand-over took 21.0 s, at most 20.0 s");
        pass(Duration.ofSeconds(10));
        assertThat(throttle.room()).isEqualTo(1);
        trial = throttle.begin();
        pass(Duration.ofSeconds(21));
        assertThat(throttle.failed(trial, "killed at its timeout")).isEqualTo(Verdict.TRIED);
        assertThat(throttle.pausedBy()).isEqualTo("killed at its timeout");
        assertThat(throttle.pauseCause()).isEqualTo(SubmissionThrottle.PauseCause.SLOW);
    }

    @Test
    void anotherIsTriedInThePlaceOfOneThatSaysNothing() {
        AtomicLong woken = new AtomicLong();
        throttle.onRoom(woken::incrementAndGet, () -> false);
        int room = throttle.room();
        throttle.withdrawn(throttle.begin());
        assertThat(woken).hasValue(1);
        assertThat(throttle.room()).isEqualTo(room);
    }

    @Test
    void oneThatNeverHasAResultIsForgotten() {
        throttle.begin();
        pass(FAST);
        throttle.succeeded(throttle.begin(), true);
        pass(Duration.ofHours(2));
        assertThat(throttle.room()).isPositive();
        assertThat(throttle.isRecovered()).isTrue();
    }

    @Test
    void oneThatHangsWhileLaterOnesHaveResultsIsNotTheBatchSystems() {
        long hung = throttle.begin();
        pass(FAST);
        throttle.succeeded(throttle.begin(), true);
        int window = throttle.window();
        assertThat(throttle.room()).isEqualTo(window - 1);
        pass(Duration.ofSeconds(21));
        assertThat(throttle.pausedBy()).isNull();
        assertThat(throttle.room()).isEqualTo(window);
        assertThat(throttle.failed(hung, "killed at its timeout")).isEqualTo(Verdict.OWN);
        assertThat(throttle.window()).isEqualTo(window);
    }

    @Test
    void anExplicitDenialPausesAtOnceAndEachTimeForLonger() {
        SubmissionThrottle scope = SubmissionThrottle.paused("one", LIMITS, clock::get, "over the limit");
        assertThat(scope.pausedBy()).isEqualTo("over the limit");
        assertThat(scope.room()).isZero();
        pass(Duration.ofSeconds(5));
        assertThat(scope.room()).isEqualTo(1);
        scope.denied(scope.begin(), "still over it", null);
        assertThat(scope.untilNextClaim()).isEqualTo(Duration.ofSeconds(10));
        pass(Duration.ofSeconds(10));
        assertThat(scope.room()).isEqualTo(1);
        scope.succeeded(scope.begin(), false);
        assertThat(scope.isRecovered()).isTrue();
        long next = scope.begin();
        assertThat(scope.isRecovered()).isFalse();
        scope.denied(next, "over the limit again", null);
        assertThat(scope.pausedBy()).isEqualTo("over the limit again");
        assertThat(scope.untilNextClaim()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void comesBackByHealthThenOneJobThenSlowly() {
        pauseByFaults();
        lrms.health(false, "slurmctld at c0 is DOWN");
        pass(Duration.ofMillis(4900));
        assertThat(throttle.untilNextClaim()).isEqualTo(Duration.ofMillis(100));
        assertThat(throttle.room()).isZero();
        assertThat(throttle.pausedBy()).isEqualTo("does not respond: slurmctld is down");
        pass(Duration.ofMillis(100));
        assertThat(throttle.room()).isZero();
        assertThat(throttle.pausedBy()).isEqualTo("does not respond: slurmctld at c0 is DOWN");
        assertThat(throttle.untilNextClaim()).isEqualTo(Duration.ofSeconds(10));

        lrms.health(true, "up");
        pass(Duration.ofSeconds(10));
        assertThat(throttle.room()).isEqualTo(1);
        long trial = throttle.begin();
        assertThat(throttle.room()).isZero();
        lrms.health(false, "down again");
        assertThat(throttle.failed(trial, "no connection")).isEqualTo(Verdict.OF_LRMS);
        assertThat(throttle.pausedBy()).isEqualTo("does not respond: down again");
        assertThat(throttle.untilNextClaim()).isEqualTo(Duration.ofSeconds(20));

        lrms.health(true, "up");
        pass(Duration.ofSeconds(20));
        assertThat(throttle.room()).isEqualTo(1);
        trial = throttle.begin();
        pass(FAST);
        throttle.succeeded(trial, true);
        assertThat(throttle.pausedBy()).isNull();
        assertThat(throttle.room()).isEqualTo(2);
        for (int i = 0; i < 4; i++) {
            int before = throttle.window();
            round(FAST);
            assertThat(throttle.window()).isBetween(before, before + 1);
        }
        assertThat(throttle.window()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void theIntervalOfProbesHasAnEndAndBeginsAnewAfterASuccess() {
        pauseByFaults();
        lrms.health(false, "down");
        for (int i = 0; i < 20; i++) {
            pass(throttle.untilNextClaim());
            throttle.room();
        }
        assertThat(throttle.untilNextClaim()).isEqualTo(Duration.ofMinutes(1));
        lrms.health(true, "up");
        pass(Duration.ofMinutes(1));
        assertThat(throttle.room()).isEqualTo(1);
        throttle.succeeded(throttle.begin(), true);
        for (int i = 0; i < 5; i++) {
            round(FAST);
        }
        pauseByFaults();
        assertThat(throttle.untilNextClaim()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void answersFromBeforeThePauseChangeNothingAfterIt() {
        List<Long> calls = fill(throttle);
        pauseByFaults();
        pass(Duration.ofSeconds(5));
        assertThat(throttle.room()).isEqualTo(1);
        throttle.succeeded(calls.get(0), true);
        assertThat(throttle.pausedBy()).isNotNull();
        throttle.succeeded(throttle.begin(), true);
        assertThat(throttle.pausedBy()).isNull();
        calls.subList(1, 8).forEach(c -> assertThat(throttle.failed(c, "down")).isEqualTo(Verdict.OF_LRMS));
        assertThat(throttle.pausedBy()).isNull();
    }

    @Test
    void aTrialWithoutAJobEndsThePause() {
        pauseByFaults();
        pass(Duration.ofSeconds(5));
        assertThat(throttle.room()).isEqualTo(1);
        throttle.nothingWaits();
        assertThat(throttle.pausedBy()).isNull();
        assertThat(throttle.room()).isEqualTo(1);
    }

    /** The batch system has just responded to its probe: what its first job met is that job's. */
    @Test
    void aTrialThatIsNotTakenEndsThePauseForTheOthers() {
        pauseByFaults();
        pass(Duration.ofSeconds(5));
        assertThat(throttle.room()).isEqualTo(1);
        assertThat(throttle.failed(throttle.begin(), "never asks for an unknown host class"))
                .isEqualTo(Verdict.OWN);
        assertThat(throttle.pausedBy()).isNull();
        assertThat(throttle.room()).isEqualTo(1);
    }

    @Test
    void pausesWhileTooManyJobsWaitInTheBatchSystem() {
        SubmissionThrottle crowded =
                new SubmissionThrottle(lrms, new HandOverLimits(40, LIMITS.slowestResponse(), 10, FAST), clock::get);
        crowded.queued(7);
        assertThat(crowded.room()).isEqualTo(3);
        fill(crowded).forEach(c -> crowded.succeeded(c, true));
        assertThat(crowded.room()).isZero();
        assertThat(crowded.pausedBy()).isEqualTo("10 jobs wait in fake, at most 10");
        crowded.queued(9);
        assertThat(crowded.room()).isZero();
        crowded.queued(8);
        assertThat(crowded.pausedBy()).isNull();
        assertThat(crowded.room()).isEqualTo(2);
    }

    @Test
    void aFewFreePlacesWaitForOthersForAQuarterOfAnAnswer() {
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        assertThat(throttle.roomForMany()).isEqualTo(40);
        List<Long> calls = fill(throttle);
        assertThat(throttle.roomForMany()).isZero();
        assertThat(throttle.untilNextClaim()).isNull();
        pass(FAST);
        throttle.succeeded(calls.get(0), true);
        assertThat(throttle.room()).isEqualTo(1);
        assertThat(throttle.roomForMany()).isZero();
        assertThat(throttle.untilNextClaim()).isEqualTo(FAST.dividedBy(4));
        pass(FAST.dividedBy(4).minusNanos(1));
        throttle.succeeded(calls.get(1), true);
        assertThat(throttle.roomForMany()).isZero();
        pass(Duration.ofNanos(1));
        assertThat(throttle.roomForMany()).isEqualTo(2);
        assertThat(throttle.untilNextClaim()).isNull();
        throttle.begin();
        assertThat(throttle.room()).isEqualTo(1);
        assertThat(throttle.roomForMany()).isZero();
    }

    @Test
    void aQuarterOfTheWindowDoesNotWait() {
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        List<Long> calls = fill(throttle);
        pass(FAST);
        calls.subList(0, 9).forEach(c -> throttle.succeeded(c, true));
        assertThat(throttle.roomForMany()).isZero();
        throttle.succeeded(calls.get(9), true);
        assertThat(throttle.roomForMany()).isEqualTo(10);
        calls.subList(10, 40).forEach(c -> throttle.succeeded(c, true));
        assertThat(throttle.begin()).isPositive();
        assertThat(throttle.roomForMany()).isEqualTo(39);
    }

    @Test
    void nothingIsWaitedForWhenNothingIsUnderWay() {
        SubmissionThrottle crowded =
                new SubmissionThrottle(lrms, new HandOverLimits(40, LIMITS.slowestResponse(), 41, FAST), clock::get);
        for (int i = 0; i < 5; i++) {
            List<Long> calls = fill(crowded);
            pass(FAST);
            calls.forEach(c -> crowded.succeeded(c, true));
            crowded.queued(0);
        }
        crowded.queued(39);
        assertThat(crowded.roomForMany()).isEqualTo(2);
        crowded.begin();
        assertThat(crowded.room()).isEqualTo(1);
        assertThat(crowded.roomForMany()).isZero();
    }
}
