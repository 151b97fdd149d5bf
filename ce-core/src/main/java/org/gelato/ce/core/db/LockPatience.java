package org.gelato.ce.core.db;

/** Whether transactions of this thread wait for rows of others. They do, but while {@code BatchWrites} finds out which rows those are. */
public final class LockPatience {
    private static final ThreadLocal<Boolean> NONE = new ThreadLocal<>();

    private LockPatience() {}

    /** Runs work whose transactions fail at once where another session holds a row: within a second on MySQL, which has nothing shorter. */
    public static void without(Runnable work) {
        boolean outer = isNone();
        NONE.set(true);
        try {
            work.run();
        } finally {
            if (!outer) {
                NONE.remove();
            }
        }
    }

    /** Whether they fail at once. */
    public static boolean isNone() {
        return NONE.get() != null;
    }
}
