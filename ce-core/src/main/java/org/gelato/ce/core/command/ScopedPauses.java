package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.gelato.ce.core.command.CommandOutcome.Later;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.core.route.RouteQueues;
import org.gelato.ce.core.route.Routes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses of a single account or queue: for a limit that an account has reached, a queue that is closed, or commands of an
 * account that have no result. A pause begins when a second job was not taken for the same reason, one alone is put off by itself.
 * Each has a {@link SubmissionThrottle} of its own, which tries one command after a growing
 * interval and opens slowly again; meanwhile the commands it holds wait in a lane of their own ({@link PauseScope}), which is
 * claimed as far as that throttle has room. Others of the lane notice nothing.
 *
 * <p>What waits for the limit of a route shares all of this but the throttle ({@link RouteQueues}).
 *
 * <p>Memory of this process: another one finds the lane in the database and tries it on its own. Thread-safe; never blocks.
 */
public final class ScopedPauses {
    private static final Logger log = LoggerFactory.getLogger(ScopedPauses.class);
    /** A fault beyond so many pauses is put off as the job's own. */
    private static final int MAX = 1000;
    /** What differs between two messages of one kind. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** For what has no lane: the batch system's name is too long for one. */
    private static final Duration LATER = Duration.ofMinutes(1);

    private static final Duration UNUSED = Duration.ofMinutes(10);

    private final Function<String, HandOverLimits> limits;
    private final RouteQueues queues;
    private final LongSupplier ticker;
    private final Map<String, Pause> pauses = new LinkedHashMap<>();
    /** By the claim of a command that is under way. */
    private final Map<ClaimedCommand, List<Place>> places = new HashMap<>();

    /** Of parts that do not pause: the last job that was not taken since one was; by {@link PauseScope#name}. */
    private final Map<String, Denial> denials = new LinkedHashMap<>();

    private Runnable wake = () -> {};
    private long round;
    /** As many as {@link #pauses}, to be read without a lock. */
    private volatile int open;

    /**
     * A pause, for administrators.
     *
     * @param lane of which it concerns a part
     * @param account its name; null where the whole queue is concerned
     * @param queue its name; null where the account is concerned whatever the queue
     * @param routed whether only jobs with the same settings of routes are concerned
     */
    public record Paused(String lane, String account, String queue, boolean routed, String reason) {
        /** Of all jobs of the account or queue. */
        public Paused(String lane, String account, String queue, String reason) {
            this(lane, account, queue, false, reason);
        }

        /** What pauses and why, for example {@code account dteam001 in queue long: over its limit}. */
        public String text() {
            return what() + ": " + reason;
        }

        Paused because(String other) {
            return new Paused(lane, account, queue, routed, other);
        }

        private String what() {
            String whose = account == null ? "" : "account " + account;
            String where = queue == null ? "" : "queue " + queue + (routed ? " for jobs of some routes" : "");
            return whose.isEmpty() || where.isEmpty() ? whose + where : whose + " in " + where;
        }
    }

    private static final class Pause {
        final SubmissionThrottle throttle;
        Paused shown;
        /** Whether commands may stand in its lane. */
        boolean mayWait;

        long usedAt;
        /** Number of the last round in which some of what it holds was claimed. */
        long servedIn;

        Pause(SubmissionThrottle throttle, Paused shown, long now) {
            this.throttle = throttle;
            this.shown = shown;
            this.usedAt = now;
        }
    }

    private record Place(Pause pause, long call) {}

    private record Denial(int job, String words) {}

    /** Of a site without limits of routes. */
    ScopedPauses(Function<String, HandOverLimits> limits, LongSupplier ticker) {
        this(limits, new RouteQueues(Routes.NONE), ticker);
    }

    /** @param limits of what a part of a lane is given, by the lane's name */
    ScopedPauses(Function<String, HandOverLimits> limits, RouteQueues queues, LongSupplier ticker) {
        this.limits = limits;
        this.queues = queues;
        this.ticker = ticker;
    }

    /** Called when a pause may have room again. */
    synchronized void onRoom(Runnable listener) {
        wake = listener;
    }

    /** What is paused now. */
    public synchronized List<Paused> paused() {
        return pauses.values().stream()
                .filter(p -> p.throttle.pausedBy() != null)
                .map(p -> p.shown)
                .toList();
    }

    /**
     * A command is about to be executed.
     *
     * @return null when it may be; otherwise how it is put back, to wait for the end of a pause
     */
    synchronized CommandOutcome enter(ClaimedCommand c) {
        List<Pause> of = new ArrayList<>();
        for (PauseScope scope : pauses.isEmpty() ? List.<PauseScope>of() : PauseScope.all(c)) {
            Pause pause = pauses.get(scope.name());
            if (pause != null) {
                pause.usedAt = ticker.getAsLong();
                if (pause.throttle.room() == 0) {
                    return postpone(c, pause, scope);
                }
                of.add(pause);
            }
        }
        RouteQueues.Beyond beyond = c.kind() == CommandKind.JOB_START
                ? queues.enter(c, c.route().id(), c.route().content(), c.lane(), Lane.of(c))
                : null;
        if (beyond != null) {
            return postpone(c, beyond);
        }
        if (!of.isEmpty()) {
            places.put(c, of.stream().map(p -> new Place(p, p.throttle.begin())).toList());
        }
        return null;
    }

    private static CommandOutcome postpone(ClaimedCommand c, Pause pause, PauseScope scope) {
        return Later.absent(c, Duration.ZERO, pause.shown.text()).uncounted().inLane(scope.name());
    }

    private static CommandOutcome postpone(ClaimedCommand c, RouteQueues.Beyond beyond) {
        String lane = new PauseScope(Lane.of(c), 0, 0, beyond.number()).name();
        return lane.length() > PauseScope.LONGEST
                ? Later.absent(c, LATER, beyond.reason()).uncounted()
                : Later.absent(c, Duration.ZERO, beyond.reason()).uncounted().inLane(lane);
    }

    /** Takes note of an outcome; returns it, or what becomes of one that met a fault of its account or queue. */
    synchronized CommandOutcome settled(CommandOutcome outcome) {
        ClaimedCommand c = outcome.command();
        List<Place> begun = places.remove(c);
        if (outcome instanceof Later l && l.scope() != Scope.LRMS) {
            return denied(l, begun == null ? List.of() : begun);
        }
        if (outcome instanceof CommandOutcome.HandedOver && !denials.isEmpty()) {
            PauseScope.all(c).forEach(scope -> denials.remove(scope.name()));
        }
        if (begun != null) {
            boolean good = outcome instanceof CommandOutcome.HandedOver
                    || outcome instanceof CommandOutcome.Done
                    || outcome instanceof CommandOutcome.Purged;
            for (Place place : begun) {
                if (good) {
                    place.pause().throttle.succeeded(place.call(), false);
                } else {
                    place.pause().throttle.withdrawn(place.call());
                }
            }
        }
        return outcome;
    }

    private CommandOutcome denied(Later l, List<Place> begun) {
        PauseScope scope = PauseScope.of(l.scope(), l.command());
        Pause known = pauses.get(scope.name());
        Long call = null;
        for (Place place : begun) {
            if (place.pause() == known) {
                call = place.call();
            } else {
                place.pause().throttle.withdrawn(place.call());
            }
        }
        if ((known == null || known.throttle.pausedBy() == null) && !isSecond(scope, l)) {
            if (call != null) {
                known.throttle.withdrawn(call);
            }
            log.info("{} was not taken, and is tried again: {}", l.command(), l.reason());
            return l;
        }
        if (known == null) {
            known = add(scope, l.command().account(), l.command().queue(), reason(scope, l));
            if (known == null) {
                return l;
            }
        } else {
            known.usedAt = ticker.getAsLong();
            known.shown = known.shown.because(reason(scope, l));
            known.throttle.denied(call, known.shown.reason(), null);
        }
        // The next one that is tried is another.
        return Later.absent(l.command(), known.throttle.afterTrial(), known.shown.text())
                .uncounted()
                .byFaultOf(l.scope());
    }

    /** Whether another job was not taken for the same reason, and none was taken since. */
    private boolean isSecond(PauseScope scope, Later l) {
        int job = l.command().job().id();
        String words = NUMBER.matcher(reason(scope, l)).replaceAll("#");
        Denial last = denials.get(scope.name());
        if (last != null && last.job() != job && last.words().equals(words)) {
            denials.remove(scope.name());
            return true;
        }
        denials.remove(scope.name());
        denials.put(scope.name(), new Denial(job, words));
        if (denials.size() > MAX) {
            denials.remove(denials.keySet().iterator().next());
        }
        return false;
    }

    /** All users of a queue see why it pauses: without the name of the account that met it. */
    private static String reason(PauseScope scope, Later l) {
        return scope.account() == 0
                ? l.reason().replaceAll("\\b" + Pattern.quote(l.command().account()) + "\\b", "USER")
                : l.reason();
    }

    /** Commands of an account have no result for too long; others of it wait. */
    synchronized void hung(ClaimedCommand c, Duration missing) {
        PauseScope scope = PauseScope.of(Scope.ACCOUNT, c);
        if (!pauses.containsKey(scope.name())) {
            add(scope, c.account(), c.queue(), "a command has had no result for " + missing.toSeconds() + " s");
        }
    }

    private Pause add(PauseScope scope, String account, String queue, String reason) {
        if (pauses.size() >= MAX || scope.name().length() > PauseScope.LONGEST) {
            return null;
        }
        Paused shown = new Paused(
                scope.lane(),
                scope.account() == 0 ? null : account,
                scope.queue() == 0 ? null : queue,
                scope.route() != 0,
                "");
        // What stands at a command that waits names the pause already.
        shown = shown.because(
                reason.startsWith(shown.text()) ? reason.substring(shown.text().length()) : reason);
        log.warn("{}: {}; it is tried again until it works", scope.lane(), shown.text());
        SubmissionThrottle throttle =
                SubmissionThrottle.paused(scope.name(), limits.apply(scope.lane()), ticker, shown.reason());
        throttle.onRoom(wake, () -> true);
        Pause pause = new Pause(throttle, shown, ticker.getAsLong());
        pauses.put(scope.name(), pause);
        open = pauses.size();
        return pause;
    }

    /** Commands wait in the lane of a pause, which may be another process's. */
    synchronized void waits(LaneStore.PausedLane lane) {
        PauseScope.parse(lane.name()).ifPresent(scope -> {
            if (scope.isOfRoute()) {
                queues.waits(lane.name(), scope.lane(), scope.route());
                return;
            }
            Pause pause = pauses.get(lane.name());
            if (pause == null) {
                pause = add(scope, lane.account(), lane.queue(), Objects.requireNonNullElse(lane.reason(), "unknown"));
            }
            if (pause != null) {
                pause.mayWait = true;
                pause.usedAt = ticker.getAsLong();
            }
        });
    }

    /** A command was put into the lane of its pause. */
    synchronized void waits(Later l) {
        waits(new LaneStore.PausedLane(
                l.lane(), l.command().account(), l.command().queue(), l.reason()));
    }

    /** All that waited in a lane was read. */
    synchronized void empty(String name) {
        queues.empty(name);
        Pause pause = pauses.get(name);
        if (pause != null) {
            pause.mayWait = false;
        }
    }

    /**
     * How much may be claimed now of what is set aside from a lane; of the lanes in which commands may wait. Those come first that
     * were {@link #served} longest ago: where there is no place for all, each has its turn.
     */
    synchronized Map<String, Integer> room(String lane) {
        if (!any()) {
            return Map.of();
        }
        Map<String, Integer> room = new LinkedHashMap<>();
        pauses.entrySet().stream()
                .filter(e -> e.getValue().mayWait && e.getValue().shown.lane().equals(lane))
                .sorted(Comparator.comparingLong(e -> e.getValue().servedIn))
                .forEach(e -> {
                    int free = e.getValue().throttle.room();
                    if (free > 0) {
                        room.put(e.getKey(), free);
                    }
                });
        room.putAll(queues.room(lane));
        return room;
    }

    /** These pauses were given places to claim for. */
    synchronized void served(Collection<String> names) {
        queues.served(names);
        round++;
        for (String name : names) {
            Pause pause = pauses.get(name);
            if (pause != null) {
                pause.servedIn = round;
            }
        }
    }

    /** Whether there are any, or commands wait for the limit of a route. Takes no lock. */
    boolean any() {
        return open > 0 || queues.any();
    }

    /** Until it is worth a look at the room of a pause; null when it is not. */
    synchronized Duration untilNextClaim() {
        return pauses.values().stream()
                .filter(p -> p.mayWait)
                .map(p -> p.throttle.untilNextClaim())
                .filter(Objects::nonNull)
                .min(Duration::compareTo)
                .orElse(null);
    }

    /** Forgets pauses that ended, and those that nobody has met for long. */
    synchronized void forgetEnded() {
        long now = ticker.getAsLong();
        pauses.values().removeIf(p -> {
            boolean unused = now - p.usedAt > UNUSED.toNanos();
            boolean over = !p.mayWait && (p.throttle.isRecovered() || unused);
            if (over) {
                log.info(
                        "{}: {}",
                        p.shown.lane(),
                        p.shown.what() + (unused ? " is not paused any more" : " works again"));
            }
            return over;
        });
        open = pauses.size();
    }
}
