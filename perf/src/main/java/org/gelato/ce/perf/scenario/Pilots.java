package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.cli.wire.Answer;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;

/**
 * The pilots of a factory, of one frontend user each. The factory knows only what the CE reported: a pilot is out
 * until the CE has reported its end. Thread-safe.
 */
final class Pilots {
    private static final long PAUSE_NANOS = 20_000_000;

    private final int held;
    private final double perSecond;
    private final RunRecord protocol;
    private final Set<String> out = ConcurrentHashMap.newKeySet();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger registered = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger unwell = new AtomicInteger();
    private final AtomicInteger strange = new AtomicInteger();
    private final long begin = System.nanoTime();
    private volatile boolean closed;

    /**
     * @param held this many are out at once
     * @param perSecond starts at the most
     */
    Pilots(int held, double perSecond, RunRecord protocol) {
        this.held = held;
        this.perSecond = perSecond;
        this.protocol = protocol;
    }

    /** Sends pilots, one by one, until {@link #close}. */
    void send(Client client) {
        while (!closed) {
            if (mayBegin()) {
                List<String> ids = protocol.latencies("register").time(() -> client.register(1));
                registered.incrementAndGet();
                out.addAll(ids);
                protocol.latencies("start")
                        .timed(() -> Client.accept(client.ce().start(ids)));
            } else {
                Crew.rest(PAUSE_NANOS);
            }
        }
    }

    private boolean mayBegin() {
        double due = (System.nanoTime() - begin) / 1e9 * perSecond;
        synchronized (this) {
            // What could not be sent at its time is sent later, as a factory does: the rate is that of the whole.
            if (begun.get() - done.get() - unwell.get() >= held || begun.get() >= due) {
                return false;
            }
            begun.incrementAndGet();
            return true;
        }
    }

    /** Requests all pilots of a user in one call, and purges those that have ended. */
    void poll(Client client) {
        List<String> ended = new ArrayList<>();
        List<Answer<StatusReport>> all = protocol.latencies("status of all pilots of a user")
                .time(() -> client.ce().status(JobSelector.ALL));
        for (Answer<StatusReport> answer : all) {
            StatusReport status = answer.value();
            if (status == null || !status.isFinal()) {
                continue;
            }
            // A pilot may be seen to end before its sender has noted it: at the next poll then.
            if (out.remove(answer.subject())) {
                (status.isDoneOk() ? done : unwell).incrementAndGet();
                ended.add(answer.subject());
            }
        }
        if (!ended.isEmpty()) {
            List<Answer<Void>> refusals =
                    protocol.latencies("purge").time(() -> client.ce().purge(JobSelector.of(ended)));
            strange.addAndGet(refusals.size());
        }
    }

    /** No more are sent. */
    void close() {
        closed = true;
    }

    /** Those that the CE has not reported as ended. */
    Set<String> out() {
        return new HashSet<>(out);
    }

    int registered() {
        return registered.get();
    }

    int done() {
        return done.get();
    }

    /** Ended as anything but DONE-OK. */
    int unwell() {
        return unwell.get();
    }

    /** Purges of ended pilots that the CE refused. */
    int refusedPurges() {
        return strange.get();
    }
}
