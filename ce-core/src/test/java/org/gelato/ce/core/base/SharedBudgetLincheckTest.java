package org.gelato.ce.core.base;

import org.gelato.ce.core.fixture.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StringGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls of several threads have a budget as if they came one after another: what one holder is refused costs no other. */
@Param(name = "holder", gen = StringGen.class, conf = "1:ab")
@Param(name = "units", gen = IntGen.class, conf = "1:4")
@Tag("lincheck")
public class SharedBudgetLincheckTest {
    private final SharedBudget budget = new SharedBudget(5, 3);

    /** Two holders have units, which operations give back. */
    public SharedBudgetLincheckTest() {
        budget.take("a", 2);
        budget.charge("c", 2);
    }

    /** What was refused, or nothing. */
    @Operation
    public String take(@Param(name = "holder") String holder, @Param(name = "units") int units) {
        return budget.take(holder, units).map(Object::toString).orElse("taken");
    }

    @Operation
    public void charge(@Param(name = "holder") String holder, @Param(name = "units") int units) {
        budget.charge(holder, units);
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
        Lincheck.check(SharedBudgetLincheckTest.class);
    }
}
