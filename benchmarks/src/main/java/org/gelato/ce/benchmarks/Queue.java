package org.gelato.ce.benchmarks;

/** A queue of starts that some claimers empty. Used by one thread. */
interface Queue extends AutoCloseable {
    /** How long the emptying of a queue may take before the measurement has failed, in seconds. */
    int PATIENCE = 60;

    /** Queues the starts of all jobs that wait; nothing takes them before {@link #empty}, or next to nothing. */
    void fill();

    /**
     * Claims and completes everything.
     *
     * @throws IllegalStateException when it is not done within {@link #PATIENCE}
     */
    void empty();

    @Override
    void close();
}
