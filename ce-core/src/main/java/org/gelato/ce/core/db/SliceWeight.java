package org.gelato.ce.core.db;

/**
 * About how many bytes of memory one slice of a result takes while it is read. Results have any size, and what is held of
 * each at a time is bounded by this. For one read and one thread.
 */
public final class SliceWeight {
    /** For queries whose rows are to be taken one at a time: by default the driver holds all rows of a result. */
    public static final int ROW_BY_ROW = Integer.MIN_VALUE;

    /** What a slice of several things may weigh, in bytes. With 64 request threads it fits a heap of 256 MiB. */
    public static final int MAX = 2 << 20;

    private static final int ROW = 64;
    private static final int LATIN_1 = 0xff;

    private final boolean bounded;
    private long sum;

    /** A slice weighs too much and is to be read again with fewer things in it. */
    public static final class TooHeavy extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private TooHeavy() {
            super("a slice of a result weighs more than " + MAX + " bytes", null, false, false);
        }
    }

    /** @param bounded false for a slice that cannot be made smaller */
    public SliceWeight(boolean bounded) {
        this.bounded = bounded;
    }

    /**
     * Adds a row.
     *
     * @param texts each may be null
     * @return what the row weighs
     * @throws TooHeavy when the slice weighs too much with it
     */
    public int row(String... texts) {
        int weight = ROW;
        for (String text : texts) {
            weight += of(text);
        }
        sum += weight;
        if (bounded && sum > MAX) {
            throw new TooHeavy();
        }
        return weight;
    }

    /** Bytes of a text's characters in memory; 0 for null. */
    private static int of(String text) {
        if (text == null) {
            return 0;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > LATIN_1) {
                return 2 * text.length();
            }
        }
        return text.length();
    }
}
