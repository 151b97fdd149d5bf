package org.gelato.ce.it.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.gelato.ce.it.fault.SmallDisk;
import org.gelato.ce.it.history.nemesis.FaultKind;
import org.gelato.ce.it.history.nemesis.HistorySite;
import org.gelato.ce.it.history.nemesis.Nemesis;
import org.gelato.ce.it.kill.KillableSlurm;
import org.gelato.ce.it.kill.Reckoning;
import org.gelato.ce.it.kill.ReliabilityRuns;
import org.gelato.ce.it.site.BatchSite;
import org.gelato.ce.it.site.DatabaseSite;
import org.junit.jupiter.api.Test;

/**
 * Clients of several owners and both protocols under faults: a model explains all that they see. One seed with the same faults each
 * time, or with {@code -Dgelato.soak.minutes=M} random ones for M minutes; {@code -Dgelato.history.seed=N} repeats one of those: its
 * number of front ends, faults, and what each client does next. {@code -Dgelato.history.keep=true} writes also histories without a
 * violation. With {@code -Dgelato.history.older=DIRECTORY} the second front end is that of a clone of older software until the middle of
 * each history, then it is upgraded. {@code -Dgelato.history.record=true} adds the run to docs/developer/reliability-runs.md.
 */
public class HistoriesIT {
    private static final long MINUTES = Long.getLong("gelato.soak.minutes", 0);
    private static final Long SEED = Long.getLong("gelato.history.seed");
    private static final long FIXED = 4;
    /** Whether histories without a violation are written, too. */
    private static final boolean KEEP = Boolean.getBoolean("gelato.history.keep");

    /** A clone of older software that was built, to run beside. */
    private static final String OLDER = System.getProperty("gelato.history.older");

    private static final boolean RECORD = Boolean.getBoolean("gelato.history.record");

    private static final int FAULTS = 12;
    /** For the data of a database, and not much more. */
    private static final int DISK_MIB = 384;
    /** Violations of a history that are printed; its file has all. */
    private static final int PRINTED = 5;

    private static final int ROUNDS_OF_A_SITE = 5;
    private static final int JOBS_EACH = 40;
    private static final int FEW_JOBS_EACH = 8;
    private static final long SHORTEST_MS = 25_000;
    private static final long SHORTEST_OF_FEW_MS = 6_000;
    private static final long SEEDS_OF_A_RUN = 10_000;
    private static final Path FOLDER = Path.of("target", "history");

    private final Map<Integer, Books> books = new TreeMap<>();

    /** What was run with a number of front ends. */
    private static final class Books {
        private final List<Long> seeds = new ArrayList<>();
        private final Map<String, Long> faults = new TreeMap<>();
        private final List<Violation> found = new ArrayList<>();
        private int jobs;
        private long operations;
        private long unknown;

        private long found(Violation.Kind kind) {
            return found.stream().filter(v -> v.kind() == kind).count();
        }

        private long unexplained() {
            return found.size() - found(Violation.Kind.LOST) - found(Violation.Kind.DOUBLED);
        }

        private long sum() {
            return faults.values().stream().mapToLong(Long::longValue).sum();
        }

        private ReliabilityRuns.Run run(String test, String batchSystem, int frontEnds) {
            long first = seeds.get(0);
            String range = first + (seeds.size() == 1 ? "" : " … " + seeds.get(seeds.size() - 1));
            return new ReliabilityRuns.Run(
                    LocalDate.now(ZoneOffset.UTC).toString(),
                    List.of(
                            "`" + test + "`",
                            batchSystem,
                            OLDER == null ? Integer.toString(frontEnds) : "2, " + older(),
                            range),
                    operations,
                    jobs,
                    faults,
                    found(Violation.Kind.LOST),
                    found(Violation.Kind.DOUBLED),
                    unexplained());
        }
    }

    /** Starts the batch system of a site. */
    protected BatchSite batchSite() {
        return new KillableSlurm();
    }

    /** Starts the database of a site; null for one server, on a disk of its own. */
    protected Supplier<DatabaseSite> databaseSite() {
        return null;
    }

    /** Its name for people. */
    protected String batchSystem() {
        return "Slurm";
    }

    @Test
    protected void everyAnswerIsExplained() throws Exception {
        try {
            if (OLDER != null) {
                besideOlder();
            } else if (SEED != null || MINUTES == 0) {
                one();
            } else {
                soak();
            }
        } finally {
            books.forEach(this::note);
        }
        assertThat(books.values().stream().flatMap(b -> b.found.stream()))
                .as("what no run of the model explains, see " + FOLDER)
                .isEmpty();
    }

    /** Which schema the older software has. */
    private static String older() {
        try (Stream<Path> scripts = Files.list(Path.of(OLDER, "db-migrations/src/main/resources/db/migration"))) {
            return "one by V"
                    + scripts.map(path -> path.getFileName().toString().replaceAll("\\D*(\\d+)__.*", "$1"))
                            .mapToInt(Integer::parseInt)
                            .max()
                            .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void note(int frontEnds, Books b) {
        Reckoning.note(
                "Histories on " + batchSystem() + (frontEnds == 1 ? "" : " with " + frontEnds + " front ends"),
                "seeds=" + b.seeds.size() + " operations=" + b.operations + " unknown=" + b.unknown + " faults="
                        + b.sum() + " jobs=" + b.jobs + " lost=" + b.found(Violation.Kind.LOST) + " doubled="
                        + b.found(Violation.Kind.DOUBLED) + " unexplained=" + b.unexplained());
        if (RECORD) {
            ReliabilityRuns.record(b.run(getClass().getSimpleName(), batchSystem(), frontEnds));
        }
    }

    private void one() throws Exception {
        boolean few = SEED == null;
        try (HistorySite site = site(few ? 1 : frontEnds(SEED), few)) {
            round(site, new HashSet<>(), few ? FIXED : SEED, few);
        }
    }

    private HistorySite site(int frontEnds, boolean few) throws IOException {
        Supplier<DatabaseSite> database = databaseSite();
        SmallDisk disk = few || database != null ? null : SmallDisk.mount(DISK_MIB);
        return new HistorySite(this::batchSite, database, frontEnds, disk, null);
    }

    private void soak() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        long first = new SplittableRandom().nextInt(1_000_000) * SEEDS_OF_A_RUN;
        Map<Integer, Integer> rounds = new HashMap<>();
        for (int frontEnds = 2; System.nanoTime() - end < 0; frontEnds = 3 - frontEnds) {
            try (HistorySite site = site(frontEnds, false)) {
                // the databases of all sites give the same numbers
                Set<String> earlier = new HashSet<>();
                for (int i = 0; i < ROUNDS_OF_A_SITE && System.nanoTime() - end < 0; i++) {
                    int number = rounds.merge(frontEnds, 1, Integer::sum) - 1;
                    round(site, earlier, first + 2L * number + frontEnds - 1, false);
                }
            }
        }
    }

    private void besideOlder() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        long seed = SEED == null ? new SplittableRandom().nextInt(1_000_000) * SEEDS_OF_A_RUN + 1 : SEED;
        do {
            try (HistorySite site =
                    new HistorySite(this::batchSite, null, 2, SmallDisk.mount(DISK_MIB), Path.of(OLDER))) {
                round(site, new HashSet<>(), seed, false);
            }
            seed += 2;
        } while (System.nanoTime() - end < 0);
    }

    /** Odd seeds have two. */
    private static int frontEnds(long seed) {
        return 1 + Math.floorMod(seed, 2);
    }

    private void round(HistorySite site, Set<String> earlier, long seed, boolean few) throws Exception {
        System.out.println("Histories: -Dgelato.history.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<List<FaultKind>> kinds =
                new ArrayList<>(few ? FaultKind.few(site) : Nemesis.choose(FaultKind.of(site), FAULTS, random));
        if (site.hasOlder()) {
            kinds.add(kinds.size() / 2, List.of(FaultKind.SECOND_UPGRADED));
        }
        HistoryRun run = new HistoryRun(site, seed, few ? FEW_JOBS_EACH : JOBS_EACH);
        History history = run.run(Nemesis.of(kinds, random), few ? SHORTEST_OF_FEW_MS : SHORTEST_MS, earlier);
        Books own = books.computeIfAbsent(site.hasSecond() ? 2 : 1, n -> new Books());
        count(own, history, earlier);
        List<Violation> violations = HistoryChecker.check(history);
        own.found.addAll(violations);
        if (!violations.isEmpty() || KEEP) {
            report(history, violations);
            site.first().batch().keepLogs(FOLDER.resolve(Long.toString(seed)));
        }
    }

    private static void count(Books books, History history, Set<String> earlier) {
        books.seeds.add(history.seed());
        books.operations += history.calls().size();
        books.unknown += history.calls().stream()
                .filter(c -> !c.isAnswered() && !c.operation().isRead())
                .count();
        history.faults().forEach(fault -> books.faults.merge(fault.kind().name(), 1L, Long::sum));
        Set<String> all = new HashSet<>(history.runs().keySet());
        for (Call call : history.calls()) {
            all.addAll(call.answer().jobs());
            if (call.job() != null) {
                all.add(call.job());
            }
        }
        books.jobs += all.size();
        earlier.addAll(all);
    }

    private static void report(History history, List<Violation> violations) {
        StringBuilder text = new StringBuilder(history.text(violations));
        Set<String> shown = new TreeSet<>();
        for (Violation v : violations) {
            if (shown.add(v.kind() + " " + v.job())) {
                String small = Shrinker.shrink(history, v).text();
                if (shown.size() <= PRINTED) {
                    System.out.println("Histories: " + v + "\n" + small);
                }
                text.append("\nshrunk: ").append(v).append('\n').append(small);
            }
        }
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve(history.seed() + ".txt"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
