package org.gelato.ce.ws.http;

/**
 * A response without an end, which a thread of the CE writes to as things happen. It never waits for the client and keeps
 * nothing for it: what the client cannot take now is refused, and offered again by whoever has it. Made by {@link Exchange#live}.
 * Thread-safe.
 */
public interface LiveResponse extends AutoCloseable {
    /**
     * Writes bytes if the client has taken what came before.
     *
     * @param bytes some ten kilobytes at most; the container copies what the network does not take
     * @return whether they were written; all or nothing
     */
    boolean offer(byte[] bytes);

    /** Whether the client has gone, or the response was ended. */
    boolean ended();

    /** Ends the response; the client sees its regular end. */
    @Override
    void close();
}
