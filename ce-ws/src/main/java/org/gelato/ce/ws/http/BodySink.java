package org.gelato.ce.ws.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * Takes the body of a request as it comes, for bodies that are too large to be gathered. Called by one request thread at a
 * time; no thread is held while bytes are waited for. Nothing is called after {@link #end} or {@link #broken}.
 */
public interface BodySink {
    /**
     * Reads once from a stream that has bytes.
     *
     * @return whether more is wanted; otherwise {@link #end} follows
     * @throws IOException when the client's bytes cannot be read
     */
    boolean read(InputStream in) throws IOException;

    /**
     * All came that is wanted.
     *
     * @return true when the response is written; false when the request waits for something else ({@link Exchange#await}), and its
     *     servlet writes the response when it is called again
     */
    boolean end() throws IOException;

    /** No more comes: the client went or was too slow. */
    void broken();
}
