package org.gelato.ce.perf.budgets;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.gelato.ce.perf.site.BatchKind;

/** What {@link BudgetsRun} measured, as numbers and as JSON. */
public final class BudgetsResult {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double HUNDREDTHS = 100;

    private final BudgetsPlan plan;
    private final Phase.Background background;
    private final Phase alone;
    private final Phase load;

    BudgetsResult(BudgetsPlan plan, Phase.Background background, Phase alone, Phase load) {
        this.plan = plan;
        this.background = background;
        this.alone = alone;
        this.load = load;
    }

    /** Every bound with its value. */
    public List<Budget> budgets() {
        return Budget.of(plan.batch(), alone, load);
    }

    /** The bounds that do not hold. */
    public List<Budget> broken() {
        return budgets().stream().filter(b -> !b.holds()).toList();
    }

    /** The whole: the phase under load on top, the other one as {@code alone}. */
    public ObjectNode json() {
        ObjectNode all = JSON.createObjectNode();
        fill(all, load);
        all.put("lrms", plan.batch().toString());
        all.put("clients", plan.clients());
        all.put("users", plan.users());
        all.put("mode", "under load");
        all.put("warm_up_jobs", plan.warmUp());
        all.put("commit", System.getProperty("gelato.perf.commit", "unknown"));
        all.put("processors", Runtime.getRuntime().availableProcessors());
        ObjectNode idle = all.putObject("idle");
        idle.put("seconds", plan.idle().toSeconds());
        idle.put("sql_per_second", rounded(background.sql()));
        idle.put("commits_per_second", rounded(background.commits()));
        fill(all.putObject("alone"), alone);
        for (Budget budget : budgets()) {
            ObjectNode one = all.withArray("/budgets").addObject();
            one.put("name", budget.name());
            one.put("measured", rounded(budget.measured()));
            one.put("bound", budget.bound());
            one.put("uncertain", rounded(budget.uncertain()));
            one.put("holds", budget.holds());
        }
        return all;
    }

    private void fill(ObjectNode to, Phase phase) {
        int jobs = phase.jobs();
        to.put("jobs", jobs);
        to.put("seconds", rounded(phase.counted().seconds()));
        to.put("sql_per_job", rounded(phase.sqlPerJob()));
        to.put("commits_per_job", rounded(phase.commitsPerJob()));
        to.put("process_starts_per_job", rounded(phase.processStartsPerJob()));
        to.put("jvm_process_starts", phase.seen().jvmStarts());
        to.put("descriptors_peak", phase.seen().descriptorsPeak());
        to.put("threads_peak", phase.seen().threadsPeak());
        to.put("rss_mib_peak", phase.seen().rssMibPeak());
        ObjectNode cpu = to.putObject("cpu_ms_per_job");
        cpu.put("jvm", rounded((double) phase.seen().jvmCpu() / jobs));
        cpu.put("database", rounded((double) phase.seen().databaseCpu() / jobs));
        cpu.put("helper", rounded((double) phase.seen().helperCpu() / jobs));
        cpu.put("batch_commands", rounded((double) phase.seen().commandCpu() / jobs));
        if (plan.batch() == BatchKind.STUB) {
            cpu.put("stub_in_jvm", rounded(phase.counted().stubCpuMillis() / jobs));
        }
        to.put("status_calls", phase.statusCalls());
        to.put("database_questions_per_job", rounded((double) phase.counted().databaseQuestions() / jobs));
        to.put("database_commits_per_job", rounded((double) phase.counted().databaseCommits() / jobs));
        to.put("worker_starts", phase.seen().workerStarts());
        if (!phase.counted().programs().isEmpty()) {
            to.put("process_starts_submitting", phase.submitting());
            to.put("process_starts_polls", phase.polls());
            ObjectNode programs = to.putObject("programs");
            phase.counted().programs().forEach(programs::put);
        }
        if (phase.counted().processStarts() != null) {
            to.put("process_starts_counted_by_ce", phase.counted().processStarts());
        }
    }

    private static double rounded(double value) {
        return Math.round(value * HUNDREDTHS) / HUNDREDTHS;
    }
}
