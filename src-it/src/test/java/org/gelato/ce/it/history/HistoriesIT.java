package org.gelato.ce.it.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.it.kill.Reckoning;
import org.junit.jupiter.api.Test;

/**
 * Clients of several owners and both protocols under faults: a model explains all that they see. One seed with the same faults each
 * time, or with {@code -Dgelato.soak.minutes=M} random ones for M minutes; {@code -Dgelato.history.seed=N} repeats one of those: its
 * number of front ends, faults, and what each client does next. {@code -Dgelato.history.keep=true} writes also histories without a violation.
 */
class HistoriesIT {
    private static final long MINUTES = Long.getLong("gelato.soak.minutes", 0);
    private static final Long SEED = Long.getLong("gelato.history.seed");
    private static final long FIXED = 4;
    /** Whether histories without a violation are written, too. */
    private static final boolean KEEP = Boolean.getBoolean("gelato.history.keep");

    private static final List<FaultKind> FEW = List.of(
            FaultKind.CE_STOPPED,
            FaultKind.SLURM_STOPPED,
            FaultKind.DATABASE_STOPPED,
            FaultKind.CLIENTS_CUT,
            FaultKind.CE_KILLED);
    private static final int FAULTS = 8;
    /** Violations of a history that are printed; its file has all. */
    private static final int PRINTED = 5;

    private static final int ROUNDS_OF_A_SITE = 5;
    private static final int JOBS_EACH = 40;
    private static final int FEW_JOBS_EACH = 8;
    private static final long SHORTEST_MS = 25_000;
    private static final long SHORTEST_OF_FEW_MS = 6_000;
    private static final Path FOLDER = Path.of("target", "history");

    private int jobs;
    private int seeds;
    private long operations;
    private long unknown;
    private long faults;
    private final List<Violation> found = new ArrayList<>();

    @Test
    void everyAnswerIsExplained() throws Exception {
        try {
            if (SEED != null || MINUTES == 0) {
                one();
            } else {
                soak();
            }
        } finally {
            note();
        }
        assertThat(found).as("what no run of the model explains, see " + FOLDER).isEmpty();
    }

    private void note() {
        Reckoning.note(
                "Histories",
                "seeds=" + seeds + " operations=" + operations + " unknown=" + unknown + " faults=" + faults
                        + " jobs=" + jobs + " lost=" + count(Violation.Kind.LOST) + " doubled="
                        + count(Violation.Kind.DOUBLED) + " unexplained="
                        + (found.size() - count(Violation.Kind.LOST) - count(Violation.Kind.DOUBLED)));
    }

    private void one() throws Exception {
        boolean few = SEED == null;
        try (HistorySite site = new HistorySite(few ? 1 : frontEnds(SEED))) {
            round(site, new HashSet<>(), few ? FIXED : SEED, few);
        }
    }

    private void soak() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        SplittableRandom random = new SplittableRandom(System.nanoTime());
        for (int frontEnds = 2; System.nanoTime() - end < 0; frontEnds = 3 - frontEnds) {
            try (HistorySite site = new HistorySite(frontEnds)) {
                // the databases of all sites give the same numbers
                Set<String> earlier = new HashSet<>();
                for (int i = 0; i < ROUNDS_OF_A_SITE && System.nanoTime() - end < 0; i++) {
                    long seed = random.nextInt(1_000_000) * 2L + frontEnds - 1;
                    round(site, earlier, seed, false);
                }
            }
        }
    }

    /** Odd seeds have two. */
    private static int frontEnds(long seed) {
        return 1 + Math.floorMod(seed, 2);
    }

    private long count(Violation.Kind kind) {
        return found.stream().filter(v -> v.kind() == kind).count();
    }

    private void round(HistorySite site, Set<String> earlier, long seed, boolean few) throws Exception {
        System.out.println("Histories: -Dgelato.history.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<FaultKind> kinds = few ? FEW : Nemesis.choose(FaultKind.of(site), FAULTS, random);
        HistoryRun run = new HistoryRun(site, seed, few ? FEW_JOBS_EACH : JOBS_EACH);
        History history = run.run(Nemesis.of(kinds, random), few ? SHORTEST_OF_FEW_MS : SHORTEST_MS, earlier);
        count(history, earlier);
        List<Violation> violations = HistoryChecker.check(history);
        found.addAll(violations);
        if (!violations.isEmpty() || KEEP) {
            report(history, violations);
        }
    }

    private void count(History history, Set<String> earlier) {
        seeds++;
        operations += history.calls().size();
        unknown += history.calls().stream()
                .filter(c -> !c.isAnswered() && !c.operation().isRead())
                .count();
        faults += history.faults().size();
        Set<String> all = new HashSet<>(history.runs().keySet());
        for (Call call : history.calls()) {
            all.addAll(call.answer().jobs());
            if (call.job() != null) {
                all.add(call.job());
            }
        }
        jobs += all.size();
        earlier.addAll(all);
    }

    private static void report(History history, List<Violation> violations) {
        StringBuilder text = new StringBuilder(HistoryText.of(history, violations));
        Set<String> shown = new TreeSet<>();
        for (Violation v : violations) {
            if (shown.add(v.kind() + " " + v.job())) {
                String small = HistoryText.small(Shrinker.shrink(history, v));
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
