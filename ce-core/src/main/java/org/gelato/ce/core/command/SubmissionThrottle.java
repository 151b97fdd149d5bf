package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.Lrms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A concurrency limit for hand-overs to one batch system, with a circuit breaker.
 *
 * <p>The limit is a window of hand-overs without a result. It follows the result times by additive increase and
 * multiplicative decrease (AIMD): it doubles per round of successes up to where it was halved last and grows by one beyond,
 * shrinks by one per round while results are slower than twice the best and a twentieth of the slowest allowed, and is halved
 * by a failure, once for all hand-overs that were under way together.
 *
 * <p>The breaker opens when results take too long, when the batch system does not respond to {@link Lrms#health()}, which is
 * called when a hand-over fails, or when too many jobs are queued in the batch system. What a job meets never opens it.
 * From the first two it closes by probing: after a growing interval the health is called again, and then one single job is tried; its
 * result opens the window again, from one. The last ends when fewer jobs are queued. All of this
 * is memory of this node: a crash forgets the window, and the next process begins with a small one. Thread-safe; never blocks.
 *
 * <p>A hand-over without a result takes a place for as long as a result may take. After that it either pauses the hand-over
 * or, where a later one had its result in time, is what hangs alone; in both cases its place is free again.
 *
 * <p>One that is {@link #paused} from its beginning serves what a single account or queue is given ({@link ScopedPauses}).
 */
public final class SubmissionThrottle {
    private static final Logger log = LoggerFactory.getLogger(SubmissionThrottle.class);
    private static final double FIRST_WINDOW = 8;
    private static final int COMFORTABLE = 20;
    /** The batching delay: a free place waits until this part of the window is free, or for this part of a result's time. */
    private static final int BATCH_DIVISOR = 4;

    private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);
    private static final Duration HEALTH_TIMEOUT = Duration.ofMinutes(2);
    /** Without a result for so long: whoever began it has given up. */
    private static final Duration FORGOTTEN = Duration.ofHours(2);

    private static final Lrms.Health UP = new Lrms.Health(true, "");

    private final String name;
    private final Supplier<CompletableFuture<Lrms.Health>> health;
    /** Whether the log is left to the owner. */
    private final boolean quiet;

    private final HandOverLimits limits;
    private final LongSupplier ticker;
    private final Map<Long, Call> outstanding = new HashMap<>();
    private Runnable listener = () -> {};
    private BooleanSupplier waiting = () -> true;
    private Phase phase = Phase.OPEN;
    private String reason;
    private PauseCause cause;
    private double window;
    private double threshold;
    private boolean proven = true;
    private long lastCall;
    /** Most under way at once since nothing was: a window that is not filled proves nothing. */
    private int peak;

    /** Whether there were few free places, and since when they wait for more. */
    private boolean batching;

    private long gatheredAt;

    private long halvedAt;
    private long pausedAt;
    /** When the last of the hand-overs began that had a result in time. */
    private long answeredAt;

    private long probeAt;
    private long question;
    /** Whether the health is being queried: faults must not void a report that takes longer than they come apart. */
    private boolean asked;
    /** When a fault last was the reason to call the health. */
    private long suspectedAt;

    private long interval;
    private long best = Long.MAX_VALUE;
    private double smoothed;
    private int queued;
    private boolean crowded;

    private enum Phase {
        OPEN,
        PAUSED,
        /** The batch system's health is being queried. */
        CHECKING,
        /** It responds: one job may try. */
        TRIAL
    }

    /** Why nothing is handed over, as far as it can be counted; {@link #pausedBy()} has the details. */
    public enum PauseCause {
        /** Results take too long. */
        SLOW,
        /** The batch system does not report that it is up. */
        DOWN,
        /** The file system of the sandboxes has no room. */
        DISK_FULL,
        /** Too many jobs wait in the batch system. */
        CROWDED
    }

    private record Call(long begun, boolean trial) {}

    /** What a fault means for the job that met it. */
    enum Verdict {
        /** It may be the job's own: let it wait for itself. */
        OWN,
        /** The batch system's: the job keeps its place. */
        OF_LRMS,
        /** The job that was tried alone: let others try first. */
        TRIED
    }

    /**
     * @param ticker nanoseconds from any beginning
     */
    public SubmissionThrottle(Lrms lrms, HandOverLimits limits, LongSupplier ticker) {
        this(lrms.name(), lrms::health, false, limits, ticker);
    }

    private SubmissionThrottle(
            String name,
            Supplier<CompletableFuture<Lrms.Health>> health,
            boolean quiet,
            HandOverLimits limits,
            LongSupplier ticker) {
        this.name = name;
        this.health = health;
        this.quiet = quiet;
        this.limits = limits;
        this.ticker = ticker;
        this.window = Math.min(FIRST_WINDOW, limits.mostAtOnce());
        this.threshold = limits.mostAtOnce();
        this.interval = limits.probeInterval().toNanos();
        this.halvedAt = ticker.getAsLong();
        this.pausedAt = halvedAt;
        this.answeredAt = halvedAt;
        this.suspectedAt = halvedAt - interval;
    }

    /** One that begins with a pause, is probed by jobs alone, and logs nothing. */
    static SubmissionThrottle paused(String name, HandOverLimits limits, LongSupplier ticker, String why) {
        SubmissionThrottle throttle =
                new SubmissionThrottle(name, () -> CompletableFuture.completedFuture(UP), true, limits, ticker);
        throttle.pause(ticker.getAsLong(), null, why);
        return throttle;
    }

    HandOverLimits limits() {
        return limits;
    }

    /**
     * Called when there may be room again.
     *
     * @param mayWait whether commands may wait for it: a result while nothing waits does not matter. Called with this
     *     object locked, so it must not wait for a lock
     */
    synchronized void onRoom(Runnable wake, BooleanSupplier mayWait) {
        listener = wake;
        waiting = mayWait;
    }

    /** Hand-overs that may begin now. Queries the batch system's health when a probe is due. */
    synchronized int room() {
        long now = ticker.getAsLong();
        outstanding.values().removeIf(c -> now - c.begun() > FORGOTTEN.toNanos());
        pauseForMissingResults(now);
        return switch (phase) {
            case OPEN -> Math.min(roomInLrms(now), Math.max(0, (int) window - underWay(now)));
            case PAUSED -> {
                if (now - probeAt >= 0) {
                    checkHealth();
                }
                yield phase == Phase.TRIAL ? Math.min(1, roomInLrms(now)) : 0;
            }
            case CHECKING -> 0;
            case TRIAL -> outstanding.values().stream().anyMatch(Call::trial) ? 0 : Math.min(1, roomInLrms(now));
        };
    }

    private void pauseForMissingResults(long now) {
        long oldest = outstanding.values().stream()
                .filter(c -> phase == Phase.TRIAL ? c.trial() : phase == Phase.OPEN && !isStale(c) && !isAlone(c))
                .mapToLong(c -> now - c.begun())
                .max()
                .orElse(0);
        if (oldest <= limits.slowestResponse().toNanos()) {
            return;
        }
        String why = "no result for " + seconds(oldest) + ", at most " + seconds(limits.slowestResponse());
        if (phase == Phase.OPEN) {
            pause(now, PauseCause.SLOW, why);
            return;
        }
        outstanding.replaceAll((call, c) -> new Call(c.begun(), false));
        pausedAt = now + 1;
        reason = why;
        cause = PauseCause.SLOW;
        later(now);
    }

    /** Hand-overs that take places: those without a result for too long do not. */
    private int underWay(long now) {
        return (int) outstanding.values().stream()
                .filter(c -> !isStale(c)
                        && now - c.begun() <= limits.slowestResponse().toNanos())
                .count();
    }

    /** Whether one that began later had its result in time, so that this one's delay is not the batch system's. */
    private boolean isAlone(Call call) {
        return call.begun() - answeredAt < 0;
    }

    /** As {@link #isAlone}, of one that took too long. */
    private boolean hungAlone(Call call, long took) {
        return took > limits.slowestResponse().toNanos() && isAlone(call);
    }

    /**
     * Hand-overs to claim now, for a queue that is never empty. Each claim is a transaction, and places become free one by
     * one. So there is a batching delay: while hand-overs are under way, nothing is claimed until a quarter of the window is
     * free, or for a quarter of a usual result's time at most.
     */
    synchronized int roomForMany() {
        int room = room();
        long now = ticker.getAsLong();
        boolean few = phase == Phase.OPEN && room > 0 && underWay(now) > 0 && room * BATCH_DIVISOR < (int) window;
        if (few && !batching) {
            gatheredAt = now + (long) smoothed / BATCH_DIVISOR;
        }
        batching = few;
        return isBatching(now) ? 0 : room;
    }

    private boolean isBatching(long now) {
        return batching && now - gatheredAt < 0;
    }

    private int roomInLrms(long now) {
        if (limits.mostQueued() < 0) {
            return Integer.MAX_VALUE;
        }
        return crowded ? 0 : Math.max(0, limits.mostQueued() - queued - underWay(now));
    }

    /** Until it is worth asking again for room though nothing happened; null when it is not. */
    synchronized Duration untilNextClaim() {
        return switch (phase) {
            case PAUSED -> until(probeAt);
            case OPEN -> isBatching(ticker.getAsLong()) ? until(gatheredAt) : null;
            case CHECKING, TRIAL -> null;
        };
    }

    private Duration until(long time) {
        return Duration.ofNanos(Math.max(0, time - ticker.getAsLong()));
    }

    private void checkHealth() {
        phase = Phase.CHECKING;
        queryHealth();
    }

    /** The hand-over of all pauses only where the batch system itself does not respond: faults may be those of jobs. */
    private void suspect(long now) {
        if (!asked && now - suspectedAt >= limits.probeInterval().toNanos()) {
            suspectedAt = now;
            queryHealth();
        }
    }

    private void queryHealth() {
        long number = ++question;
        asked = true;
        health.get().orTimeout(HEALTH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).whenComplete((found, e) -> {
            if (e != null) {
                healthReported(number, false, Messages.of(e));
            } else {
                healthReported(number, found.up(), found.detail());
            }
        });
    }

    private synchronized void healthReported(long number, boolean up, String detail) {
        if (question != number) {
            return;
        }
        asked = false;
        if (phase == Phase.OPEN) {
            if (!up) {
                pause(ticker.getAsLong(), PauseCause.DOWN, "does not respond: " + detail);
            }
            return;
        }
        if (phase != Phase.CHECKING) {
            return;
        }
        if (up) {
            phase = Phase.TRIAL;
            listener.run();
        } else {
            reason = "does not respond: " + detail;
            cause = PauseCause.DOWN;
            later(ticker.getAsLong());
        }
    }

    /** Waits for the next probe, twice as long as before this one. */
    private void later(long now) {
        phase = Phase.PAUSED;
        probeAt = now + interval;
        long longest =
                Math.max(LONGEST_INTERVAL.toNanos(), limits.probeInterval().toNanos());
        interval = Math.min(longest, interval * 2);
    }

    /** A hand-over begins; returns the name for reporting its result. */
    synchronized long begin() {
        long now = ticker.getAsLong();
        outstanding.put(++lastCall, new Call(now, phase == Phase.TRIAL));
        peak = Math.max(peak, underWay(now));
        batching = false;
        return lastCall;
    }

    /** Nothing of this batch system waited though there was room: then there is nothing to be paused for either. */
    synchronized void nothingWaits() {
        if (phase == Phase.TRIAL && outstanding.values().stream().noneMatch(Call::trial)) {
            open();
        }
    }

    /** The batch system took the job, or refused it explicitly. */
    synchronized void succeeded(long begun, boolean taken) {
        Call call = outstanding.remove(begun);
        if (taken) {
            queued(queued + 1, false);
        }
        if (call == null) {
            return;
        }
        long now = ticker.getAsLong();
        long took = now - call.begun();
        if (hungAlone(call, took)) {
            return;
        }
        if (took <= limits.slowestResponse().toNanos() && call.begun() - answeredAt > 0) {
            answeredAt = call.begun();
        }
        if (call.trial()
                && phase == Phase.TRIAL
                && took <= limits.slowestResponse().toNanos()) {
            open();
        } else if (call.trial() && phase == Phase.TRIAL) {
            cause = PauseCause.SLOW;
            reason = "a hand-over took " + seconds(took) + ", at most " + seconds(limits.slowestResponse());
            later(now);
            return;
        } else if (phase != Phase.OPEN || isStale(call)) {
            return;
        }
        proven = true;
        interval = limits.probeInterval().toNanos();
        boolean used = peak * 2 >= window;
        peak = underWay(now) == 0 ? 0 : peak;
        best = best == Long.MAX_VALUE ? took : Math.min(took, best + best / 200); // an old best is forgotten slowly
        smoothed = smoothed == 0 ? took : 0.75 * smoothed + 0.25 * took;
        if (smoothed > limits.slowestResponse().toNanos()) {
            pause(
                    now,
                    PauseCause.SLOW,
                    "hand-overs take " + seconds((long) smoothed) + " on average, at most "
                            + seconds(limits.slowestResponse()));
        } else if (took > Math.max(2 * best, limits.slowestResponse().toNanos() / COMFORTABLE)) {
            window = Math.max(1, window - 1 / window);
        } else if (used) {
            window = Math.min(limits.mostAtOnce(), window + (window < threshold ? 1 : 1 / window));
        }
        if (call.trial() || waiting.getAsBoolean()) {
            listener.run();
        }
    }

    /** The batch system did not take the job for a reason that may be its own, or it is unknown whether it did. */
    synchronized Verdict failed(long begun, String words) {
        Call call = outstanding.remove(begun);
        if (call == null) {
            return Verdict.OF_LRMS;
        }
        long now = ticker.getAsLong();
        if (hungAlone(call, now - call.begun())) {
            return Verdict.OWN;
        }
        if (call.trial() && phase == Phase.TRIAL) {
            if (now - call.begun() > limits.slowestResponse().toNanos()) {
                reason = words;
                cause = PauseCause.SLOW;
                later(now);
                return Verdict.TRIED;
            }
            open(); // it responds to its probe: this is the job's
        } else if (phase != Phase.OPEN || isStale(call)) {
            return Verdict.OF_LRMS;
        }
        if (call.begun() - halvedAt >= 0) {
            halvedAt = now;
            window = Math.max(1, window / 2);
            threshold = Math.max(1, window);
        }
        suspect(now);
        return phase == Phase.OPEN ? Verdict.OWN : Verdict.OF_LRMS;
    }

    /**
     * What is served here was not taken, for now: that alone is reason for a pause.
     *
     * @param begun null for one that did not begin here
     * @param kind null where it is an account's or a queue's
     */
    synchronized void denied(Long begun, String words, PauseCause kind) {
        Call call = begun == null ? null : outstanding.remove(begun);
        long now = ticker.getAsLong();
        if (call != null && call.trial() && phase == Phase.TRIAL) {
            reason = words;
            cause = kind;
            later(now);
        } else if (phase == Phase.OPEN) {
            pause(now, kind, words);
        }
    }

    /** A hand-over ended in a way that says nothing here: another may be tried in its place. */
    synchronized void withdrawn(long begun) {
        outstanding.remove(begun);
        listener.run();
    }

    /** Whether one single job is to be tried. */
    synchronized boolean isTrial() {
        return phase == Phase.TRIAL;
    }

    /** Whether it works again since the last pause, with nothing under way. */
    synchronized boolean isRecovered() {
        return phase == Phase.OPEN && proven && outstanding.isEmpty();
    }

    /** How many jobs wait in the batch system, by the database. */
    void queued(int jobs) {
        queued(jobs, true);
    }

    private synchronized void queued(int jobs, boolean counted) {
        queued = jobs;
        int most = limits.mostQueued();
        if (most < 0) {
            return;
        }
        if (!crowded && jobs >= most) {
            crowded = true;
            log.warn("hand-over to {} pauses: {}", name, crowd());
        } else if (crowded && counted && jobs < most - most / 10) {
            crowded = false;
            log.info("hand-over to {} continues: {} jobs wait there", name, jobs);
            listener.run();
        }
    }

    private String crowd() {
        return queued + " jobs wait in " + name + ", at most " + limits.mostQueued();
    }

    boolean countsQueued() {
        return limits.mostQueued() >= 0;
    }

    private boolean isStale(Call call) {
        return !call.trial() && call.begun() - pausedAt < 0;
    }

    private void pause(long now, PauseCause kind, String why) {
        log.atLevel(quiet ? Level.DEBUG : Level.WARN).log("hand-over to {} pauses: {}", name, why);
        reason = why;
        cause = kind;
        threshold = Math.max(1, window / 2);
        window = 1;
        proven = false;
        smoothed = 0;
        pausedAt = now + 1; // what begins later belongs to another time
        later(now);
    }

    private void open() {
        log.atLevel(quiet ? Level.DEBUG : Level.INFO).log("hand-over to {} continues", name);
        phase = Phase.OPEN;
        reason = null;
        cause = null;
        window = 1;
        listener.run();
    }

    /** The window, in hand-overs at once. */
    public synchronized int window() {
        return (int) window;
    }

    /** Why nothing is handed over; null while it is. */
    public synchronized String pausedBy() {
        return phase != Phase.OPEN ? reason : crowded ? crowd() : null;
    }

    /** What {@link #pausedBy()} is about; null while jobs are handed over, and for what serves one account or queue. */
    public synchronized PauseCause pauseCause() {
        return phase != Phase.OPEN ? cause : crowded ? PauseCause.CROWDED : null;
    }

    /** How long a job that was tried alone waits, so that others are tried before it. */
    synchronized Duration afterTrial() {
        return Duration.ofNanos(interval * 2);
    }

    private static String seconds(Duration d) {
        return seconds(d.toNanos());
    }

    private static String seconds(long nanos) {
        return Math.round(nanos / 1e8) / 10.0 + " s";
    }
}
