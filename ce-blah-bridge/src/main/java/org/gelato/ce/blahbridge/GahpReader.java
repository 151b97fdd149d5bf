package org.gelato.ce.blahbridge;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads lines that end at an LF no backslash makes plain. NUL bytes, which a real blahpd is known to send, are dropped. Used
 * by the one reader thread of a channel.
 */
final class GahpReader {
    /** A longer line is no line of a helper in its right mind. */
    static final int MAX_LINE_BYTES = 64 << 20;

    private final InputStream in;

    GahpReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** The next line without its line end; null at the end of input, also inside a line. */
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        boolean escaped = false;
        boolean plainCr = false;
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == 0) {
                continue;
            }
            if (c == '\n' && !escaped) {
                byte[] bytes = line.toByteArray();
                int length = plainCr ? bytes.length - 1 : bytes.length;
                return new String(bytes, 0, length, StandardCharsets.UTF_8);
            }
            plainCr = c == '\r' && !escaped;
            escaped = c == '\\' && !escaped;
            line.write(c);
            if (line.size() > MAX_LINE_BYTES) {
                throw new IOException("a line is longer than " + MAX_LINE_BYTES + " bytes");
            }
        }
        return null;
    }
}
