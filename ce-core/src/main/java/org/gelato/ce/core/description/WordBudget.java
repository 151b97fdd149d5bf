package org.gelato.ce.core.description;

/** How many words the descriptions of one call may have together. One instance per call; not thread-safe. */
public final class WordBudget {
    /** Some thousand usual descriptions. */
    public static final int OF_A_CALL = 500_000;

    private int left = OF_A_CALL;

    /** The descriptions of a call have too many words together; it says nothing of the one that was read last. */
    public static final class SpentException extends DescriptionException {
        private static final long serialVersionUID = 1L;

        private SpentException() {
            super("the job descriptions of one call have more than " + OF_A_CALL
                    + " words together: send them in several calls");
        }
    }

    /** Counts one word. */
    public void take() throws SpentException {
        if (left == 0) {
            throw new SpentException();
        }
        left--;
    }
}
