package org.gelato.ce.it.history.nemesis;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes faults one after another, some of them two at once, with pauses; all of them are over when it returns. */
public final class Nemesis {
    private static final int LONGEST_PAUSE_MS = 3000;
    private static final int SHORTEST_STOP_MS = 500;
    private static final int LONGEST_STOP_MS = 3000;
    private static final int LONGEST_DISTANCE_MS = 1000;
    private static final int TRIES = 20;

    private final HistorySite site;
    private final FaultLog log;
    private final List<Blow> blows;

    /**
     * One fault.
     *
     * @param after how long after the other one of its blow it begins, in milliseconds
     * @param length of what stands still, in milliseconds
     */
    public record Stroke(FaultKind kind, int after, int length) {}

    /**
     * One fault, or two that overlap.
     *
     * @param pause before it, in milliseconds
     */
    public record Blow(int pause, List<Stroke> strokes) {}

    public Nemesis(HistorySite site, FaultLog log, List<Blow> blows) {
        this.site = site;
        this.log = log;
        this.blows = blows;
    }

    /** Faults by their kinds, those of a list within the list at once, and a random choice of when and for how long. */
    public static List<Blow> of(List<List<FaultKind>> kinds, SplittableRandom random) {
        List<Blow> blows = new ArrayList<>();
        for (List<FaultKind> together : kinds) {
            int pause = 500 + random.nextInt(LONGEST_PAUSE_MS);
            List<Stroke> strokes = new ArrayList<>();
            for (FaultKind kind : together) {
                int after = strokes.isEmpty() ? 0 : random.nextInt(LONGEST_DISTANCE_MS);
                strokes.add(
                        new Stroke(kind, after, SHORTEST_STOP_MS + random.nextInt(LONGEST_STOP_MS - SHORTEST_STOP_MS)));
            }
            blows.add(new Blow(pause, strokes));
        }
        return blows;
    }

    /** So many faults out of some kinds, about half of them with another one at once. */
    public static List<List<FaultKind>> choose(List<FaultKind> kinds, int count, SplittableRandom random) {
        List<List<FaultKind>> chosen = new ArrayList<>();
        for (int left = count; left > 0; ) {
            FaultKind first = kinds.get(random.nextInt(kinds.size()));
            FaultKind second = kinds.get(random.nextInt(kinds.size()));
            boolean two = left > 1 && random.nextInt(3) > 0 && first.goesWith(second);
            chosen.add(two ? List.of(first, second) : List.of(first));
            left -= two ? 2 : 1;
        }
        return chosen;
    }

    public void run() {
        // a database that cannot write ends, at once or a little later, and a site's systemd starts it again
        ScheduledExecutorService systemd = Executors.newSingleThreadScheduledExecutor();
        try {
            systemd.scheduleWithFixedDelay(this::restartDatabase, 500, 500, TimeUnit.MILLISECONDS);
            strike();
            // what it began to do at the last fault
            pause(LONGEST_PAUSE_MS);
        } finally {
            systemd.shutdown();
        }
    }

    private void restartDatabase() {
        try {
            site.first().store().restartIfEnded();
        } catch (IllegalStateException | UncheckedIOException e) {
            System.out.println("Histories: the database is tried again: " + e.getMessage());
        }
    }

    private void strike() {
        for (Blow blow : blows) {
            pause(blow.pause());
            boolean alone = blow.strokes().size() == 1;
            CompletableFuture.allOf(blow.strokes().stream()
                            .map(stroke -> CompletableFuture.runAsync(
                                    () -> strike(stroke, alone), task -> new Thread(task, "fault").start()))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    private void strike(Stroke stroke, boolean alone) {
        pause(stroke.after());
        FaultKind kind = stroke.kind();
        log.fault(kind, now -> {
            for (int attempt = 1; ; attempt++) {
                try {
                    return kind.make(site, stroke.length(), now);
                } catch (IllegalStateException e) {
                    // what is started while another fault lasts may end again, and is started again
                    if (alone || attempt == TRIES) {
                        throw e;
                    }
                }
            }
        });
    }

    private static void pause(int milliseconds) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }
}
