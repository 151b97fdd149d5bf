package org.gelato.ce.ws.http;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A request body that is kept in memory as its bytes come. Memory is counted before it is used: all of it at once when the
 * request announces the length of its body, and as the bytes come otherwise.
 */
final class GatheredBody {
    private static final int FIRST_BYTES = 8 << 10;

    private final boolean announced;
    private final int most;
    private final LongConsumer take;
    private final MinimumRate pace;
    private byte[] bytes;
    private int filled;

    /**
     * @param length bytes the request announces; negative when it does not
     * @param most bytes to be read; the rest of a longer body is left unread
     * @param take takes a number of bytes from the memory for requests, or throws {@link MemoryBudget.Exhausted}
     * @param pace of the client, in bytes
     * @throws MemoryBudget.Exhausted when there is no memory for the body; nothing was read then
     */
    GatheredBody(long length, int most, LongConsumer take, MinimumRate pace) {
        this.announced = length >= 0;
        this.most = announced ? (int) Math.min(length, most) : most;
        this.take = take;
        this.pace = pace;
        int first = Math.min(this.most, FIRST_BYTES);
        take.accept(announced ? this.most : first);
        bytes = new byte[first];
    }

    /**
     * Reads what the container has got already. Of a body in chunks nothing, as chunks have framing of their own.
     *
     * @param waiting whether to wait for the rest with this thread
     * @return whether the body is complete
     */
    boolean takeWhatIsThere(ServletInputStream in, boolean waiting) throws IOException {
        boolean ended = false;
        while (!ended && filled < most && (waiting || (announced && in.available() > 0))) {
            int n = fill(in);
            ended = n < 0;
            if (waiting && !ended) {
                pace.moved(n);
            }
        }
        return waiting || filled == most;
    }

    /**
     * Reads once.
     *
     * @return whether more is wanted
     */
    boolean read(ServletInputStream in) throws IOException {
        int n = fill(in);
        if (n >= 0) {
            pace.moved(n);
        }
        return filled < most;
    }

    private int fill(ServletInputStream in) throws IOException {
        if (filled == bytes.length) {
            int larger = (int) Math.min(most, 2L * bytes.length);
            if (!announced) {
                take.accept(larger - bytes.length);
            }
            bytes = Arrays.copyOf(bytes, larger);
        }
        int n = in.read(bytes, filled, bytes.length - filled);
        filled += Math.max(0, n);
        return n;
    }

    /** What has been read. */
    byte[] bytes() {
        return filled == bytes.length ? bytes : Arrays.copyOf(bytes, filled);
    }
}
