package org.gelato.ce.perf.budgets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.gelato.ce.perf.site.BatchKind;
import org.junit.jupiter.api.Test;

/** The counts of docs/developer/design.md section 9 hold on a whole CE without computers behind it; times are not measured. */
class BudgetsIT {
    private static final int JOBS = 120;

    @Test
    void aJobsLifeIsWithinTheBudgets() {
        BudgetsResult result = BudgetsRun.run(BudgetsPlan.of(BatchKind.STUB, JOBS, BudgetsPlan.CLIENTS));
        ObjectNode json = result.json();
        // What counts nothing holds every budget.
        assertThat(json.path("sql_per_job").asDouble()).as("%s", json).isGreaterThan(1);
        assertThat(json.path("commits_per_job").asDouble()).as("%s", json).isPositive();
        assertThat(json.path("database_commits_per_job").asDouble())
                .as("the server counts commits as the CE does: %s", json)
                .isBetween(
                        0.9 * json.path("commits_per_job").asDouble(),
                        1.1 * json.path("commits_per_job").asDouble());
        assertThat(result.broken()).as("%s", json).isEmpty();
    }
}
