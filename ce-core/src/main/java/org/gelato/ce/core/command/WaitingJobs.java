package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.route.RouteQueues;
import org.jdbi.v3.core.Handle;

/**
 * Counts the jobs that wait in a batch system for their turn to run, for limits by that number: by the database, so those of all nodes. It
 * takes a tenth of the time of its thread at most. While no count succeeds the limits go by the last one.
 */
final class WaitingJobs implements AutoCloseable {
    // A job that was held before it ran is in the batch system's queue, where it counts against the same limits: its
    // owner
    // could hold as many as he likes otherwise.
    private static final String WAITS =
            " state IN ({IDLE}, {HELD})" + " AND (state = {IDLE} OR state_before_hold IN ({PENDING}, {IDLE}))";
    static final String WAITING_IN_LRMS = StateSql.of(
            "SELECT COUNT(*) FROM job j JOIN queue q ON q.id = j.queue_id WHERE q.lrms = :lrms AND" + WAITS);
    // Reads what waits in the batch system and nothing else; an index with the route would be written by each change of
    // a state.
    static final String WAITING_BY_ROUTE =
            StateSql.of("SELECT route_id, COUNT(*) AS jobs FROM job FORCE INDEX (job_state) WHERE" + WAITS
                    + " AND route_id IS NOT NULL GROUP BY route_id ORDER BY NULL");
    static final String ROUTES = "SELECT id, content FROM route WHERE id IN (<ids>)";

    static final Duration EVERY = Duration.ofSeconds(5);

    private static final int SHARE = 10;
    private static final Duration OLD = Duration.ofMinutes(1);

    private final Database database;
    private final Map<String, SubmissionThrottle> limited = new HashMap<>();
    private final RouteQueues queues;
    private final Runnable room;
    private final LongSupplier nanos;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(r -> {
        Thread t = new Thread(r, "count-of-waiting-jobs");
        t.setDaemon(true);
        return t;
    });
    private volatile long counted;
    /** How long the last one took that succeeded. */
    private volatile long took;

    /**
     * @param throttles by batch system
     * @param room called when jobs that wait for the limit of a route may be handed over
     * @param nanos from any beginning
     */
    WaitingJobs(
            Database database,
            Map<String, SubmissionThrottle> throttles,
            RouteQueues queues,
            Runnable room,
            LongSupplier nanos) {
        this.database = database;
        limited.putAll(throttles);
        limited.values().removeIf(throttle -> !throttle.countsQueued());
        this.queues = queues;
        this.room = room;
        this.nanos = nanos;
        counted = nanos.getAsLong();
    }

    /** Counts from now on, while there is a limit. */
    void start() {
        Runnable count = Repeated.of("count of waiting jobs", this::count);
        thread.execute(() -> repeat(count));
    }

    private boolean isLimited() {
        return !limited.isEmpty() || queues.isLimited();
    }

    private void repeat(Runnable count) {
        long begun = System.nanoTime();
        count.run();
        if (!thread.isShutdown()) {
            thread.schedule(() -> repeat(count), pause(System.nanoTime() - begun), TimeUnit.NANOSECONDS);
        }
    }

    static long pause(long took) {
        return Math.max(EVERY.toNanos(), (SHARE - 1) * took);
    }

    /** @throws RuntimeException of the database */
    void count() {
        long begun = nanos.getAsLong();
        limited.forEach((lrms, throttle) -> throttle.queued(database.read(h -> waitingIn(h, lrms))));
        RouteQueues.Count count = queues.count();
        boolean isRoom = queues.isLimited()
                ? queues.counted(count, database.read(WaitingJobs::waitingByRoute))
                : queues.hasRoom();
        if (isRoom) {
            room.run();
        }
        counted = nanos.getAsLong();
        took = counted - begun;
    }

    /** That no count has succeeded for long, for an administrator; empty when all is well. */
    Optional<String> trouble() {
        Duration age = Duration.ofNanos(nanos.getAsLong() - counted);
        return isLimited() && age.toNanos() > Math.max(OLD.toNanos(), 2 * (took + pause(took)))
                ? Optional.of("the jobs that wait in the batch system have not been counted for " + Messages.span(age)
                        + ": most-queued and the limits of routes go by the last count; the log has the reason")
                : Optional.empty();
    }

    private static int waitingIn(Handle h, String lrms) {
        return h.createQuery(WAITING_IN_LRMS)
                .bind("lrms", lrms)
                .mapTo(Integer.class)
                .one();
    }

    /** By what routes gave them; none without routes. */
    private static List<RouteQueues.Waiting> waitingByRoute(Handle h) {
        Map<Integer, Integer> jobs = h.createQuery(WAITING_BY_ROUTE)
                .map((r, context) -> Map.entry(r.getInt("route_id"), r.getInt("jobs")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
        return jobs.isEmpty()
                ? List.of()
                : h.createQuery(ROUTES)
                        .bindList("ids", InList.of(jobs.keySet()))
                        .map((r, context) -> new RouteQueues.Waiting(
                                r.getInt("id"), r.getString("content"), jobs.get(r.getInt("id"))))
                        .list();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
