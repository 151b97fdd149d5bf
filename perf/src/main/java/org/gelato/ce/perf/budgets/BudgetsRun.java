package org.gelato.ce.perf.budgets;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Monitor;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;

/**
 * The measurement: warm-up, jobs one by one, the CE left alone, jobs under load. Blocks until all is done and the site is
 * removed.
 */
public final class BudgetsRun {
    private BudgetsRun() {}

    /**
     * @throws org.gelato.ce.perf.site.NotPossibleException when it cannot be measured on this machine
     * @throws IllegalStateException when a job failed or anything was refused
     */
    public static BudgetsResult run(BudgetsPlan plan) {
        try (PerfSite site = PerfSite.start(SitePlan.of(plan.batch()))) {
            Lives lives = new Lives(site);
            List<Client> clients = Client.open(site, plan.clients(), plan.users());
            lives.underLoad(clients, plan.warmUp());
            // First: a minute after the CE's start its sweeps begin, which are many statements beside those of few
            // jobs.
            Phase oneByOne = measure(site, lives, plan.alone(), () -> lives.alone(clients.get(0), plan.alone()));
            Phase.Background background = background(site, plan.idle());
            Phase alone = oneByOne.beyond(background);
            Phase load = measure(site, lives, plan.jobs(), () -> lives.underLoad(clients, plan.jobs()));
            return new BudgetsResult(plan, background, alone, load);
        }
    }

    private static Phase.Background background(PerfSite site, Duration idle) {
        Counters before = Counters.of(site);
        try {
            TimeUnit.NANOSECONDS.sleep(idle.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        Counters counted = Counters.of(site).since(before);
        return new Phase.Background(counted.sql() / counted.seconds(), counted.commits() / counted.seconds());
    }

    private static Phase measure(PerfSite site, Lives lives, int jobs, Runnable work) {
        long calls = lives.statusCalls();
        Counters before = Counters.of(site);
        try (Monitor monitor = new Monitor(site)) {
            work.run();
            Monitor.Seen seen = monitor.seen();
            Counters counted = Counters.of(site).since(before);
            return new Phase(jobs, counted, seen, Phase.Background.NONE, lives.statusCalls() - calls);
        }
    }
}
