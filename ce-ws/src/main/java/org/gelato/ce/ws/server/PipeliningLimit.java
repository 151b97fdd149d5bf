package org.gelato.ce.ws.server;

/**
 * Who sends requests without waiting for responses holds a thread as long as there is a next one: a row of them ends with the connection,
 * and others have their turn. Each thread counts its own.
 */
final class PipeliningLimit {
    /** Requests of a connection that are served without a pause where each came before the response to the last one. */
    private static final int PIPELINED = 100;
    /** And where they may have come after it: a fast client on this host's own network. */
    private static final int IN_A_ROW = 1000;

    private static final ThreadLocal<PipeliningLimit> CURRENT = ThreadLocal.withInitial(PipeliningLimit::new);

    private int served;
    private int pipelined;

    private PipeliningLimit() {}

    /** This thread takes up a connection. */
    static void begin() {
        CURRENT.remove();
    }

    /**
     * Counts a request of the connection that this thread serves.
     *
     * @param anotherCame whether something of the next request is there already
     * @return whether the connection is to end with it
     */
    static boolean isReached(boolean anotherCame) {
        PipeliningLimit row = CURRENT.get();
        row.served++;
        row.pipelined += anotherCame ? 1 : 0;
        return row.served >= IN_A_ROW || row.pipelined >= PIPELINED;
    }
}
