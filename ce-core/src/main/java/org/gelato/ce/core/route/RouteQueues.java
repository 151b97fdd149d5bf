package org.gelato.ce.core.route;

import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.gelato.ce.json.RouteSettings;

/**
 * How many jobs of a route may wait in the batch system ({@code limits.queued}, docs/developer/decisions/0111). A job counts for the first of
 * its routes that has the limit now. There is room by the last count of all nodes' jobs and by what this node has handed over since. What is
 * beyond it, or comes while others wait, waits in a lane of the queue that has the limit's number: there owners take turns. A number without limit has room: what is claimed there is compared with
 * its own limit.
 *
 * <p>Memory of this process. Thread-safe; never blocks.
 */
public final class RouteQueues {
    /** Room of a lane without limit; fewer are claimed at once. */
    static final int UNLIMITED = 1000;

    private final Map<String, Limit> byRoute = new LinkedHashMap<>();
    private final Map<Integer, Limit> byNumber = new HashMap<>();
    /** By row of settings, which never changes. */
    private final Map<Integer, Optional<Limit>> byRow = new HashMap<>();
    /** Of hand-overs under way. */
    private final Map<Object, Limit> places = new HashMap<>();
    /** Lanes in which jobs may wait, by name, in the order of their turns. */
    private final Map<String, Lane> lanes = new LinkedHashMap<>();

    private volatile boolean waiting;
    private volatile boolean limited;
    private long begun;
    private long applied;

    private static final class Limit {
        final String route;
        int most;
        int number;
        /** By the last count; negative before the first, when none is handed over. */
        long counted = -1;

        int underWay;
        /** Handed over and stored by this node: since the start, and as the last count began. */
        long handedOver;

        long atCount;

        Limit(String route) {
            this.route = route;
        }

        int room() {
            return counted < 0 ? 0 : (int) Math.max(0, most - counted - underWay - (handedOver - atCount));
        }
    }

    private record Lane(String of, int number) {}

    /**
     * Why a job is not handed over now.
     *
     * @param number of the limit, at least 1; the same in every process and after each start, unless names of routes collide
     * @param reason for its user
     */
    public record Beyond(int number, String reason) {}

    /**
     * Jobs that wait in the batch system.
     *
     * @param row of the settings that routes gave them
     * @param content of the row
     */
    public record Waiting(int row, String content, int jobs) {}

    /** A count of the jobs that wait, which was begun. */
    public final class Count {
        private final long number = ++begun;
        private final IdentityHashMap<Limit, Long> handedOver = new IdentityHashMap<>();

        private Count() {
            byRoute.values().forEach(limit -> handedOver.put(limit, limit.handedOver));
        }
    }

    /** @param routes whose limits count, also for jobs that were registered under other ones */
    public RouteQueues(Routes routes) {
        replace(routes);
    }

    /** Other limits count from now on. What was counted for a route of the same name stands until the next count. */
    public synchronized void replace(Routes routes) {
        Map<String, Limit> before = new HashMap<>();
        places.values().forEach(limit -> before.put(limit.route, limit));
        before.putAll(byRoute);
        byRoute.clear();
        byNumber.clear();
        byRow.clear();
        for (Route route : routes.routes()) {
            if (route.values().get(Routes.QUEUED) instanceof Number most) {
                int number = Math.max(1, route.name().hashCode() & Integer.MAX_VALUE);
                while (byNumber.containsKey(number)) {
                    number = number == Integer.MAX_VALUE ? 1 : number + 1;
                }
                Limit limit = before.getOrDefault(route.name(), new Limit(route.name()));
                limit.most = most.intValue();
                limit.number = number;
                byRoute.put(route.name(), limit);
                byNumber.put(number, limit);
            }
        }
        limited = !byRoute.isEmpty();
    }

    /** Whether jobs are to be counted. */
    public boolean isLimited() {
        return limited;
    }

    /**
     * A job is about to be handed over. Where it may be, it has a place until {@link #completed}.
     *
     * @param handOver equal for the same hand-over
     * @param row of the settings that routes gave it; 0 for none
     * @param content of the row; null for none
     * @param lane in which it stood
     * @param base the lane of which that is a part, or the same
     * @return null when it may be
     */
    public synchronized Beyond enter(Object handOver, int row, String content, String lane, String base) {
        Limit limit = of(row, content);
        if (limit == null) {
            return null;
        }
        if (limit.room() == 0 || othersWait(limit.number, lane, base)) {
            return new Beyond(
                    limit.number,
                    limit.counted < 0
                            ? "route " + limit.route + ": its jobs that wait in the batch system are not counted yet"
                            : "route " + limit.route + ": at most " + limit.most
                                    + " of its jobs wait in the batch system");
        }
        if (places.put(handOver, limit) == null) {
            limit.underWay++;
        }
        return null;
    }

    /** Whether jobs were set aside before one that was not: what waited for the end of a pause meanwhile goes on. */
    private boolean othersWait(int number, String lane, String base) {
        return lane.equals(base) && lanes.containsValue(new Lane(base, number));
    }

    private Limit of(int row, String content) {
        return byRoute.isEmpty() || content == null
                ? null
                : byRow.computeIfAbsent(row, id -> read(content)).orElse(null);
    }

    private Optional<Limit> read(String content) {
        try {
            return RouteSettings.parse(content).routes().stream()
                    .map(byRoute::get)
                    .filter(Objects::nonNull)
                    .findFirst();
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // the hand-over of each of its jobs says so
        }
    }

    /**
     * What became of a hand-over is stored.
     *
     * @param taken whether the batch system has the job
     */
    public synchronized void completed(Object handOver, boolean taken) {
        Limit limit = places.remove(handOver);
        if (limit != null) {
            limit.underWay--;
            limit.handedOver += taken ? 1 : 0;
        }
    }

    /** Begins a count; before the database is read. What is stored meanwhile may count twice until the next one. */
    public synchronized Count count() {
        return new Count();
    }

    /** Ends a count; returns whether jobs that wait in a lane have room. */
    public synchronized boolean counted(Count count, List<Waiting> jobs) {
        if (count.number < applied) {
            return false;
        }
        applied = count.number;
        count.handedOver.forEach((limit, handedOver) -> {
            limit.counted = 0;
            limit.atCount = handedOver;
        });
        for (Waiting some : jobs) {
            Limit limit = of(some.row(), some.content());
            if (limit != null && count.handedOver.containsKey(limit)) {
                limit.counted += some.jobs();
            }
        }
        return hasRoom();
    }

    /** Whether jobs that wait in a lane have room. */
    public synchronized boolean hasRoom() {
        return lanes.values().stream().anyMatch(lane -> room(lane) > 0);
    }

    /**
     * Jobs wait in a lane, which may be another process's.
     *
     * @param of the lane of which it is a part
     * @param number of its limit
     */
    public synchronized void waits(String name, String of, int number) {
        lanes.putIfAbsent(name, new Lane(of, number));
        waiting = true;
    }

    /** All that waited in a lane was read. */
    public synchronized void empty(String name) {
        lanes.remove(name);
        waiting = !lanes.isEmpty();
    }

    /** How much may be claimed now of what waits in parts of a lane, by their names. */
    public synchronized Map<String, Integer> room(String of) {
        Map<String, Integer> room = new LinkedHashMap<>();
        lanes.forEach((name, lane) -> {
            int free = lane.of().equals(of) ? room(lane) : 0;
            if (free > 0) {
                room.put(name, free);
            }
        });
        return room;
    }

    private int room(Lane lane) {
        Limit limit = byNumber.get(lane.number());
        return limit == null ? UNLIMITED : limit.room();
    }

    /** These lanes were given places to claim for: others come first the next time. */
    public synchronized void served(Collection<String> names) {
        for (String name : names) {
            Lane lane = lanes.remove(name);
            if (lane != null) {
                lanes.put(name, lane);
            }
        }
    }

    /** Whether jobs may wait in any lane. Takes no lock. */
    public boolean any() {
        return waiting;
    }
}
