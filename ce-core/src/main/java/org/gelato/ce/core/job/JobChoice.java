package org.gelato.ce.core.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The jobs a query is about, in the order of its result; the first are read and then passed. For one thread. */
public interface JobChoice {
    /**
     * A job.
     *
     * @param name the id as the client wrote it; null when it named none
     * @param row null for an id no job can have
     */
    record Choice(String name, Integer row) {}

    boolean hasNext();

    /** The next jobs, at most so many; at least one when there is one. */
    List<Choice> peek(int count);

    /** Passes jobs that {@link #peek} showed. */
    void pass(int count);

    /** The jobs a client named. */
    static JobChoice named(Map<String, Integer> rows) {
        List<Choice> all = new ArrayList<>(rows.size());
        rows.forEach((name, row) -> all.add(new Choice(name, row)));
        return new Named(all);
    }

    /**
     * All jobs of an owner, oldest first, a page of ids in memory at a time.
     *
     * @param after reads the page of ids above a given one
     */
    static JobChoice paged(IntFunction<Page> after) {
        return new Paged(after);
    }

    /** Jobs by name. */
    final class Named implements JobChoice {
        private final List<Choice> all;
        private int at;

        private Named(List<Choice> all) {
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            return at < all.size();
        }

        @Override
        public List<Choice> peek(int count) {
            return all.subList(at, Math.min(all.size(), at + count));
        }

        @Override
        public void pass(int count) {
            at += count;
        }
    }

    /** Jobs by their ids. */
    final class Paged implements JobChoice {
        private final IntFunction<Page> after;
        private Page page;
        private int at;

        private Paged(IntFunction<Page> after) {
            this.after = after;
            page = after.apply(0);
        }

        @Override
        public boolean hasNext() {
            return at < page.size() || page.more();
        }

        @Override
        public List<Choice> peek(int count) {
            if (at == page.size() && page.more()) {
                page = after.apply(page.last());
                at = 0;
            }
            List<Choice> next = new ArrayList<>();
            for (int i = at; i < Math.min(page.size(), at + count); i++) {
                next.add(new Choice(null, page.ids[i]));
            }
            return next;
        }

        @Override
        public void pass(int count) {
            at += count;
        }
    }

    /** The smallest of many ids, whatever order they come in: an owner may have more than are to be held. */
    final class Page {
        private final int most;
        private int[] ids;
        private int size;
        private boolean cut;

        /** @param most ids kept */
        Page(int most) {
            this.most = most;
            ids = new int[Math.min(most, 256)];
        }

        void add(int id) {
            if (size == ids.length) {
                if (size == 2 * most) {
                    cut();
                } else {
                    ids = Arrays.copyOf(ids, Math.min(2 * most, 2 * size));
                }
            }
            ids[size++] = id;
        }

        private void cut() {
            Arrays.sort(ids, 0, size);
            cut |= size > most;
            size = Math.min(size, most);
        }

        /** Sorts the ids, once all came. */
        Page complete() {
            cut();
            ids = Arrays.copyOf(ids, size);
            return this;
        }

        int size() {
            return size;
        }

        /** Whether there are ids above {@link #last}. */
        boolean more() {
            return cut;
        }

        int last() {
            return ids[size - 1];
        }
    }
}
