package org.gelato.ce.perf.budgets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Monitor;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.junit.jupiter.api.Test;

/**
 * Queued jobs, far more than there may be descriptors, and 40 clients on kept connections, under {@code ulimit -n 1024}: few descriptors,
 * and all works. 1000 jobs with {@code -Dgelato.test.long=true}, 5000 with {@code -Dgelato.soak.minutes}; otherwise 140 jobs of 20 clients.
 */
class DescriptorsIT {
    private static final boolean SHORT =
            !Boolean.getBoolean("gelato.test.long") && Long.getLong("gelato.soak.minutes", 0) == 0;
    private static final int MANY = Long.getLong("gelato.soak.minutes", 0) > 0 ? 5000 : 1000;
    private static final int QUEUED = SHORT ? 140 : MANY;
    private static final int CLIENTS = SHORT ? 20 : 40;
    private static final int USERS = 5;
    private static final int PER_CLIENT = QUEUED / CLIENTS;
    private static final int DESCRIPTORS_BELOW = 256;

    @Test
    void fewDescriptorsAreOpenHoweverManyJobsWait() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        // No slots: what is handed over stays queued.
        try (PerfSite site = PerfSite.start(SitePlan.of(BatchKind.STUB, 0));
                Monitor monitor = new Monitor(site)) {
            List<Client> clients = Client.open(site, CLIENTS, USERS);
            List<List<String>> jobs = each(threads, clients, client -> client.submit(PER_CLIENT));
            Lives.await("all jobs to be queued", () -> QUEUED - site.store().inState(JobState.IDLE));
            each(threads, clients, client -> operations(client, jobs.get(clients.indexOf(client))));
            // One job of each client is purged and a new one is there.
            Lives.await("the purges", () -> site.store().jobs() - QUEUED);
            assertThat(monitor.seen().descriptorsPeak())
                    .as("descriptors of the CE")
                    .isGreaterThan(CLIENTS)
                    .isLessThan(DESCRIPTORS_BELOW);
            assertThat(monitor.seen().jvmStarts()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Every kind of call there is for a user; a refusal fails. */
    private static Void operations(Client client, List<String> own) {
        List<String> first = own.subList(0, 1);
        assertThat(client.notEnded(own)).hasSize(PER_CLIENT);
        assertThat(client.ce().info(JobSelector.of(own)))
                .allMatch(a -> a.refusal().isEmpty());
        assertThat(client.ce().list()).containsAll(own);
        assertThat(client.ce()
                        .events(new EventSelector(0, null, Instant.EPOCH, null, List.of(), 100))
                        .events())
                .isNotEmpty();
        assertThat(client.ce().serviceInfo()).isNotNull();
        Client.accept(client.ce().suspend(JobSelector.of(first)));
        await(client, first, "HELD");
        Client.accept(client.ce().resume(JobSelector.of(first)));
        await(client, first, "IDLE");
        Client.accept(client.ce().cancel(JobSelector.of(first)));
        await(client, first, "CANCELLED");
        client.purge(first);
        client.renew();
        assertThat(client.submit(1)).hasSize(1);
        return null;
    }

    private static void await(Client client, List<String> ids, String state) {
        Lives.await(
                ids + " to become " + state,
                () -> client.ce().status(JobSelector.of(ids)).stream()
                        .filter(a -> a.value() == null || !a.value().name().equals(state))
                        .count());
    }

    /** Something one client does. */
    @FunctionalInterface
    private interface Work<T> {
        T of(Client client);
    }

    private static <T> List<T> each(ExecutorService threads, List<Client> clients, Work<T> work) throws Exception {
        List<Callable<T>> calls = new ArrayList<>();
        clients.forEach(client -> calls.add(() -> work.of(client)));
        List<T> results = new ArrayList<>();
        for (Future<T> future : threads.invokeAll(calls)) {
            results.add(future.get());
        }
        return results;
    }
}
