package org.gelato.ce.core.base;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongBiFunction;
import java.util.stream.Stream;

/**
 * A cache bounded by the bytes of its entries, never by their number: clients choose how large an entry is. Beyond the bound the entry
 * that was used least recently goes. An entry that would take more than an eighth of the cache is not kept, so that no client displaces
 * most of the others by one call. Entries do not end by themselves: who reads one judges its age. Thread-safe; no method calls
 * foreign code but the weigher, with the cache's lock held.
 *
 * @param <K> with equals and hashCode
 */
public final class ByteBoundedCache<K, V> {
    /** Of an entry beside what the weigher counts: nodes of the map, references, headers. */
    static final int OVERHEAD = 128;

    private static final int LARGEST_PART = 8;
    private static final LongAdder[] HELD =
            Stream.generate(LongAdder::new).limit(CacheShare.values().length).toArray(LongAdder[]::new);

    private final CacheShare share;
    private final long most;
    private final ToLongBiFunction<K, V> weigher;
    private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long held;

    /**
     * @param share whose part of the budget it has
     * @param weigher bytes of a key with its value, about; always the same for the same entry, as it is weighed again when it goes
     */
    public ByteBoundedCache(CacheShare share, ToLongBiFunction<K, V> weigher) {
        this(share, share.bytes(), weigher);
    }

    ByteBoundedCache(CacheShare share, long most, ToLongBiFunction<K, V> weigher) {
        this.share = share;
        this.most = most;
        this.weigher = weigher;
    }

    /** The bytes of the entries of this process's caches of a share, as they were weighed. */
    public static long held(CacheShare share) {
        return HELD[share.ordinal()].sum();
    }

    /** The bytes of a text in memory, at the most; null is none. */
    public static long weight(String text) {
        return text == null ? 0 : 56 + 2L * text.length();
    }

    /** The bytes of texts in memory, at the most. */
    public static long weight(Iterable<String> texts) {
        long sum = 56;
        for (String text : texts) {
            sum += 8 + weight(text);
        }
        return sum;
    }

    /** Empty when it is not known. */
    public synchronized Optional<V> get(K key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** Keeps a value in place of the one before, unless it is too large: then the one before is forgotten. */
    public synchronized void put(K key, V value) {
        remove(key);
        long bytes = OVERHEAD + weigher.applyAsLong(key, value);
        if (bytes > most / LARGEST_PART) {
            return;
        }
        entries.put(key, value);
        changed(bytes);
        Iterator<Map.Entry<K, V>> eldest = entries.entrySet().iterator();
        while (held > most) {
            Map.Entry<K, V> entry = eldest.next();
            long freed = OVERHEAD + weigher.applyAsLong(entry.getKey(), entry.getValue());
            eldest.remove();
            changed(-freed);
        }
    }

    /** Forgets an entry; nothing for one that is not known. */
    public synchronized void remove(K key) {
        V old = entries.remove(key);
        if (old != null) {
            changed(-OVERHEAD - weigher.applyAsLong(key, old));
        }
    }

    /** Forgets an entry where its value is still this very object. */
    @SuppressWarnings("ReferenceEquality")
    public synchronized void remove(K key, V value) {
        if (entries.get(key) == value) {
            remove(key);
        }
    }

    /** How many entries there are. */
    public synchronized int size() {
        return entries.size();
    }

    /** The bytes of the entries, as they were weighed. */
    public synchronized long bytes() {
        return held;
    }

    private void changed(long bytes) {
        held += bytes;
        HELD[share.ordinal()].add(bytes);
    }
}
