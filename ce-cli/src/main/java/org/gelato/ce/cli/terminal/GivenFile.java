package org.gelato.ce.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that a user names, which may be a pipe: a FIFO, or what a shell makes of {@code <(...)}. It is read by plain reads, once: Java asks
 * some streams for size and position, which a pipe has not, and which of them depends on its version.
 */
public final class GivenFile {
    private static final int BUFFER = 64 << 10;
    private static final int TYPE = 0170000;
    private static final int PIPE = 0010000;
    private static final int REGULAR = 0100000;

    /** What a file is to who reads it. */
    public enum Kind {
        REGULAR,
        PIPE,
        /** A terminal, a device, a socket, a directory, or nothing. */
        OTHER
    }

    /** Takes pieces of a file. */
    @FunctionalInterface
    public interface Sink {
        void write(byte[] bytes, int from, int length) throws IOException;
    }

    /** What pipes held: a proxy and a token are read again for each CE. */
    private static final Map<Path, byte[]> READ = new ConcurrentHashMap<>();

    private GivenFile() {}

    /** What is behind a path and its links. */
    public static Kind kind(Path file) {
        try {
            return switch ((Integer) Files.getAttribute(file, "unix:mode") & TYPE) {
                case PIPE -> Kind.PIPE;
                case REGULAR -> Kind.REGULAR;
                default -> Kind.OTHER;
            };
        } catch (IOException | UnsupportedOperationException e) {
            return Kind.OTHER;
        }
    }

    /**
     * Reads a file; a pipe at the first time, and then what it held.
     *
     * @return at most a byte more than the bound, which says that there is more; the caller's own
     */
    public static byte[] read(Path file, int max) throws IOException {
        byte[] before = READ.get(file);
        if (before != null) {
            return before.clone();
        }
        boolean pipe = kind(file) == Kind.PIPE;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = read(in, max);
            if (pipe) {
                READ.put(file, bytes.clone());
            }
            return bytes;
        }
    }

    /** The same of what is open already. */
    public static byte[] read(InputStream in, int max) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        transfer(in, max, bytes::write);
        return bytes.toByteArray();
    }

    /**
     * Reads a stream to its end.
     *
     * @return the number of bytes; more than the bound when there is more, which is not read
     */
    public static long transfer(InputStream in, long max, Sink sink) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long read = 0;
        while (read <= max) {
            int n = in.read(buffer, 0, (int) Math.min(buffer.length, max + 1 - read));
            if (n < 0) {
                break;
            }
            sink.write(buffer, 0, n);
            read += n;
        }
        return read;
    }
}
