package org.gelato.ce.ws.soap;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A response of any size, of which a slice at a time is read and written. Between two slices it holds no thread, connection or
 * lock, and of its data none but the position of the next slice; so its driver may let any time pass until the client has
 * taken what was written. For one thread at a time.
 */
@FunctionalInterface
public interface StreamedResponse {
    /**
     * Writes the next slice: reads all of it first, and only then writes.
     *
     * @return whether there is more to write; never called again after false or an exception
     * @throws IOException when the client does not take it
     * @throws RuntimeException when the slice cannot be read; what was written is no response, and must not appear as one
     */
    boolean writeNext(OutputStream out) throws IOException;
}
