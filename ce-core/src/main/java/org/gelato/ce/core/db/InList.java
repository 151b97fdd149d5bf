package org.gelato.ce.core.db;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Values for {@code IN (<values>)}, of few different lengths: each length is another text, which Jdbi, the driver and the
 * server would parse anew. Only for lists where a value more than once changes nothing.
 */
public final class InList {
    private InList() {}

    /**
     * The values, and the last of them again and again until their number is a power of two.
     *
     * @param values none null
     * @return empty when there are none; unmodifiable
     */
    public static <T> List<T> of(Collection<T> values) {
        List<T> all = new ArrayList<>(values);
        if (!all.isEmpty()) {
            int more = padded(all.size()) - all.size();
            all.addAll(Collections.nCopies(more, all.get(all.size() - 1)));
        }
        return Collections.unmodifiableList(all);
    }

    /** The least power of two that is not below a number, which is at least 1. */
    static int padded(int size) {
        return Integer.highestOneBit(2 * size - 1);
    }
}
