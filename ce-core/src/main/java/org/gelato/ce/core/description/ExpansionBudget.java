package org.gelato.ce.core.description;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Characters that job descriptions expand to while they are read, beside the bodies that they came in: bounded for the process, and
 * for one caller to a share of it, so that what one caller's descriptions expand to is that caller's loss alone. A
 * character stands for four bytes: two of its own, and two of a copy. Thread-safe.
 */
public final class ExpansionBudget {
    private static final int BYTES = 4;
    /** Room for the largest description of any language, and for the jobs of a large call. */
    private static final long LEAST = 8L << 20;

    private final long total;
    private final long share;
    private final AtomicLong held = new AtomicLong();
    private final Map<String, Long> byHolder = new ConcurrentHashMap<>();

    /** Other calls hold the memory now; the call may succeed later. */
    public static final class ExhaustedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExhaustedException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * @param total characters for all callers together
     * @param share characters for one caller
     */
    public ExpansionBudget(long total, long share) {
        if (share <= 0 || share > total) {
            throw new IllegalArgumentException("a share of " + share + " characters of " + total);
        }
        this.total = total;
        this.share = share;
    }

    /** The budget for this JVM: a quarter of its heap, a quarter of that for one caller, but always room for any description. */
    public static ExpansionBudget ofHeap() {
        return ofHeap(Runtime.getRuntime().maxMemory());
    }

    /** @param heap bytes of memory */
    static ExpansionBudget ofHeap(long heap) {
        long total = Math.max(heap / 4 / BYTES, 2 * LEAST);
        return new ExpansionBudget(total, Math.max(total / 4, LEAST));
    }

    /** A budget that nothing exceeds. */
    public static ExpansionBudget unbounded() {
        return new ExpansionBudget(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * What a call may have; it is closed when the call ends.
     *
     * @param holder the caller, whatever the group
     */
    public CallBudget call(String holder) {
        return new CallBudget(this, holder);
    }

    /** Most characters of one caller. */
    long ofOne() {
        return share;
    }

    /**
     * Takes characters, all or none.
     *
     * @throws ExhaustedException when the holder's share or the whole would be exceeded
     */
    void take(String holder, long characters) {
        byHolder.compute(holder, (who, has) -> {
            long own = has == null ? 0 : has;
            if (own + characters > share) {
                throw new ExhaustedException("job descriptions of this caller hold " + own
                        + " characters of memory while they are read, at most " + share
                        + " are allowed; try again when some of the calls have ended");
            }
            takeOfAll(characters);
            return own + characters;
        });
    }

    /** Never more than there is, not even for a moment: another caller would be refused for it. */
    private void takeOfAll(long characters) {
        for (long now = held.get(); ; now = held.get()) {
            if (now + characters > total) {
                throw new ExhaustedException("job descriptions of all callers hold " + now
                        + " characters of memory while they are read, at most " + total
                        + " are allowed; try again later");
            }
            if (held.compareAndSet(now, now + characters)) {
                return;
            }
        }
    }

    void giveBack(String holder, long characters) {
        if (characters > 0) {
            byHolder.computeIfPresent(holder, (who, has) -> {
                held.addAndGet(-characters);
                return has <= characters ? null : has - characters;
            });
        }
    }

    /** Characters that all calls hold at this moment. */
    public long held() {
        return held.get();
    }

    /** Most characters of all callers. */
    public long total() {
        return total;
    }
}
