package org.gelato.ce.it.kill;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.gelato.ce.cli.wire.StatusReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills at random moments, under a stream of jobs of several clients that also cancel, renew and purge: six times, or with
 * {@code -Dgelato.soak.minutes=M} until M minutes or 200 kills are over. {@code -Dgelato.kill.seed=N} repeats the choice of
 * moments and victims. Its short form is {@code HistoriesIT}.
 */
@Tag("long")
class RandomKillsIT {
    private static final int CLIENTS = 3;
    private static final int FEW = 6;
    private static final int MANY = 200;
    private static final long LONGEST_PAUSE_MS = 2500;
    private static final List<String> CANCELLABLE = List.of("IDLE", "RUNNING", "REALLY-RUNNING");

    private final Reckoning books = new Reckoning();
    private final AtomicBoolean closing = new AtomicBoolean();

    @Test
    void nothingIsLostUnderLoad() throws Exception {
        long minutes = Long.getLong("gelato.soak.minutes", 0);
        long seed = Long.getLong("gelato.kill.seed", System.nanoTime());
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        System.out.println("RandomKills: -Dgelato.kill.seed=" + seed);
        Random random = new Random(seed);
        List<Victim> victims = List.copyOf(EnumSet.complementOf(EnumSet.of(Victim.COMMIT_ANSWER)));
        try (KillSite site = new KillSite("kill-random")) {
            ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
            int kills = 0;
            Instant lastSlurmKill = null;
            try {
                List<Future<?>> streams = new ArrayList<>();
                for (int c = 0; c < CLIENTS; c++) {
                    PatientClient client = site.client("Client " + c);
                    Random own = new Random(seed + c);
                    streams.add(pool.submit(() -> stream(site, client, own)));
                }
                while (kills < (minutes == 0 ? FEW : MANY) && (minutes == 0 || System.nanoTime() - end < 0)) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(LONGEST_PAUSE_MS)));
                    Victim victim = victims.get(random.nextInt(victims.size()));
                    System.out.println("RandomKills: kill " + ++kills + " " + victim);
                    victim.strike(site);
                    lastSlurmKill = victim == Victim.SLURM ? Instant.now() : lastSlurmKill;
                }
                closing.set(true);
                for (Future<?> s : streams) {
                    s.get(10, TimeUnit.MINUTES);
                }
            } finally {
                closing.set(true);
                pool.shutdownNow();
            }
            site.ce().stop();
            site.startCe();
            books.close("RandomKills", kills, site, lastSlurmKill);
            ModelReplay.of("RandomKills", site);
        }
    }

    /** Submits, cancels what was to be cancelled and can be, purges what has ended, renews; again and again. */
    private void stream(KillSite site, PatientClient client, Random random) {
        client.delegate("d");
        List<String> running = new ArrayList<>();
        List<String> doomed = new ArrayList<>();
        while (!closing.get()) {
            List<String> fresh = client.submit(1 + random.nextInt(3), site.job(random.nextInt(3)), "d");
            books.expect(client, fresh, Reckoning.RUNS);
            running.addAll(fresh);
            if (random.nextInt(3) == 0) {
                List<String> more = client.submit(1, site.job(900), "d");
                books.expect(client, more, Reckoning.CANCELLED);
                doomed.addAll(more);
            }
            doomed.removeAll(cancel(client, doomed));
            running.removeAll(purge(client, running));
            if (random.nextInt(4) == 0) {
                client.renew("d");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        while (!doomed.isEmpty()) {
            doomed.removeAll(cancel(client, doomed));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    /** Cancels those that can be now; returns them, and those that have ended. */
    static List<String> cancel(PatientClient client, List<String> doomed) {
        List<String> now = in(client, doomed, CANCELLABLE);
        if (!now.isEmpty()) {
            client.cancel(now);
        }
        List<String> over = new ArrayList<>(in(client, doomed, List.of("CANCELLED", "DONE-FAILED", "ABORTED")));
        over.addAll(now);
        return over;
    }

    private List<String> purge(PatientClient client, List<String> running) {
        List<String> some =
                in(client, running, List.of(Reckoning.RUNS)).stream().limit(2).toList();
        if (!some.isEmpty()) {
            client.purge(some);
            books.expect(client, some, Reckoning.PURGED);
        }
        return some;
    }

    private static List<String> in(PatientClient client, List<String> ids, Collection<String> states) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<String, StatusReport> all = client.states(ids);
        return all.entrySet().stream()
                .filter(e -> states.contains(e.getValue().name()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
    }
}
