package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes faults one after another, with pauses; all of them are over when it returns. */
final class Nemesis {
    private static final int LONGEST_PAUSE_MS = 3000;
    private static final int SHORTEST_STOP_MS = 500;
    private static final int LONGEST_STOP_MS = 3000;

    private final HistorySite site;
    private final HistoryLog log;
    private final List<Stroke> strokes;

    /**
     * One fault.
     *
     * @param pause before it, in milliseconds
     * @param length of what stands still, in milliseconds
     */
    record Stroke(FaultKind kind, int pause, int length) {}

    Nemesis(HistorySite site, HistoryLog log, List<Stroke> strokes) {
        this.site = site;
        this.log = log;
        this.strokes = strokes;
    }

    /** Faults by their kinds, and a random choice of when and for how long. */
    static List<Stroke> of(List<FaultKind> kinds, SplittableRandom random) {
        List<Stroke> strokes = new ArrayList<>();
        for (FaultKind kind : kinds) {
            strokes.add(new Stroke(
                    kind,
                    500 + random.nextInt(LONGEST_PAUSE_MS),
                    SHORTEST_STOP_MS + random.nextInt(LONGEST_STOP_MS - SHORTEST_STOP_MS)));
        }
        return strokes;
    }

    /** So many faults out of some kinds. */
    static List<FaultKind> choose(List<FaultKind> kinds, int count, SplittableRandom random) {
        List<FaultKind> chosen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chosen.add(kinds.get(random.nextInt(kinds.size())));
        }
        return chosen;
    }

    void run() {
        for (Stroke stroke : strokes) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(stroke.pause()));
            log.fault(
                    stroke.kind().name(),
                    stroke.kind().forgets(),
                    () -> stroke.kind().make(site, stroke.length()));
        }
    }
}
