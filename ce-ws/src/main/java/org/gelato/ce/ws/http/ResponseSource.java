package org.gelato.ce.ws.http;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A response that is made in parts, each when the client has taken the one before, so that a response of any size needs the
 * memory of one part. Called by one request thread at a time; no thread is held in between.
 */
public interface ResponseSource extends AutoCloseable {
    /**
     * Makes the next part.
     *
     * @param out takes it in memory; a part is some hundred kilobytes, a megabyte at most
     * @return whether more follows
     * @throws IOException when the response cannot be completed: the connection is closed, so that what was sent does not look
     *     whole
     */
    boolean next(OutputStream out) throws IOException;

    /** The last part was made, or the client has gone. */
    @Override
    default void close() {}
}
