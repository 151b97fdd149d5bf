package org.gelato.ce.ws.push;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What clients follow: numbered events of which each client selects some. Only the thread of {@link Followers} calls it.
 *
 * @param <S> what a client selects; followers with equal ones share their reads
 */
public interface Followed<S> {
    /** The largest id that may be read now: no smaller one can appear later. */
    long horizon();

    /** The owners that have events in a range of ids: {@code after} is exclusive, {@code to} inclusive. */
    Set<Integer> ownersBetween(long after, long to);

    /** The owners of all that a selection can hold; empty where that may be any. */
    Set<Integer> owners(S selection);

    /**
     * Reads what follows a cursor, as it is sent.
     *
     * @param to inclusive, at most {@link #horizon()}
     * @param room bytes after which nothing more is added
     */
    Page page(S selection, long after, long to, int room);

    /** The cursor after an id, as clients see it: a line of ASCII. */
    String cursor(long id);

    /**
     * What has come to its end, so that nothing of it has an id above the next horizon. Called before that is read.
     *
     * @return without those that have no end, or of which nothing has ended yet
     */
    default Map<S, Ended> ended(Collection<S> selections) {
        return Map.of();
    }

    /**
     * Some events.
     *
     * @param bytes empty when none was selected
     * @param last the cursor after them; {@code to} when there are no more
     */
    record Page(byte[] bytes, long last) {}

    /**
     * Parts of a selection that have ended.
     *
     * @param parts what is sent for each, once
     * @param all whether nothing else is in the selection: the stream ends then
     */
    record Ended(Map<String, byte[]> parts, boolean all) {}
}
