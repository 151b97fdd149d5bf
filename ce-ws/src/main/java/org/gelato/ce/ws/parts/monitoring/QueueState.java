package org.gelato.ce.ws.parts.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.ws.http.HealthCheck;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports queues of the configuration that the batch system does not have or that take no new jobs: in the log once per change,
 * and in the response of {@code /health/ready}. The CE is degraded and stays ready: jobs for other queues run. Says nothing
 * while the status of the batch system is unknown, nor about one that reports no queues.
 */
public final class QueueState implements HealthCheck {
    private static final Logger log = LoggerFactory.getLogger(QueueState.class);

    private final String lrms;
    private final List<String> queues;
    private final Supplier<Optional<ClusterStatus>> status;
    private String reported = "";

    /** @param queues the configured ones */
    public QueueState(String lrms, List<String> queues, Supplier<Optional<ClusterStatus>> status) {
        this.lrms = lrms;
        this.queues = List.copyOf(queues);
        this.status = status;
    }

    /** Logs what is wrong with queues, once. Called by one thread. */
    public void report() {
        if (status.get().isEmpty()) {
            return;
        }
        String now = String.join("; ", problems());
        if (!now.equals(reported)) {
            reported = now;
            if (now.isEmpty()) {
                log.info("{} has all queues of gelato.lrms.queues again", lrms);
            } else {
                log.error(
                        "{}; started jobs wait until the queue is there and open, and new ones for a queue that is missing are"
                                + " refused; or name other queues in gelato.lrms.queues",
                        now);
            }
        }
    }

    @Override
    public String name() {
        return "queues";
    }

    @Override
    public CompletableFuture<Outcome> check() {
        List<String> problems = problems();
        return CompletableFuture.completedFuture(
                problems.isEmpty()
                        ? new Outcome(true, status.get().isEmpty() ? "not yet read" : "as configured")
                        : Outcome.degraded(String.join("; ", problems)));
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        ClusterStatus now = status.get().orElse(ClusterStatus.UNKNOWN);
        if (now.queues().isEmpty()) {
            return problems;
        }
        String there = now.queues().stream().map(ClusterStatus.Queue::name).collect(Collectors.joining(", "));
        for (String queue : queues) {
            Optional<ClusterStatus.Queue> found = now.queue(queue);
            if (found.isEmpty()) {
                problems.add(lrms + " has no queue '" + queue + "', it has " + there);
            } else if (!found.get().accepts()) {
                problems.add("the queue '" + queue + "' of " + lrms + " takes no new jobs");
            }
        }
        return problems;
    }
}
