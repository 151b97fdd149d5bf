package org.gelato.ce.core.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the threads of a node share of the queue behaves as if their calls came one after another. */
@Tag("long")
@Tag("lincheck")
class QueuesLincheckTest {
    /** Turns of owners. */
    @Param(name = "owner", gen = IntGen.class, conf = "1:2")
    @Param(name = "turn", gen = IntGen.class, conf = "1:4")
    public static class Turns {
        private final FairQueue queue = new FairQueue();

        @Operation
        public long next(@Param(name = "owner") int owner) {
            return queue.next("lane", owner, owner == 1 ? "vo" : "");
        }

        @Operation
        public void served(@Param(name = "turn") int turn) {
            queue.served("lane", turn);
        }

        @Operation
        public void queued(@Param(name = "owner") int owner, @Param(name = "turn") int turn) {
            queue.queued("lane", owner, owner == 1 ? "vo" : "", turn);
        }
    }

    /** Places of a lane. */
    @Param(name = "command", gen = IntGen.class, conf = "1:2")
    public static class Places {
        private final ClaimBudgets budgets = new ClaimBudgets(Map.of(), 8, () -> 0L);

        public Places() {
            budgets.looked(budgets.room(true), true, CommandStore.Claim.NOTHING);
        }

        private static ClaimedCommand command(int number) {
            return TestCommands.claimed(number, CommandKind.JOB_CANCEL, 7);
        }

        /** A reservation that ends at once: either there was room, or not. */
        @Operation
        public boolean reserve(@Param(gen = IntGen.class, conf = "1:2") int count) {
            Optional<ClaimBudgets.Places> places = budgets.reserve(CommandKind.JOB_CANCEL, count);
            return places.isPresent();
        }

        @Operation
        public void claimed(@Param(name = "command") int number) {
            budgets.claimed(command(number));
        }

        @Operation
        public boolean completed(@Param(name = "command") int number) {
            return budgets.completed(command(number));
        }

        @Operation
        public int inFlight() {
            return budgets.inFlight();
        }

        @Operation
        public Integer room() {
            return budgets.room(true).get(Lane.CONTROL);
        }
    }

    /** Hand-overs to a batch system. */
    public static class Throttle {
        private final SubmissionThrottle throttle =
                new SubmissionThrottle(new FakeLrms(), HandOverLimits.DEFAULT, () -> 0L);
        private final List<Long> begun = new ArrayList<>();

        public Throttle() {
            begun.add(throttle.begin());
            begun.add(throttle.begin());
        }

        @Operation
        public long begin() {
            return throttle.begin();
        }

        @Operation
        public void succeeded(@Param(gen = IntGen.class, conf = "0:1") int call) {
            throttle.succeeded(begun.get(call), true);
        }

        @Operation
        public String failed(@Param(gen = IntGen.class, conf = "0:1") int call) {
            return throttle.failed(begun.get(call), "down").name();
        }

        @Operation
        public int room() {
            return throttle.room();
        }

        @Operation
        public String pausedBy() {
            return throttle.pausedBy();
        }
    }

    @Test
    void turnsAreLinearizable() {
        Lincheck.check(Turns.class);
    }

    @Test
    void placesAreLinearizable() {
        Lincheck.check(Places.class);
    }

    @Test
    void throttleIsLinearizable() {
        Lincheck.check(Throttle.class);
    }
}
