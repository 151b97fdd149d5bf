package org.gelato.ce.it.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.history.nemesis.Authority;
import org.gelato.ce.it.history.nemesis.HistorySite;
import org.gelato.ce.it.history.nemesis.Nemesis;

/** One history: the clients of a seed, under its faults, until all jobs have ended. */
final class HistoryRun {
    /** Three owners: one with both protocols, one with each; the last one shows tokens. */
    private static final List<String> OWNERS = List.of("Ann", "Ben", "Cid");

    private static final int DIGITS = 9;

    /** For the ends of all jobs. What a killed front end had claimed is free for the others after a minute and two heartbeats. */
    private static final int PATIENCE_MINUTES = 5;

    private final HistorySite site;
    private final HistoryLog log;
    private final Map<String, Portfolio> jobs = new HashMap<>();
    private final List<RandomClient> clients = new ArrayList<>();
    private final List<Closer> closers = new ArrayList<>();

    HistoryRun(HistorySite site, long seed, int jobsEach) {
        this.site = site;
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Authority> authorities = authorities(random.nextBoolean());
        log = new HistoryLog(seed, authorities);
        OWNERS.forEach(owner -> jobs.put(owner, new Portfolio()));
        for (int i = 0; i < OWNERS.size(); i++) {
            String owner = OWNERS.get(i);
            // users of earlier histories have jobs
            Supplier<Wallet> wallet =
                    () -> new Wallet(site, authorities.get(owner), owner + " " + Long.toHexString(seed));
            Portfolio foreign = jobs.get(OWNERS.get((i + 1) % OWNERS.size()));
            if (i != 2) {
                clients.add(client(owner, "cream2", new Cream2Client(wallet.get()), foreign, random.split(), jobsEach));
            }
            if (i != 1) {
                clients.add(
                        client(owner, "arcrest", new ArcRestClient(wallet.get()), foreign, random.split(), jobsEach));
            }
            closers.add(new Closer(owner, new Cream2Client(wallet.get()), log, jobs.get(owner)));
        }
    }

    /** One of the others has the CA that can be missed. */
    private static Map<String, Authority> authorities(boolean first) {
        return Map.of(
                OWNERS.get(0),
                first ? Authority.OTHER_CA : Authority.CA,
                OWNERS.get(1),
                first ? Authority.CA : Authority.OTHER_CA,
                OWNERS.get(2),
                Authority.ISSUER);
    }

    private RandomClient client(
            String owner, String protocol, CeClient ce, Portfolio foreign, SplittableRandom random, int most) {
        return new RandomClient(
                owner + "-" + protocol, owner, ce, log, jobs.get(owner), foreign, site::job, random, most);
    }

    /**
     * Runs it.
     *
     * @param earlier jobs of histories before it on this site
     * @param shortest how long clients work at least, in milliseconds
     */
    History run(List<Nemesis.Blow> blows, long shortest, Set<String> earlier) throws Exception {
        clients.forEach(RandomClient::delegate);
        ExecutorService pool = Executors.newFixedThreadPool(clients.size());
        try {
            work(pool, blows, shortest);
            Awaitility.await("the CE is ready again")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> site.first().ce().isReady());
            long patience = System.nanoTime() + TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
            all(pool, closers, closer -> closer.follow(patience));
            log.close();
            all(pool, closers, Closer::readAll);
        } finally {
            pool.shutdownNow();
        }
        Map<String, Integer> runs = new HashMap<>(site.runs());
        runs.keySet().removeAll(earlier);
        return log.history(runs, usage());
    }

    /** The usage records, by job. */
    private Map<String, History.Usage> usage() {
        Map<String, History.Usage> usage = new HashMap<>();
        for (String row : site.column("SELECT CONCAT_WS(' ', LPAD(job_number, " + DIGITS
                + ", '0'), state, running_at IS NOT NULL) FROM usage_record")) {
            String[] words = row.split(" ");
            usage.put(
                    "CREAM" + words[0],
                    new History.Usage(JobState.ofCode(Integer.parseInt(words[1])), words[2].equals("1")));
        }
        return usage;
    }

    private void work(ExecutorService pool, List<Nemesis.Blow> blows, long shortest) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> all = new ArrayList<>();
        clients.forEach(client -> all.add(pool.submit(() -> client.run(over::get))));
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(shortest);
            new Nemesis(site, log, blows).run();
            LockSupport.parkNanos(Math.max(0, end - System.nanoTime()));
        } finally {
            over.set(true);
        }
        await(all);
    }

    private static <T> void all(ExecutorService pool, List<T> each, Consumer<T> work) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        each.forEach(one -> all.add(pool.submit(() -> work.accept(one))));
        await(all);
    }

    private static void await(List<Future<?>> all) throws Exception {
        for (Future<?> f : all) {
            f.get(PATIENCE_MINUTES + 2, TimeUnit.MINUTES);
        }
    }
}
