package org.gelato.ce.core.db;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Halving;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches of which one member may be such that the database does not take it (docs/developer/decisions/0061). A batch that fails is
 * written in halves, down to its members, so that the others are written, and the one is found. Thread-safe.
 *
 * <ul>
 *   <li>A member that the database never takes is logged once, counted, and given to who parks it.
 *   <li>A member whose rows another session holds waits, and is returned. It is tried again after a time of its own, which doubles, and alone;
 *       until then it costs nothing. Members of one name wait together, so that they are written in their order.
 *   <li>A database that is away or busy rejects nothing: then the whole fails, to be repeated.
 * </ul>
 *
 * <p>Costs nothing while nothing fails. The first to meet a row that is held waits for it as any transaction does; who it is, is found out
 * without waiting on MariaDB, and within {@link #SEARCH} on MySQL.
 */
public final class BatchWrites {
    private static final Logger log = LoggerFactory.getLogger(BatchWrites.class);
    /** Names of members that are remembered, of the rejected and of those that wait. */
    private static final int REMEMBERED = 1000;

    private static final int LONGEST_REASON = 500;
    /** Of a member whose rows are held. */
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1));
    /** After its wait, where nobody brought it again. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);
    /** After which the rest of a batch waits with those that were found. */
    private static final Duration SEARCH = Duration.ofSeconds(15);

    private final LongAdder rejected = new LongAdder();
    private final LongSupplier nanos;
    private final Set<String> logged = Collections.synchronizedSet(Collections.newSetFromMap(bounded()));
    private final Map<String, Wait> waiting = Collections.synchronizedMap(bounded());

    /** Until when a member waits, after so many failures in a row. */
    private record Wait(long until, int failures, HeldRowsException why) {}

    /**
     * Members that were not written, as other sessions hold their rows.
     *
     * @param why null when there are none
     */
    public record Held<T>(List<T> members, RuntimeException why) {
        /** For who has nothing that would bring them again. */
        public void rethrow() {
            if (why != null) {
                throw why;
            }
        }
    }

    BatchWrites(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private static <V> Map<String, V> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    /**
     * Writes a batch in the order of its members, but for those that wait.
     *
     * @param work writes a part of the batch, in a transaction of its own, or nothing of it
     * @param name of a member, for the log, and unique for what it writes; never a secret
     * @param park gets each member that failed alone, with the reason, before those behind it are written
     * @return those that wait, in their order; to be brought again
     * @throws RuntimeException the work's, when the database was away or busy; members before the part that failed then are written,
     *     parked or waiting. What park throws
     */
    public <T> Held<T> write(
            List<T> batch, Consumer<List<T>> work, Function<T, String> name, BiConsumer<T, String> park) {
        Round<T> round = new Round<>(work, name, park);
        waiting.values().removeIf(wait -> nanos.getAsLong() - wait.until() >= FORGOTTEN.toNanos());
        if (waiting.isEmpty()) {
            round.write(batch);
        } else {
            List<T> others = new ArrayList<>();
            List<T> due = new ArrayList<>();
            for (T member : batch) {
                Wait wait = waiting.get(name.apply(member));
                if (wait == null) {
                    others.add(member);
                } else if (wait.until() - nanos.getAsLong() > 0) {
                    round.hold(member, wait.why());
                } else {
                    due.add(member);
                }
            }
            round.write(others);
            LockPatience.without(() -> round.write(due));
        }
        return new Held<>(round.held, round.why);
    }

    /** One call: what it has found. */
    private final class Round<T> {
        private final Consumer<List<T>> work;
        private final Function<T, String> name;
        private final BiConsumer<T, String> park;
        private final List<T> held = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private HeldRowsException why;
        private boolean searching;
        private boolean reported;
        private long searchedSince;

        Round(Consumer<List<T>> work, Function<T, String> name, BiConsumer<T, String> park) {
            this.work = work;
            this.name = name;
            this.park = park;
        }

        void write(List<T> members) {
            Halving.run(members, this::part, Database::isOfAll, this::alone);
        }

        private void part(List<T> given) {
            if (searching && nanos.getAsLong() - searchedSince >= SEARCH.toNanos()) {
                given.forEach(member -> hold(member, why));
                return;
            }
            List<T> part = given;
            if (!names.isEmpty()) {
                // What comes behind a member that waits would be written before it.
                part = given.stream()
                        .filter(member -> !names.contains(name.apply(member)))
                        .toList();
            }
            if (!part.isEmpty()) {
                writeNow(part);
            }
            if (part.size() < given.size()) {
                // Not before: a part that fails comes again, in halves.
                given.stream()
                        .filter(member -> names.contains(name.apply(member)))
                        .forEach(held::add);
            }
        }

        private void writeNow(List<T> part) {
            try {
                if (searching) {
                    LockPatience.without(() -> work.accept(part));
                } else {
                    work.accept(part);
                }
            } catch (RuntimeException e) {
                Database.held(e).ifPresent(this::search);
                throw e;
            }
            if (!waiting.isEmpty()) {
                part.forEach(member -> waiting.remove(name.apply(member)));
            }
        }

        private void search(SQLException reason) {
            why = new HeldRowsException(reason);
            if (!searching) {
                searching = true;
                searchedSince = nanos.getAsLong();
            }
        }

        private void alone(T member, Throwable failure) {
            if (Database.held(failure).isPresent()) {
                hold(member, why);
                return;
            }
            waiting.remove(name.apply(member));
            reject(member, failure, name, park);
        }

        void hold(T member, HeldRowsException reason) {
            String named = name.apply(member);
            Wait before = waiting.get(named);
            if (before == null || before.until() - nanos.getAsLong() <= 0) {
                int failures = before == null ? 1 : before.failures() + 1;
                waiting.put(
                        named,
                        new Wait(nanos.getAsLong() + BACKOFF.after(failures).toNanos(), failures, reason));
                if (before == null && !reported) {
                    reported = true; // the first of them: the others have the same reason, mostly
                    log.warn("{} waits, and is tried again: {}", named, Messages.of(reason));
                }
            }
            held.add(member);
            names.add(named);
            why = reason;
        }
    }

    private <T> void reject(T member, Throwable e, Function<T, String> name, BiConsumer<T, String> park) {
        rejected.increment();
        String reason = reason(e);
        String named = name.apply(member);
        if (logged.add(named)) {
            // The trace of a rejected statement shows nothing more, but its values.
            log.error("{} can't be stored as it is: {}", named, reason, Database.isFailure(e) ? null : e);
        }
        park.accept(member, reason);
    }

    /** The database's own words where it gave some: what is around them may show values. */
    private static String reason(Throwable e) {
        String words = Messages.of(e);
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql && sql.getMessage() != null) {
                words = sql.getMessage();
            }
        }
        return words.length() <= LONGEST_REASON ? words : words.substring(0, LONGEST_REASON);
    }

    /** Members that failed alone so far; one that is tried again counts again. */
    public long rejected() {
        return rejected.sum();
    }
}
