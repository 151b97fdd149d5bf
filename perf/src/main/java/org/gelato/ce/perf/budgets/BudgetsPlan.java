package org.gelato.ce.perf.budgets;

import java.time.Duration;
import org.gelato.ce.perf.site.BatchKind;

/**
 * How the budgets are measured.
 *
 * @param jobs lives under load
 * @param clients at once under load
 * @param users whose proxies the clients have; at most as many as clients
 * @param alone lives one after another
 * @param warmUp lives before anything is counted
 * @param idle how long the CE is left alone, after that, to see what it costs without jobs
 */
public record BudgetsPlan(BatchKind batch, int jobs, int clients, int users, int alone, int warmUp, Duration idle) {
    /** Clients of the published measurements' heaviest case. */
    public static final int CLIENTS = 40;

    private static final int USERS = 5;
    private static final int ALONE = 5;
    private static final int WARM_UP = 50;
    // A period of the slowest clock that costs statements often, the heartbeat.
    private static final Duration IDLE = Duration.ofSeconds(20);

    public BudgetsPlan {
        if (jobs < 1 || clients < 1 || users < 1 || users > clients || alone < 1 || warmUp < 1) {
            throw new IllegalArgumentException("jobs, clients, users and warm-up must be at least 1");
        }
    }

    public static BudgetsPlan of(BatchKind batch, int jobs, int clients) {
        return new BudgetsPlan(batch, jobs, clients, Math.min(USERS, clients), ALONE, WARM_UP, IDLE);
    }
}
