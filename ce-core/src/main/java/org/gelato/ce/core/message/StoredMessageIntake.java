package org.gelato.ce.core.message;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.GroupCommit;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.jdbi.v3.core.Handle;

/**
 * Stores what running jobs send: a secret is checked without the database, and batches that come at the same time share a transaction of a
 * few statements, whatever their number. Messages are taken in by their numbers, so a repetition changes nothing; what is over a quota
 * counts as taken in, is dropped and counted, and a notice among the job's messages says so. Called by the spool reader, the HTTPS end
 * point and the journal reader, from any thread.
 */
public final class StoredMessageIntake implements MessageIntake {
    /** Messages of a transaction. */
    private static final int MAX_TOGETHER = 5000;

    private final Database database;
    private final JobNumbers numbers;
    private final WrapperTokens tokens;
    private final MessageQuota quota;
    private final boolean journals;
    private final KnownRows known;
    private final DueSignal due;
    private final Clock clock;
    private final MessageStore store = new MessageStore();
    private final OwnerUse use = new OwnerUse(System::nanoTime);
    private final GroupCommit<List<MessageBatch>, List<Response>> shared;
    private final LongAdder stored = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile Runnable listener = () -> {};

    /**
     * @param journals whether the CE sees the journals of jobs; it then reads what a gap lacks
     * @param due is raised when a journal is to be read
     */
    public StoredMessageIntake(
            Database database,
            JobNumbers numbers,
            WrapperTokens tokens,
            MessageQuota quota,
            boolean journals,
            KnownRows known,
            DueSignal due,
            Clock clock) {
        this.database = database;
        this.numbers = numbers;
        this.tokens = tokens;
        this.quota = quota;
        this.journals = journals;
        this.known = known;
        this.due = due;
        this.clock = clock;
        shared = new GroupCommit<>(
                MAX_TOGETHER,
                batches -> batches.stream().mapToInt(MessageBatch::size).sum(),
                batches -> GroupCommit.ONE,
                requests -> database.inTransaction(h -> store(h, requests)));
    }

    /**
     * Has a listener run after each commit that stored something, by the thread that stored it; it takes the place of the one before.
     *
     * @param whenStored returns at once and does not fail
     */
    public void onStored(Runnable whenStored) {
        listener = whenStored;
    }

    @Override
    public List<Response> apply(List<MessageBatch> batches) {
        Response[] responses = new Response[batches.size()];
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < responses.length; i++) {
            MessageBatch batch = batches.get(i);
            if (!tokens.matches(batch.job(), batch.token())) {
                refused.increment();
                responses[i] = new Response(Result.REFUSED, batch.first(), false);
            } else if (!quota.job().isOn()) {
                responses[i] = new Response(Result.FULL, batch.first(), false);
            } else {
                places.add(i);
            }
        }
        if (!places.isEmpty()) {
            // A spool is read in no order.
            places.sort(Comparator.comparingLong(i -> batches.get(i).first()));
            database.batches()
                    .write(
                            places,
                            part -> {
                                List<Response> believed = shared.submit(
                                        part.stream().map(batches::get).toList());
                                for (int i = 0; i < believed.size(); i++) {
                                    responses[part.get(i)] = believed.get(i);
                                }
                            },
                            i -> "what " + batches.get(i).job() + " sent",
                            (i, reason) -> {
                                refused.increment();
                                responses[i] = new Response(
                                        Result.REFUSED, batches.get(i).first(), false);
                            })
                    .rethrow();
        }
        return List.of(responses);
    }

    /** Messages and pieces of output stored so far. */
    public long stored() {
        return stored.sum();
    }

    /** Messages and pieces of output dropped for a quota so far. */
    public long dropped() {
        return dropped.sum();
    }

    /** Batches without the right secret, of jobs there are not, that came after their job's end was settled, or that can't be stored. */
    public long refused() {
        return refused.sum();
    }

    private List<List<Response>> store(Handle h, List<List<MessageBatch>> requests) {
        TreeSet<Integer> jobs = new TreeSet<>();
        TreeSet<Integer> unknown = new TreeSet<>();
        for (List<MessageBatch> request : requests) {
            for (MessageBatch batch : request) {
                int job = numbers.row(batch.job());
                jobs.add(job);
                if (!known.contains(job)) {
                    unknown.add(job);
                }
            }
        }
        store.open(h, unknown);
        Map<Integer, MessageRecord> records = store.lock(h, jobs);
        Set<Integer> owners = new HashSet<>();
        records.values().forEach(record -> owners.add(record.owner()));
        Map<Integer, Long> room = owners.isEmpty() ? Map.of() : use.of(h, owners);
        Map<Integer, Long> added = new HashMap<>();
        Instant now = clock.instant();
        boolean gaps = false;
        long notTaken = 0;
        List<List<Response>> responses = new ArrayList<>();
        for (List<MessageBatch> request : requests) {
            List<Response> each = new ArrayList<>();
            for (MessageBatch batch : request) {
                MessageRecord record = records.get(numbers.row(batch.job()));
                if (record == null) {
                    notTaken++;
                    each.add(new Response(Result.REFUSED, batch.first(), false));
                    continue;
                }
                long before = record.newBytes();
                // What the job adds is in the owner's sum but for what it has added itself, which the record counts.
                long others = room.get(record.owner()) + added.getOrDefault(record.owner(), 0L) - before;
                Response response = record.take(batch, quota, bytes -> others + bytes <= quota.bytesPerOwner(), now);
                added.merge(record.owner(), record.newBytes() - before, Long::sum);
                notTaken += response.result() == Result.REFUSED ? 1 : 0;
                if (response.result() == Result.GAP && journals && !record.isClosed()) {
                    record.due(now);
                    gaps = true;
                }
                each.add(response);
            }
            responses.add(each);
        }
        store.write(h, records.values());
        committed(h, records, notTaken, gaps);
        return responses;
    }

    private void committed(Handle h, Map<Integer, MessageRecord> records, long notTaken, boolean gaps) {
        h.afterCommit(() -> {
            known.addAll(records.keySet());
            records.values().forEach(record -> {
                stored.add(record.newMessages());
                dropped.add(record.newDropped());
                use.add(record.owner(), record.newBytes());
            });
            refused.add(notTaken);
            if (gaps) {
                due.raise();
            }
            if (records.values().stream().anyMatch(record -> !record.rows().isEmpty())) {
                listener.run();
            }
        });
    }
}
