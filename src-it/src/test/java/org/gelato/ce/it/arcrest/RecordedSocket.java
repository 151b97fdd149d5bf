package org.gelato.ce.it.arcrest;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A TCP connection to this host below a TLS one, which keeps what came: the records of TLS. Read by one thread. */
final class RecordedSocket extends Socket {
    private static final int HEAD = 5;
    private static final int APPLICATION_DATA = 23;

    private final ByteArrayOutputStream came = new ByteArrayOutputStream();

    RecordedSocket(int port) throws IOException {
        super(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                int b = super.read();
                if (b >= 0) {
                    came.write(b);
                }
                return b;
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                int n = super.read(to, offset, length);
                came.write(to, offset, Math.max(0, n));
                return n;
            }
        };
    }

    /** The lengths of the records of application data that came since the last call. */
    List<Integer> records() {
        byte[] bytes = came.toByteArray();
        came.reset();
        List<Integer> lengths = new ArrayList<>();
        for (int at = 0; at < bytes.length; ) {
            int length = ((bytes[at + 3] & 0xff) << 8) | (bytes[at + 4] & 0xff);
            if (bytes[at] == APPLICATION_DATA) {
                lengths.add(length);
            }
            at += HEAD + length;
            if (at > bytes.length) {
                throw new IllegalStateException("a record breaks off: " + Arrays.toString(Arrays.copyOf(bytes, HEAD)));
            }
        }
        return lengths;
    }
}
