package org.gelato.ce.perf.budgets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.NotPossibleException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same with a real Slurm: no process per job with slurmrestd, one without, which is sbatch. */
@Tag("long")
class BudgetsSlurmIT {
    private static final int JOBS = 300;

    @Test
    void aJobsLifeIsWithinTheBudgets() {
        BudgetsResult result;
        try {
            result = BudgetsRun.run(BudgetsPlan.of(BatchKind.SLURM, JOBS, BudgetsPlan.CLIENTS));
        } catch (NotPossibleException e) {
            Assumptions.abort(e.getMessage());
            return;
        }
        ObjectNode json = result.json();
        assertThat(json.at("/programs/sbatch").asInt())
                .as("%s", json)
                .isEqualTo(Files.isExecutable(SlurmConfig.DEFAULT.restDaemon()) ? 0 : JOBS);
        assertThat(result.broken()).as("%s", json).isEmpty();
    }
}
