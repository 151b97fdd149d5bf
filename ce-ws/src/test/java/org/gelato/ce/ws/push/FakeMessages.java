package org.gelato.ce.ws.push;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.core.message.MessageLevel;

/** Messages in memory. Owners are 1, Alice of dteam, 2, Bob of dteam, and 3, Carl of atlas; 9 is whoever else calls. */
final class FakeMessages implements MessageFeed {
    static final Instant MADE = Instant.ofEpochMilli(1_700_000_000_000L);
    static final JobId OF_ALICE = new JobId(1);
    static final JobId ALSO_OF_ALICE = new JobId(2);
    static final JobId OF_BOB = new JobId(3);
    static final JobId OF_CARL = new JobId(4);
    private static final Map<JobId, Integer> OWNERS = Map.of(OF_ALICE, 1, ALSO_OF_ALICE, 1, OF_BOB, 2, OF_CARL, 3);

    final List<Message> messages = new CopyOnWriteArrayList<>();
    final Map<JobId, Standing> standings = new ConcurrentHashMap<>();
    final Set<JobId> live = ConcurrentHashMap.newKeySet();
    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger standingReads = new AtomicInteger();

    FakeMessages() {
        OWNERS.forEach(
                (job, owner) -> standings.put(job, new Standing(owner, JobState.REALLY_RUNNING, null, null, false)));
    }

    static String vo(int owner) {
        return owner == 3 ? "atlas" : "dteam";
    }

    void end(JobId job, String exitCode) {
        standings.put(job, new Standing(OWNERS.get(job), JobState.DONE_OK, exitCode, null, true));
    }

    void add(JobId job, MessageLevel level, String key, String text) {
        add(job, Message.Kind.TEXT, level, key, text.getBytes(StandardCharsets.UTF_8));
    }

    synchronized void add(JobId job, Message.Kind kind, MessageLevel level, String key, byte[] content) {
        long id = messages.size() + 1L;
        messages.add(
                new Message(id, job, OWNERS.get(job), kind, 10 + id, MADE, MADE.plusMillis(5), level, key, content));
    }

    /** Messages with their number as text. */
    void add(JobId job, int number) {
        List<Message> more = new ArrayList<>();
        long last = messages.size();
        for (int i = 1; i <= number; i++) {
            byte[] text = Long.toString(last + i).getBytes(StandardCharsets.UTF_8);
            more.add(new Message(
                    last + i, job, OWNERS.get(job), Message.Kind.TEXT, i, MADE, MADE, MessageLevel.INFO, null, text));
        }
        messages.addAll(more);
    }

    @Override
    public int owner(Caller caller) {
        return switch (caller.identity().subject()) {
            case "CN=alice" -> 1;
            case "CN=bob" -> 2;
            case "CN=carl" -> 3;
            default -> 9;
        };
    }

    @Override
    public Instant databaseMade() {
        return MADE;
    }

    @Override
    public long last() {
        return messages.size();
    }

    @Override
    public Set<Integer> ownersBetween(long after, long to) {
        return messages.stream()
                .filter(m -> m.id() > after && m.id() <= to)
                .map(Message::ownerId)
                .collect(Collectors.toSet());
    }

    @Override
    public List<Message> after(Scope scope, long after, long to, int most) {
        reads.incrementAndGet();
        return messages.stream()
                .filter(m -> m.id() > after && m.id() <= to && contains(scope, m))
                .limit(most)
                .toList();
    }

    private static boolean contains(Scope scope, Message m) {
        if (scope instanceof Scope.Jobs jobs) {
            return jobs.jobs().contains(m.job());
        }
        if (scope instanceof Scope.Owner owner) {
            return owner.id() == m.ownerId();
        }
        return !(scope instanceof Scope.Vo named) || named.name().equals(vo(m.ownerId()));
    }

    @Override
    public List<Message> before(JobId job, long before, int most) {
        return messages.stream()
                .filter(m -> m.job().equals(job) && m.id() < before)
                .sorted(Comparator.comparing(Message::id).reversed())
                .limit(most)
                .toList();
    }

    @Override
    public List<Message> latest(JobId job) {
        Map<String, Message> last = new LinkedHashMap<>();
        for (Message m : messages) {
            if (m.job().equals(job) && m.kind() == Message.Kind.TEXT) {
                last.remove(m.key());
                last.put(m.key(), m);
            }
        }
        return List.copyOf(last.values());
    }

    @Override
    public Map<JobId, Standing> standing(Collection<JobId> jobs) {
        standingReads.incrementAndGet();
        Map<JobId, Standing> found = new HashMap<>(standings);
        found.keySet().retainAll(jobs);
        return found;
    }

    @Override
    public boolean wantOutput(JobId job) {
        if (standings.get(job) == null || standings.get(job).state().isFinal()) {
            return false;
        }
        live.add(job);
        return true;
    }
}
