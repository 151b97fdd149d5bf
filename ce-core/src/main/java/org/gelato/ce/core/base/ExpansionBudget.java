package org.gelato.ce.core.base;

import org.gelato.ce.core.fault.ServiceException;

/**
 * Characters that job descriptions expand to while they are read, beside the bodies that they came in: bounded for the process, and
 * for one caller to a share of it, so that what one caller's descriptions expand to is that caller's loss alone. A
 * character stands for four bytes: two of its own, and two of a copy. Thread-safe.
 */
public final class ExpansionBudget {
    private static final int BYTES = 4;
    /** Room for the largest description of any language, and for the jobs of a large call. */
    private static final long LEAST = 8L << 20;

    private final SharedBudget budget;

    /**
     * @param total characters for all callers together
     * @param share characters for one caller
     */
    public ExpansionBudget(long total, long share) {
        budget = new SharedBudget(total, share);
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
        return budget.share();
    }

    /**
     * Takes characters, all or none.
     *
     * @throws ServiceException SUBMISSION_DISABLED when the holder's share or the whole would be exceeded
     */
    void take(String holder, long characters) {
        budget.take(holder, characters).ifPresent(exceeded -> {
            throw ServiceException.disabled("job descriptions of " + (exceeded.ofAll() ? "all callers" : "this caller")
                    + " hold " + exceeded.held() + " characters of memory while they are read, at most "
                    + exceeded.most()
                    + " are allowed; try again "
                    + (exceeded.ofAll() ? "later" : "when some of the calls have ended"));
        });
    }

    void giveBack(String holder, long characters) {
        budget.giveBack(holder, characters);
    }

    /** Characters that all calls hold at this moment. */
    public long held() {
        return budget.held();
    }

    /** Most characters of all callers. */
    public long total() {
        return budget.total();
    }
}
