package org.gelato.ce.ws.http;

import org.gelato.ce.core.base.SharedBudget;

/**
 * Bytes of requests and answers that wait in memory for their clients: bounded for the process, and for one holder to a share
 * of it, so that what one client sends or does not take is that client's loss alone. Thread-safe.
 */
public final class MemoryBudget {
    private final SharedBudget budget;

    /**
     * @param total bytes for all holders together
     * @param share bytes for one holder
     */
    public MemoryBudget(long total, long share) {
        budget = new SharedBudget(total, share);
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
        budget.take(holder, bytes).ifPresent(exceeded -> {
            throw new Exhausted("requests and responses of " + (exceeded.ofAll() ? "all clients" : "this client")
                    + " hold "
                    + exceeded.held() + " bytes of memory, at most " + exceeded.most() + " are allowed; try again "
                    + (exceeded.ofAll() ? "later" : "when some of them have ended"));
        });
    }

    /** Takes bytes that are there already, within the budget or beyond it: the holder's next {@link #take} sees them. */
    public void charge(String holder, long bytes) {
        budget.charge(holder, bytes);
    }

    /** Gives back what was taken. */
    public void giveBack(String holder, long bytes) {
        budget.giveBack(holder, bytes);
    }

    /** Bytes that all clients hold at this moment. */
    public long held() {
        return budget.held();
    }

    /** Most bytes of all holders. */
    public long total() {
        return budget.total();
    }
}
