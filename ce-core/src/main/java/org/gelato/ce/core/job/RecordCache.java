package org.gelato.ce.core.job;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The first of a job's records and the newest, as many as fit: a client may send a job any number of commands, each of which
 * leaves a record. For one thread.
 */
public final class RecordCache<T> {
    /** What the records may weigh, in bytes; some thousands of the usual ones. */
    static final int MAX = 1 << 18;

    private final Deque<T> newest = new ArrayDeque<>();
    private final Deque<Integer> weights = new ArrayDeque<>();
    private T first;
    private int sum;

    /** Adds one that is newer than those before. */
    public void add(T item, int weight) {
        if (first == null) {
            first = item;
            return;
        }
        newest.add(item);
        weights.add(weight);
        sum += weight;
        while (sum > MAX) {
            newest.remove();
            sum -= weights.remove();
        }
    }

    /** All records, the oldest first. */
    public List<T> all() {
        List<T> all = new ArrayList<>(newest.size() + 1);
        all.add(first);
        all.addAll(newest);
        return all;
    }
}
