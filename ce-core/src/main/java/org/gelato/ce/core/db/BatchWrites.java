package org.gelato.ce.core.db;

import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.gelato.ce.core.text.Words;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches of which one member may be such that the database never takes it (docs/developer/decisions/0061). A batch that fails is written
 * in halves, down to its members, so that the others are written, and the one is found: it is logged once, counted, and given to who
 * parks it. A database that is away or busy rejects nothing: then the whole fails, to be repeated. Costs nothing while nothing fails.
 * Thread-safe.
 */
public final class BatchWrites {
    private static final Logger log = LoggerFactory.getLogger(BatchWrites.class);
    /** Names of rejected members that are remembered, so that each is logged once. */
    private static final int REMEMBERED = 1000;

    private static final int LONGEST_REASON = 500;

    private final LongAdder rejected = new LongAdder();
    private final Set<String> logged = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }));

    BatchWrites() {}

    /**
     * Writes a batch in the order of its members.
     *
     * @param work writes a part of the batch, in a transaction of its own, or nothing of it
     * @param name of a member, for the log; never a secret
     * @param park gets each member that failed alone, with the reason, before those behind it are written
     * @throws RuntimeException the work's, when the database was away or busy; members before the part that failed then are written or
     *     parked. What park throws
     */
    public <T> void write(List<T> batch, Consumer<List<T>> work, Function<T, String> name, BiConsumer<T, String> park) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            work.accept(batch);
            return;
        } catch (RuntimeException e) {
            if (Database.isPassing(e)) {
                throw e;
            }
            if (batch.size() == 1) {
                reject(batch.get(0), e, name, park);
                return;
            }
        }
        int half = batch.size() / 2;
        write(batch.subList(0, half), work, name, park);
        write(batch.subList(half, batch.size()), work, name, park);
    }

    private <T> void reject(T member, RuntimeException e, Function<T, String> name, BiConsumer<T, String> park) {
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
        String words = Words.of(e);
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
