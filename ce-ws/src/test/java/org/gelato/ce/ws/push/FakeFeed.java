package org.gelato.ce.ws.push;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.event.OwnedEvent;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;

/** Events of a list in memory; an event's owner is Bob where its id can be divided by ten. */
final class FakeFeed implements EventFeed {
    static final Instant MADE = Instant.ofEpochMilli(1_700_000_000_000L);
    static final int ALICE = 1;
    static final int BOB = 2;

    final List<OwnedEvent> events = new CopyOnWriteArrayList<>();
    final AtomicInteger horizons = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();
    /** How many more times the horizon cannot be read. */
    final AtomicInteger errors = new AtomicInteger();

    void add(long from, long to) {
        add(from, to, "<b>\n'; DROP TABLE job");
    }

    /** @param reason of each event */
    void add(long from, long to, String reason) {
        events.addAll(LongStream.rangeClosed(from, to)
                .mapToObj(id -> new OwnedEvent(
                        new JobEvent(
                                id,
                                JobId.parse("CREAM000000001").orElseThrow(),
                                new JobStatus(JobState.RUNNING, MADE, null, reason, null),
                                null,
                                null),
                        owner(id) == BOB ? "CN=Bob" : "CN=Alice",
                        "dteam"))
                .toList());
    }

    static int owner(long id) {
        return id % 10 == 0 ? BOB : ALICE;
    }

    @Override
    public int owner(Caller caller) {
        return ALICE;
    }

    @Override
    public long horizon() {
        horizons.incrementAndGet();
        if (errors.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new NoClassDefFoundError("org/example/Gone");
        }
        return events.isEmpty() ? 0 : events.get(events.size() - 1).event().id();
    }

    @Override
    public Instant databaseMade() {
        return MADE;
    }

    @Override
    public Set<Integer> ownersBetween(long after, long to) {
        return events.stream()
                .map(e -> e.event().id())
                .filter(id -> id > after && id <= to)
                .map(FakeFeed::owner)
                .collect(Collectors.toSet());
    }

    @Override
    public List<OwnedEvent> after(int owner, long after, long to, int most) {
        reads.incrementAndGet();
        return events.stream()
                .filter(e -> e.event().id() > after && e.event().id() <= to)
                .filter(e -> owner == ALL_OWNERS || owner(e.event().id()) == owner)
                .limit(most)
                .toList();
    }
}
