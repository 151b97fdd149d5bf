package org.gelato.ce.ws.soap.gate;

import java.io.IOException;
import java.io.InputStream;

/** Reads a request's body up to a limit. For one request and one thread. */
final class BoundedBody extends InputStream {
    private final InputStream in;
    private final int max;
    private long count;

    /** The body is larger than allowed; the rest was not read. */
    static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;

        TooLarge(int max) {
            super("the request is larger than " + max + " bytes");
        }
    }

    BoundedBody(InputStream in, int max) {
        this.in = in;
        this.max = max;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = in.read(buffer, offset, length);
        if (n > 0) {
            count += n;
            if (count > max) {
                throw new TooLarge(max);
            }
        }
        return n;
    }
}
