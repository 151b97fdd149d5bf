package org.gelato.ce.perf.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.site.PerfSite;

/**
 * Job lives from register to purge: JobRegister and JobStart of one job each, its three state changes, JobPurge of one job.
 * Returns when the CE has forgotten the jobs, so that nothing of a life is left to do.
 */
public final class Lives {
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final PerfSite site;
    private final LongAdder statusCalls = new LongAdder();

    public Lives(PerfSite site) {
        this.site = site;
    }

    /** JobStatus calls made so far. */
    public long statusCalls() {
        return statusCalls.sum();
    }

    /** One job after another by one client. The ends are seen in the database, so that waiting costs the CE nothing. */
    public void alone(Client client, int jobs) {
        for (int i = 0; i < jobs; i++) {
            List<String> id = client.submit(1);
            await("the end of " + id, site.store()::notEnded);
            if (site.store().inState(JobState.DONE_OK) != 1) {
                throw new IllegalStateException(id + " did not end as DONE-OK");
            }
            client.purge(id);
            await("the purge of " + id, site.store()::jobs);
        }
    }

    /**
     * Many jobs by many clients at once, each client with its share. When all have ended according to the database, each
     * client requests the states of its jobs in one call, then purges them one by one.
     */
    public void underLoad(List<Client> clients, int jobs) {
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            AtomicInteger left = new AtomicInteger(jobs);
            Map<Client, List<String>> shares = new ConcurrentHashMap<>();
            each(threads, clients, client -> shares.put(client, share(client, left)));
            await("the end of all jobs", site.store()::notEnded);
            each(threads, clients, client -> check(client, shares.get(client)));
        } finally {
            threads.shutdownNow();
        }
        await("the purge of all jobs", site.store()::jobs);
    }

    private static void each(ExecutorService threads, List<Client> clients, Consumer<Client> work) {
        try {
            for (Future<Object> done : threads.invokeAll(clients.stream()
                    .map(client -> Executors.callable(() -> work.accept(client)))
                    .toList())) {
                done.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed: " + e.getCause().getMessage(), e.getCause());
        }
    }

    private static List<String> share(Client client, AtomicInteger left) {
        List<String> ids = new ArrayList<>();
        while (left.getAndDecrement() > 0) {
            ids.addAll(client.submit(1));
        }
        return ids;
    }

    private void check(Client client, List<String> ids) {
        if (ids.isEmpty()) {
            return;
        }
        statusCalls.increment();
        List<String> running = client.notEnded(ids);
        if (!running.isEmpty()) {
            throw new IllegalStateException("ended in the database, but not in JobStatus: " + running);
        }
        ids.forEach(id -> client.purge(List.of(id)));
    }

    /** Waits until a number is 0. */
    public static void await(String what, LongSupplier number) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (number.getAsLong() != 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited " + LONGEST + " in vain for " + what);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }
}
