package org.gelato.ce.core.description;

import org.gelato.ce.core.fixture.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StringGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls of several threads have a budget as if they came one after another: what one caller is refused costs no other. */
@Param(name = "holder", gen = StringGen.class, conf = "1:ab")
@Param(name = "characters", gen = IntGen.class, conf = "1:4")
@Tag("lincheck")
public class ExpansionBudgetLincheckTest {
    private final ExpansionBudget budget = new ExpansionBudget(5, 3);

    public ExpansionBudgetLincheckTest() {
        budget.take("a", 2);
        budget.take("c", 2);
    }

    /** Whether it was taken. */
    @Operation
    public boolean take(@Param(name = "holder") String holder, @Param(name = "characters") int characters) {
        try {
            budget.take(holder, characters);
            return true;
        } catch (ExpansionBudget.ExhaustedException e) {
            return false;
        }
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
        Lincheck.check(ExpansionBudgetLincheckTest.class);
    }
}
