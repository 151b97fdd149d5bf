package org.gelato.ce.ws.http;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.StringGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests of several threads have memory as if they came one after another: what one client is refused costs no other. */
@Param(name = "holder", gen = StringGen.class, conf = "1:ab")
@Param(name = "bytes", gen = IntGen.class, conf = "1:4")
@Tag("lincheck")
public class MemoryBudgetLincheckTest {
    private static final int TIMES = Boolean.getBoolean("gelato.test.long") ? 10 : 1;

    private final MemoryBudget budget = new MemoryBudget(5, 3);

    /** Two clients hold bytes, which operations give back. */
    public MemoryBudgetLincheckTest() {
        budget.take("a", 2);
        budget.charge("c", 2);
    }

    /** Whether it was taken. */
    @Operation
    public boolean take(@Param(name = "holder") String holder, @Param(name = "bytes") int bytes) {
        try {
            budget.take(holder, bytes);
            return true;
        } catch (MemoryBudget.Exhausted e) {
            return false;
        }
    }

    @Operation
    public void charge(@Param(name = "holder") String holder, @Param(name = "bytes") int bytes) {
        budget.charge(holder, bytes);
    }

    /** What was held from the beginning. */
    @Operation(runOnce = true)
    public void giveBackOwn() {
        budget.giveBack("a", 2);
    }

    @Operation(runOnce = true)
    public void giveBackOther() {
        budget.giveBack("c", 2);
    }

    @Operation
    public long held() {
        return budget.held();
    }

    @Test
    void isLinearizable() {
        new StressOptions()
                .iterations(5 * TIMES)
                .invocationsPerIteration(200 * TIMES)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(MemoryBudgetLincheckTest.class);
    }
}
