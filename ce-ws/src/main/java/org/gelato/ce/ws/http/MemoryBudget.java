package org.gelato.ce.ws.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of requests and answers that wait in memory for their clients: bounded for the process, and for one holder to a share
 * of it, so that what one client sends or does not take is that client's loss alone. Thread-safe.
 */
public final class MemoryBudget {
    private final long total;
    private final long share;
    private final AtomicLong held = new AtomicLong();
    private final Map<String, Long> byHolder = new ConcurrentHashMap<>();

    /**
     * @param total bytes for all holders together
     * @param share bytes for one holder
     */
    public MemoryBudget(long total, long share) {
        if (share <= 0 || share > total) {
            throw new IllegalArgumentException("a share of " + share + " bytes of " + total);
        }
        this.total = total;
        this.share = share;
    }

    /**
     * The budget for this JVM: a quarter of its heap, a quarter of that for one holder, but always room for the largest body.
     *
     * @param largest bytes of the largest body
     */
    public static MemoryBudget ofHeap(long largest) {
        long total = Math.max(Runtime.getRuntime().maxMemory() / 4, 2 * largest);
        return new MemoryBudget(total, Math.max(total / 4, largest));
    }

    /** No memory for more bytes now. */
    public static final class Exhausted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Exhausted(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Takes bytes, all or none.
     *
     * @param holder who is to give them back
     * @throws Exhausted when the holder's share or the whole would be exceeded
     */
    public void take(String holder, long bytes) {
        byHolder.compute(holder, (who, has) -> {
            long own = has == null ? 0 : has;
            if (own + bytes > share) {
                throw new Exhausted("requests and responses of this client hold " + own + " bytes of memory, at most "
                        + share + " are allowed; try again when some of them have ended");
            }
            takeOfAll(bytes);
            return own + bytes;
        });
    }

    /** Never more than there is, not even for a moment: another client would be refused for it. */
    private void takeOfAll(long bytes) {
        for (long now = held.get(); ; now = held.get()) {
            if (now + bytes > total) {
                throw new Exhausted("requests and responses of all clients hold " + now + " bytes of memory, at most "
                        + total + " are allowed; try again later");
            }
            if (held.compareAndSet(now, now + bytes)) {
                return;
            }
        }
    }

    /** Takes bytes that are there already, within the budget or beyond it: the holder's next {@link #take} sees them. */
    public void charge(String holder, long bytes) {
        byHolder.compute(holder, (who, has) -> {
            held.addAndGet(bytes);
            return has == null ? bytes : has + bytes;
        });
    }

    /** Gives back what was taken. */
    public void giveBack(String holder, long bytes) {
        byHolder.computeIfPresent(holder, (who, has) -> {
            held.addAndGet(-bytes);
            return has <= bytes ? null : has - bytes;
        });
    }

    /** Bytes that all clients hold at this moment. */
    public long held() {
        return held.get();
    }

    /** Most bytes of all holders. */
    public long total() {
        return total;
    }
}
