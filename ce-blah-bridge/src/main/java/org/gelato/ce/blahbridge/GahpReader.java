package org.gelato.ce.blahbridge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads lines that end at an LF no backslash makes plain. NUL bytes, which a real blahpd is known to send, are dropped. Used
 * by the one reader thread of a channel.
 */
final class GahpReader {
    /** A longer line is no line of a helper in its right mind. */
    static final int MAX_LINE_BYTES = 64 << 20;

    private static final int SHORT_LINE = 1 << 12;

    private final InputStream in;
    // Looked through in place: a stream's and a buffer's locks for each byte cost more than all else here.
    private final byte[] read = new byte[1 << 16];
    private int at;
    private int end;
    private byte[] line = new byte[SHORT_LINE];
    private int length;

    GahpReader(InputStream in) {
        this.in = in;
    }

    /** The next line without its line end; null at the end of input, also inside a line. */
    String next() throws IOException {
        length = 0;
        boolean escaped = false;
        boolean plainCr = false;
        while (isMore()) {
            int begin = at;
            for (; at < end; at++) {
                byte b = read[at];
                if (b == '\n' && !escaped) {
                    keep(begin);
                    at++;
                    return text(plainCr ? length - 1 : length);
                }
                if (b == 0) {
                    keep(begin);
                    begin = at + 1;
                } else {
                    plainCr = b == '\r' && !escaped;
                    escaped = b == '\\' && !escaped;
                }
            }
            keep(begin);
        }
        return null;
    }

    private boolean isMore() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, in.read(read));
        }
        return end > 0;
    }

    /** What was read from there up to here belongs to the line. */
    private void keep(int begin) throws IOException {
        int more = at - begin;
        if (length + more > MAX_LINE_BYTES) {
            throw new IOException("a line is longer than " + MAX_LINE_BYTES + " bytes");
        }
        if (length + more > line.length) {
            line = Arrays.copyOf(line, Math.max(length + more, 2 * line.length));
        }
        System.arraycopy(read, begin, line, length, more);
        length += more;
    }

    private String text(int bytes) {
        String text = new String(line, 0, bytes, StandardCharsets.UTF_8);
        if (line.length > read.length) {
            line = new byte[SHORT_LINE]; // a long line's memory is not kept for short ones
        }
        return text;
    }
}
