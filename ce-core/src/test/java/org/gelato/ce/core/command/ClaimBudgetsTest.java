package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.gelato.ce.core.fixture.FakeLrms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Purges come bunch by bunch, and not while they are queued; starts too, while more wait than there is room for. */
class ClaimBudgetsTest {
    private static final CommandStore.Claim NOTHING = CommandStore.Claim.NOTHING;

    private final AtomicLong clock = new AtomicLong();
    private final ClaimBudgets lanes = new ClaimBudgets(Map.of(), 10, clock::get); // 40 places for purges

    @BeforeEach
    void nothingWaits() {
        lanes.looked(lanes.room(true), true, NOTHING);
    }

    @Test
    void theNextPurgesAreClaimedWhenMostOfTheLastAreDone() {
        ClaimBudgets.Places few = lanes.reserve(CommandKind.JOB_PURGE, 5).orElseThrow();
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 35);
        ClaimBudgets.Places one = lanes.reserve(CommandKind.JOB_PURGE, 1).orElseThrow();
        assertThat(lanes.room(true)).doesNotContainKey(Lane.PURGE).containsKey(Lane.CONTROL);
        one.taken(List.of());
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 35);
        few.taken(List.of());
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40);
    }

    private static ClaimedCommand purge(int number, int account) {
        return TestCommands.claimed(number, CommandKind.JOB_PURGE, account);
    }

    @Test
    void whatHangsLeavesItsPlaceAndPausesItsAccountAlone() {
        for (int i = 1; i <= 40; i++) {
            lanes.claimed(purge(i, 7));
        }
        assertThat(lanes.room(true)).doesNotContainKey(Lane.PURGE);
        clock.addAndGet(Duration.ofSeconds(21).toNanos());
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40);
        assertThat(lanes.pauses().paused())
                .extracting(ScopedPauses.Paused::text)
                .containsExactly("account acc7: a command has had no result for 21 s");
        assertThat(lanes.pauses().enter(purge(41, 8))).isNull();
        assertThat(lanes.pauses().enter(purge(42, 7)))
                .isInstanceOfSatisfying(
                        CommandOutcome.Later.class,
                        l -> assertThat(PauseScope.parse(l.lane())).contains(new PauseScope(Lane.PURGE, 7, 0)));
        lanes.completed(purge(1, 7));
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40);
        assertThat(lanes.longerThan(Duration.ofSeconds(20))).hasSize(39);
    }

    @Test
    void whatHangsIsNoMoreThanSomeTimesThePlaces() {
        for (int round = 0; round < 4; round++) {
            assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40);
            for (int i = 1; i <= 40; i++) {
                lanes.claimed(purge(100 * round + i, 10 + round));
            }
            clock.addAndGet(Duration.ofSeconds(21).toNanos());
        }
        assertThat(lanes.room(true)).doesNotContainKey(Lane.PURGE);
    }

    @Test
    void whatAPauseSetAsideSharesThePlacesOfItsLane() {
        lanes.pauses().hung(purge(1, 7), Duration.ofSeconds(21));
        CommandOutcome.Later aside = (CommandOutcome.Later) lanes.pauses().enter(purge(2, 7));
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40).doesNotContainKey(aside.lane());
        lanes.pauses().waits(aside);
        assertThat(lanes.room(true)).doesNotContainKey(aside.lane());
        clock.addAndGet(Duration.ofSeconds(5).toNanos());
        Map<String, Integer> room = lanes.room(true);
        assertThat(room).containsEntry(Lane.PURGE, 39).containsEntry(aside.lane(), 1);
        assertThat(lanes.hasRoomUnread()).isTrue();
        lanes.looked(room, true, NOTHING);
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40).doesNotContainKey(aside.lane());
    }

    @Test
    void aLaneIsStuckWhileAllItsPlacesAreTakenAndNothingIsCompleted() {
        Duration longest = Duration.ofMinutes(5);
        for (int i = 1; i <= 40; i++) {
            lanes.claimed(purge(i, 7));
            lanes.answered(purge(i, 7));
        }
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        lanes.room(true);
        clock.addAndGet(longest.toNanos());
        lanes.completed(purge(1, 7));
        lanes.claimed(purge(41, 7));
        lanes.room(true);
        assertThat(lanes.stuck(longest)).as("one was completed").isEmpty();
        clock.addAndGet(longest.toNanos() + 1);
        assertThat(lanes.stuck(longest)).containsOnlyKeys(Lane.PURGE);
        lanes.completed(purge(2, 7));
        assertThat(lanes.stuck(longest)).isEmpty();
    }

    /** A database that is away takes no results; nothing hangs at the accounts then. */
    @Test
    void aResultThatWaitsForTheDatabasePausesNoAccount() {
        for (int i = 1; i <= 40; i++) {
            lanes.claimed(purge(i, 7));
        }
        for (int i = 1; i <= 39; i++) {
            lanes.answered(purge(i, 7));
        }
        clock.addAndGet(Duration.ofSeconds(21).toNanos());
        lanes.answered(purge(40, 7));
        assertThat(lanes.room(true)).as("places").doesNotContainKey(Lane.PURGE);
        assertThat(lanes.pauses().paused()).isEmpty();
        assertThat(lanes.longerThan(Duration.ofSeconds(20))).isEmpty();
        for (int i = 1; i <= 40; i++) {
            lanes.completed(purge(i, 7));
        }
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40);
    }

    /** The first of several pauses that open again at once would take the only place, for as long as much waits in it. */
    @Test
    void pausesThatOpenAgainTakeTurnsWhereThereIsOnePlace() {
        SubmissionThrottle throttle = new SubmissionThrottle(
                new FakeLrms(), new HandOverLimits(1, Duration.ofSeconds(20), -1, Duration.ofSeconds(5)), clock::get);
        ClaimBudgets starts = new ClaimBudgets(Map.of("fake", throttle), 80, clock::get);
        List<String> names = new ArrayList<>();
        for (int account = 1; account <= 3; account++) {
            ClaimedCommand start = TestCommands.claimed(account, CommandKind.JOB_START, account);
            starts.pauses().hung(start, Duration.ofSeconds(21));
            CommandOutcome.Later aside = (CommandOutcome.Later) starts.pauses().enter(start);
            starts.pauses().waits(aside);
            names.add(aside.lane());
        }
        clock.addAndGet(Duration.ofSeconds(5).toNanos());
        Map<String, Integer> claims = new HashMap<>();
        for (int round = 0; round < 12; round++) {
            starts.room(true).forEach((lane, places) -> claims.merge(lane, places, Integer::sum));
        }
        names.forEach(name -> assertThat(claims).containsEntry(name, 2));
        assertThat(claims).containsEntry(Lane.handOver("fake"), 6);
    }

    @Test
    void aHeldLaneIsNotClaimedUntilTheLastHoldEnds() {
        AtomicInteger freed = new AtomicInteger();
        DirectClaims.Hold first = lanes.hold(CommandKind.JOB_PURGE, freed::incrementAndGet);
        DirectClaims.Hold second = lanes.hold(CommandKind.JOB_PURGE, freed::incrementAndGet);
        assertThat(lanes.room(true)).doesNotContainKey(Lane.PURGE).containsKey(Lane.CONTROL);
        assertThat(lanes.reserve(CommandKind.JOB_PURGE, 1)).isEmpty();
        first.close();
        assertThat(lanes.room(true)).doesNotContainKey(Lane.PURGE);
        second.close();
        assertThat(lanes.room(true)).containsEntry(Lane.PURGE, 40);
        assertThat(freed).hasValue(2);
    }

    @Test
    void lanesThatWereNotReadToTheirEndsAreLookedAtAgain() {
        assertThat(lanes.hasRoomUnread()).isFalse();
        assertThat(lanes.room(false)).isEmpty();
        lanes.looked(lanes.room(true), true, new CommandStore.Claim(List.of(), false, Map.of()));
        assertThat(lanes.hasRoomUnread()).isTrue();
        assertThat(lanes.room(false)).isEqualTo(lanes.room(true));
        lanes.looked(Map.of(Lane.PURGE, 1), false, NOTHING);
        assertThat(lanes.room(false)).containsOnlyKeys(Lane.CONTROL, Lane.OTHER);
        assertThat(lanes.reserve(CommandKind.JOB_PURGE, 1)).isPresent();
        assertThat(lanes.reserve(CommandKind.JOB_CANCEL, 1)).isEmpty();
    }

    @Test
    void startsThatWaitForPlacesAreClaimedInBunchesAndOthersAtOnce() {
        SubmissionThrottle throttle = new SubmissionThrottle(new FakeLrms(), HandOverLimits.DEFAULT, clock::get);
        ClaimBudgets starts = new ClaimBudgets(Map.of("fake", throttle), 80, clock::get);
        String lane = Lane.handOver("fake");
        for (int calls : new int[] {8, 16}) {
            assertThat(starts.room(true)).containsEntry(lane, calls);
            List<Long> begun = Stream.generate(throttle::begin).limit(calls).toList();
            clock.addAndGet(Duration.ofMillis(40).toNanos());
            begun.subList(0, calls == 16 ? 1 : calls).forEach(call -> throttle.succeeded(call, true));
        }
        Map<String, Integer> room = starts.room(true);
        assertThat(room).doesNotContainKey(lane).containsKey(Lane.CONTROL);
        starts.looked(room, true, NOTHING);
        assertThat(starts.hasRoomUnread()).isFalse();
        assertThat(starts.mayWait("fake")).isTrue();

        clock.addAndGet(Duration.ofMillis(10).toNanos());
        assertThat(starts.hasRoomUnread()).isTrue();
        room = starts.room(true);
        assertThat(room).containsEntry(lane, 2);
        starts.looked(room, true, NOTHING);
        throttle.begin();
        assertThat(starts.room(true)).containsEntry(lane, 1);
        assertThat(starts.reserve(CommandKind.JOB_START, 1)).isPresent();
    }
}
