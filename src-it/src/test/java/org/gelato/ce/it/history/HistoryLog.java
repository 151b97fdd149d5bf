package org.gelato.ce.it.history;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.gelato.ce.it.history.nemesis.Authority;
import org.gelato.ce.it.history.nemesis.FaultKind;
import org.gelato.ce.it.history.nemesis.FaultLog;
import org.gelato.ce.it.history.nemesis.NotAdmittedException;

/** Writes down what clients do and see, in one order. Thread-safe. */
final class HistoryLog implements FaultLog {
    /** By which an end and a clock may differ. */
    private static final Duration MARGIN = Duration.ofMillis(500);

    private final long seed;
    private final Map<String, Authority> authorities;
    /** When each position was given. */
    private final NavigableMap<Long, Instant> times = new ConcurrentSkipListMap<>();
    /** When delegated proxies end at the earliest, by delegation. */
    private final Map<String, Instant> ends = new ConcurrentHashMap<>();

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final Queue<History.Fault> faults = new ConcurrentLinkedQueue<>();
    private final Set<String> endless = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> said = new ConcurrentHashMap<>();
    private volatile long closed = Call.NEVER;

    /** The first and the last moment at which credentials may end. */
    record Ends(Instant first, Instant last) {
        static final Ends NEVER = new Ends(Instant.MAX, Instant.MAX);

        boolean isOver() {
            return Instant.now().isAfter(last);
        }

        /** Of these and others, both of which are needed. */
        Ends or(Instant other) {
            return new Ends(first.isBefore(other) ? first : other, last.isBefore(other) ? last : other);
        }
    }

    /** A request that is sent once. */
    @FunctionalInterface
    interface Request {
        /** @throws IOException when it is not known what became of it */
        Answer send() throws IOException;
    }

    HistoryLog(long seed, Map<String, Authority> authorities) {
        this.seed = seed;
        this.authorities = authorities;
    }

    private long next() {
        long position = now.incrementAndGet();
        times.put(position, Instant.now());
        return position;
    }

    /** Sends a request and writes down its answer; a job that it made is the answer's text. */
    Answer record(String client, String owner, Operation operation, String job, String argument, Request request) {
        return record(client, owner, operation, job, argument, Ends.NEVER, request);
    }

    /** @param ends of its credentials */
    Answer record(
            String client, String owner, Operation operation, String job, String argument, Ends ends, Request request) {
        boolean ended = Instant.now().minus(MARGIN).isAfter(ends.last());
        int number = numbers.incrementAndGet();
        long invoked = next();
        Answer answer;
        try {
            answer = request.send();
        } catch (NotAdmittedException e) {
            answer = Answer.of(Answer.Kind.NOT_ADMITTED, e.getMessage());
        } catch (IOException e) {
            answer = Answer.none(e.toString());
        }
        long completed = answer.isKnown() ? next() : Call.NEVER;
        Call.Validity validity = ended
                ? Call.Validity.ENDED
                : Instant.now().plus(MARGIN).isBefore(ends.first()) ? Call.Validity.VALID : Call.Validity.ENDING;
        boolean made = operation.makesJobs() && answer.kind() == Answer.Kind.DONE;
        calls.add(new Call(
                number,
                client,
                owner,
                operation,
                made ? answer.text() : job,
                argument,
                validity,
                invoked,
                completed,
                answer));
        return answer;
    }

    /** A delegation ends then at the earliest. */
    void ends(String delegation, Instant first) {
        ends.put(delegation, first);
    }

    void endless(String job) {
        endless.add(job);
    }

    /** A job sends so many messages. */
    void says(String job, int messages) {
        said.put(job, messages);
    }

    boolean isTalking(String job) {
        return said.containsKey(job);
    }

    /** Whether a clock was wrong: what was put off by it is late by as much. */
    boolean hasWrongClock() {
        return faults.stream().anyMatch(History.Fault::movesClock);
    }

    boolean isEndless(String job) {
        return endless.contains(job);
    }

    @Override
    public void fault(FaultKind kind, Function<LongSupplier, Made> fault) {
        long from = next();
        Made made = Made.NOTHING;
        try {
            made = fault.apply(this::next);
        } finally {
            faults.add(new History.Fault(kind, from, next(), made.ended(), made.away()));
        }
    }

    /** From here on everything is followed to its end. */
    void close() {
        closed = next();
    }

    History history(Map<String, Integer> runs, Map<String, History.Usage> usage) {
        List<Call> inOrder =
                calls.stream().sorted(Comparator.comparingLong(Call::invoked)).toList();
        Map<String, Long> positions = new HashMap<>();
        ends.forEach((delegation, first) -> positions.put(delegation, before(first.minus(MARGIN))));
        return new History(
                seed, inOrder, List.copyOf(faults), runs, endless, said, authorities, positions, usage, closed);
    }

    /** The last position that was given before then. */
    private long before(Instant then) {
        return times.descendingMap().entrySet().stream()
                .filter(e -> e.getValue().isBefore(then))
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse(0L);
    }
}
