package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.command.LrmsPace.Verdict;
import org.junit.jupiter.api.Test;

/** The window and the pauses of one batch system, on a clock the test moves. */
class LrmsPaceTest {
    private static final Duration FAST = Duration.ofMillis(50);
    private static final HandOverLimits LIMITS =
            new HandOverLimits(40, Duration.ofSeconds(20), 50, -1, Duration.ofSeconds(5));

    private final FakeLrms lrms = new FakeLrms();
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // nanoTime may overflow
    private final LrmsPace pace = new LrmsPace(lrms, LIMITS, clock::get);

    private void pass(Duration d) {
        clock.addAndGet(d.toNanos());
    }

    /** Fills the window; answers how many that were. */
    private List<Long> fill(LrmsPace of) {
        List<Long> calls = new ArrayList<>();
        for (int room = of.room(); room > 0; room--) {
            calls.add(of.begin());
        }
        return calls;
    }

    private void round(Duration answer) {
        List<Long> calls = fill(pace);
        pass(answer);
        calls.forEach(c -> pace.good(c, true));
    }

    private void pauseByFaults() {
        for (int i = 0; i < 20 && pace.pausedBy() == null; i++) {
            List<Long> calls = fill(pace);
            pass(FAST);
            calls.forEach(c -> pace.fault(c, "slurmctld is down"));
        }
        assertThat(pace.pausedBy()).contains("slurmctld is down");
    }

    @Test
    void growsWithGoodAnswersUpToItsBound() {
        int first = pace.room();
        round(FAST);
        assertThat(pace.window()).isEqualTo(2 * first);
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        assertThat(pace.window()).isEqualTo(40);
        assertThat(pace.room()).isEqualTo(40);
    }

    @Test
    void staysWhereItIsWhileItIsNotUsed() {
        int first = pace.room();
        for (int i = 0; i < 50; i++) {
            long call = pace.begin();
            pass(FAST);
            pace.good(call, true);
        }
        assertThat(pace.window()).isEqualTo(first);
    }

    @Test
    void shrinksWhileAnswersGetSlower() {
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        int grown = pace.window();
        for (int i = 0; i < 10; i++) {
            round(Duration.ofSeconds(3));
        }
        assertThat(pace.window()).isLessThan(grown - 5);
        assertThat(pace.pausedBy()).isNull();
        int shrunk = pace.window();
        for (int i = 0; i < 5; i++) {
            round(FAST);
        }
        assertThat(pace.window()).isGreaterThan(shrunk);
    }

    @Test
    void aFaultHalvesOnceForAllThatWereUnderWay() {
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        List<Long> calls = fill(pace);
        pass(FAST);
        assertThat(pace.fault(calls.get(0), "busy")).isEqualTo(Verdict.OWN);
        assertThat(pace.window()).isEqualTo(20);
        assertThat(pace.fault(calls.get(1), "busy")).isEqualTo(Verdict.OWN);
        assertThat(pace.window()).isEqualTo(20);
        calls.subList(2, 40).forEach(c -> pace.good(c, true));
        assertThat(pace.window()).isBetween(20, 22); // beyond the last halving by one per round
        assertThat(pace.pausedBy()).isNull();
    }

    @Test
    void pausesWhenMostAnswersAreFaultsAndThenNoJobIsToBlame() {
        List<Long> calls = fill(pace);
        assertThat(pace.fault(calls.get(0), "down")).isEqualTo(Verdict.OWN);
        assertThat(pace.fault(calls.get(1), "down")).isEqualTo(Verdict.OWN);
        assertThat(pace.fault(calls.get(2), "down")).isEqualTo(Verdict.OF_LRMS);
        assertThat(pace.pausedBy()).contains("3 of the last 3 answers were faults", "down");
        assertThat(pace.room()).isZero();
        assertThat(pace.fault(calls.get(3), "down")).isEqualTo(Verdict.OF_LRMS);
    }

    @Test
    void faultsOfFewDoNotPause() {
        for (int i = 0; i < 100; i++) {
            List<Long> calls = fill(pace);
            pass(FAST);
            for (int c = 0; c < calls.size(); c++) {
                if (c % 3 == 0 && calls.size() > 1) {
                    pace.fault(calls.get(c), "quota of one account");
                } else {
                    pace.good(calls.get(c), true);
                }
            }
        }
        assertThat(pace.pausedBy()).isNull();
    }

    @Test
    void pausesWhenAnswersTakeTooLong() {
        for (int i = 0; i < 12 && pace.pausedBy() == null; i++) {
            List<Long> calls = fill(pace);
            pass(Duration.ofSeconds(25));
            calls.forEach(c -> pace.good(c, true));
        }
        assertThat(pace.pausedBy()).contains("answers take 25.0 s on average, at most 20.0 s");
    }

    @Test
    void pausesWhenAnAnswerStaysOut() {
        pace.begin();
        pass(Duration.ofSeconds(20));
        assertThat(pace.room()).isPositive();
        pass(Duration.ofSeconds(1));
        assertThat(pace.room()).isZero();
        assertThat(pace.pausedBy()).isEqualTo("no answer for 21.0 s, at most 20.0 s");
    }

    @Test
    void comesBackByHealthThenOneJobThenSlowly() {
        pauseByFaults();
        lrms.health(false, "slurmctld at c0 is DOWN");
        pass(Duration.ofMillis(4900));
        assertThat(pace.untilLook()).isEqualTo(Duration.ofMillis(100));
        assertThat(pace.room()).isZero();
        assertThat(pace.pausedBy()).contains("3 of the last");
        pass(Duration.ofMillis(100));
        assertThat(pace.room()).isZero();
        assertThat(pace.pausedBy()).isEqualTo("does not answer: slurmctld at c0 is DOWN");
        assertThat(pace.untilLook()).isEqualTo(Duration.ofSeconds(10));

        lrms.health(true, "up");
        pass(Duration.ofSeconds(10));
        assertThat(pace.room()).isEqualTo(1);
        long trial = pace.begin();
        assertThat(pace.room()).isZero();
        assertThat(pace.fault(trial, "still down")).isEqualTo(Verdict.TRIED);
        assertThat(pace.afterTrial()).isGreaterThan(pace.untilLook());
        assertThat(pace.untilLook()).isEqualTo(Duration.ofSeconds(20));

        pass(Duration.ofSeconds(20));
        assertThat(pace.room()).isEqualTo(1);
        trial = pace.begin();
        pass(FAST);
        pace.good(trial, true);
        assertThat(pace.pausedBy()).isNull();
        assertThat(pace.room()).isEqualTo(2);
        for (int i = 0; i < 4; i++) {
            int before = pace.window();
            round(FAST);
            assertThat(pace.window()).isBetween(before, before + 1);
        }
        assertThat(pace.window()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void theIntervalOfProbesHasAnEndAndBeginsAnewAfterASuccess() {
        pauseByFaults();
        lrms.health(false, "down");
        for (int i = 0; i < 20; i++) {
            pass(pace.untilLook());
            pace.room();
        }
        assertThat(pace.untilLook()).isEqualTo(Duration.ofMinutes(1));
        lrms.health(true, "up");
        pass(Duration.ofMinutes(1));
        assertThat(pace.room()).isEqualTo(1);
        pace.good(pace.begin(), true);
        for (int i = 0; i < 5; i++) {
            round(FAST);
        }
        pauseByFaults();
        assertThat(pace.untilLook()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void answersFromBeforeThePauseChangeNothingAfterIt() {
        List<Long> calls = fill(pace);
        pass(FAST);
        calls.subList(0, 3).forEach(c -> pace.fault(c, "down"));
        pass(Duration.ofSeconds(5));
        assertThat(pace.room()).isEqualTo(1);
        pace.good(calls.get(3), true);
        assertThat(pace.pausedBy()).isNotNull();
        pace.good(pace.begin(), true);
        assertThat(pace.pausedBy()).isNull();
        calls.subList(4, 8).forEach(c -> assertThat(pace.fault(c, "down")).isEqualTo(Verdict.OF_LRMS));
        assertThat(pace.pausedBy()).isNull();
    }

    @Test
    void aTrialWithoutAJobEndsThePauseButTheFirstFaultBringsItBack() {
        pauseByFaults();
        pass(Duration.ofSeconds(5));
        assertThat(pace.room()).isEqualTo(1);
        pace.nothingWaits();
        assertThat(pace.pausedBy()).isNull();
        assertThat(pace.room()).isEqualTo(1);
        assertThat(pace.fault(pace.begin(), "down again")).isEqualTo(Verdict.TRIED);
        assertThat(pace.pausedBy()).isEqualTo("down again");
        assertThat(pace.untilLook()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void pausesWhileTooManyJobsWaitInTheBatchSystem() {
        LrmsPace crowded = new LrmsPace(lrms, new HandOverLimits(40, LIMITS.slowestAnswer(), 50, 10, FAST), clock::get);
        crowded.queued(7);
        assertThat(crowded.room()).isEqualTo(3);
        fill(crowded).forEach(c -> crowded.good(c, true));
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
        assertThat(pace.roomForMany()).isEqualTo(40);
        List<Long> calls = fill(pace);
        assertThat(pace.roomForMany()).isZero();
        assertThat(pace.untilLook()).isNull();
        pass(FAST);
        pace.good(calls.get(0), true);
        assertThat(pace.room()).isEqualTo(1);
        assertThat(pace.roomForMany()).isZero();
        assertThat(pace.untilLook()).isEqualTo(FAST.dividedBy(4));
        pass(FAST.dividedBy(4).minusNanos(1));
        pace.good(calls.get(1), true);
        assertThat(pace.roomForMany()).isZero();
        pass(Duration.ofNanos(1));
        assertThat(pace.roomForMany()).isEqualTo(2);
        assertThat(pace.untilLook()).isNull();
        pace.begin();
        assertThat(pace.room()).isEqualTo(1);
        assertThat(pace.roomForMany()).isZero();
    }

    @Test
    void aQuarterOfTheWindowDoesNotWait() {
        for (int i = 0; i < 20; i++) {
            round(FAST);
        }
        List<Long> calls = fill(pace);
        pass(FAST);
        calls.subList(0, 9).forEach(c -> pace.good(c, true));
        assertThat(pace.roomForMany()).isZero();
        pace.good(calls.get(9), true);
        assertThat(pace.roomForMany()).isEqualTo(10);
        calls.subList(10, 40).forEach(c -> pace.good(c, true));
        assertThat(pace.begin()).isPositive();
        assertThat(pace.roomForMany()).isEqualTo(39);
    }

    @Test
    void nothingIsWaitedForWhenNothingIsUnderWay() {
        LrmsPace crowded = new LrmsPace(lrms, new HandOverLimits(40, LIMITS.slowestAnswer(), 50, 41, FAST), clock::get);
        for (int i = 0; i < 5; i++) {
            List<Long> calls = fill(crowded);
            pass(FAST);
            calls.forEach(c -> crowded.good(c, true));
            crowded.queued(0);
        }
        crowded.queued(39);
        assertThat(crowded.roomForMany()).isEqualTo(2);
        crowded.begin();
        assertThat(crowded.room()).isEqualTo(1);
        assertThat(crowded.roomForMany()).isZero();
    }
}
