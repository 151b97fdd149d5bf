package org.gelato.ce.core.db;

/** Whether transactions of this thread wait for rows of others. They do, but while {@link BatchWrites} finds out which rows those are. */
final class LockPatience {
    private static final ThreadLocal<Boolean> NONE = new ThreadLocal<>();

    private LockPatience() {}

    /** Runs work whose transactions fail at once where another session holds a row: within a second on MySQL, which has nothing shorter. */
    static void without(Runnable work) {
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

    static boolean isNone() {
        return NONE.get() != null;
    }
}
