package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A connected Unix socket as the {@link Socket} that the database driver wants; the JDK has Unix sockets as channels only. As with
 * sockets of TCP reads have a time limit, and an interrupt ends neither a read nor the connection, which it does with a channel that
 * blocks. One thread reads and writes; any thread may close it, which ends a read with an error.
 */
final class UnixSocket extends Socket {
    private static final int READ_AHEAD = 16 << 10;
    /** The JDK keeps for each thread memory outside the heap of the size of its largest transfer. */
    private static final int LARGEST_TRANSFER = 64 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final InputStream input = new Input();
    private final OutputStream output = new Output();
    private volatile int timeout;

    /**
     * Takes over a channel.
     *
     * @param channel connected, does not block; not closed here when this fails
     */
    UnixSocket(SocketChannel channel) throws IOException {
        super((SocketImpl) null);
        this.channel = channel;
        selector = Selector.open();
        try {
            key = channel.register(selector, 0);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
    }

    private void await(int operation, long begin, int limit) throws IOException {
        boolean interrupted = false;
        try {
            key.interestOps(operation);
            while (true) {
                long left = 0; // for ever
                if (limit > 0) {
                    left = limit - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                    if (left <= 0) {
                        throw new SocketTimeoutException("nothing from the database in " + limit + " ms");
                    }
                }
                if (selector.select(ready -> {}, left) > 0) {
                    return;
                }
                // An interrupt lets each select return at once.
                interrupted |= Thread.interrupted();
            }
        } catch (ClosedSelectorException | CancelledKeyException e) {
            throw closed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static SocketException closed(Exception cause) {
        SocketException closed = new SocketException("the connection to the database was closed meanwhile");
        closed.initCause(cause);
        return closed;
    }

    private final class Input extends InputStream {
        /** What was read ahead: the driver reads the four bytes of a header first, and each row by itself. */
        private final ByteBuffer ahead = ByteBuffer.allocate(READ_AHEAD).limit(0);

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            if (!ahead.hasRemaining()) {
                if (length >= READ_AHEAD) {
                    return fill(ByteBuffer.wrap(bytes, offset, Math.min(length, LARGEST_TRANSFER)));
                }
                ahead.clear();
                try {
                    if (fill(ahead) < 0) {
                        return -1;
                    }
                } finally {
                    ahead.flip();
                }
            }
            int taken = Math.min(length, ahead.remaining());
            ahead.get(bytes, offset, taken);
            return taken;
        }

        private int fill(ByteBuffer buffer) throws IOException {
            long begin = System.nanoTime();
            int limit = timeout;
            int count = channel.read(buffer);
            while (count == 0) {
                await(SelectionKey.OP_READ, begin, limit);
                count = channel.read(buffer);
            }
            return count;
        }

        @Override
        public int available() {
            return ahead.remaining();
        }

        @Override
        public void close() throws IOException {
            UnixSocket.this.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            for (int at = offset; at < offset + length; ) {
                int part = Math.min(offset + length - at, LARGEST_TRANSFER);
                int count = channel.write(ByteBuffer.wrap(bytes, at, part));
                at += count;
                if (count == 0) {
                    await(SelectionKey.OP_WRITE, System.nanoTime(), 0); // as with TCP, without a limit
                }
            }
        }

        @Override
        public void close() throws IOException {
            UnixSocket.this.close();
        }
    }

    @Override
    public InputStream getInputStream() {
        return input;
    }

    @Override
    public OutputStream getOutputStream() {
        return output;
    }

    @Override
    public synchronized int getSoTimeout() {
        return timeout;
    }

    /** For reads; 0 for none. */
    @Override
    public synchronized void setSoTimeout(int milliseconds) {
        timeout = milliseconds;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        try {
            return channel.getRemoteAddress();
        } catch (IOException e) {
            return null; // closed
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public String toString() {
        return "UnixSocket[" + channel + "]";
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
        selector.close(); // else the descriptor of a registered channel stays
    }
}
