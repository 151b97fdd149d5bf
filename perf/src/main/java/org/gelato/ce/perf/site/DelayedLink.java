package org.gelato.ce.perf.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.cli.wire.Endpoint;

/**
 * A way to the CE that is as long as to another continent: what a client sends reaches the CE half a round trip later, and the
 * other way round; a connection takes a round trip to be made. Each connection is its own, so TLS and keep-alive are the
 * client's and the CE's. It costs the measuring process, not the CE.
 */
final class DelayedLink implements AutoCloseable {
    private static final int CHUNK = 1 << 16;
    /** What is on its way in one direction, in chunks: enough for any window. */
    private static final int ON_THE_WAY = 1024;

    private final long halfNanos;
    private final Endpoint to;
    private final ServerSocket door;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private record Chunk(byte[] bytes, long due) {}

    /**
     * Opens it.
     *
     * @throws IOException when no port can be had
     */
    DelayedLink(Endpoint to, Duration roundTrip) throws IOException {
        this.to = to;
        halfNanos = roundTrip.toNanos() / 2;
        door = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        thread("delayed-door", this::accept);
    }

    Endpoint endpoint() {
        return new Endpoint(to.host(), door.getLocalPort());
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = door.accept();
                Socket ce = reach(client);
                if (ce == null) {
                    continue;
                }
                for (Socket socket : new Socket[] {client, ce}) {
                    socket.setTcpNoDelay(true);
                    open.add(socket);
                }
                // The first bytes come a round trip later: so long the connection would have taken to be made.
                long established = System.nanoTime() + 2 * halfNanos;
                AtomicInteger directions = new AtomicInteger(2);
                forward(client, ce, established, directions);
                forward(ce, client, established, directions);
            } catch (IOException e) {
                if (!closed) {
                    throw new UncheckedIOException("the delayed link broke: " + e.getMessage(), e);
                }
            }
        }
    }

    /** A connection to the CE; null where there is none to be had: then the client's ends, as it would without the link. */
    private Socket reach(Socket client) {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), to.port());
        } catch (IOException e) {
            end(client);
            return null;
        }
    }

    /** @param directions of the connection that have not ended; the last one closes both sockets */
    private void forward(Socket from, Socket into, long notBefore, AtomicInteger directions) {
        LinkedBlockingQueue<Chunk> onTheWay = new LinkedBlockingQueue<>(ON_THE_WAY);
        thread("delayed-in", () -> take(from, onTheWay, notBefore));
        thread("delayed-out", () -> {
            give(into, onTheWay);
            if (directions.decrementAndGet() == 0) {
                end(from);
                end(into);
            }
        });
    }

    private void take(Socket from, LinkedBlockingQueue<Chunk> onTheWay, long notBefore) {
        try {
            InputStream in = from.getInputStream();
            byte[] buffer = new byte[CHUNK];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                byte[] bytes = Arrays.copyOf(buffer, n);
                onTheWay.put(new Chunk(bytes, Math.max(notBefore, System.nanoTime()) + halfNanos));
            }
        } catch (IOException e) {
            // Broken off is an end like any other to who waits on the other side.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Empty for the end, which takes its time too.
        if (!onTheWay.offer(new Chunk(new byte[0], System.nanoTime() + halfNanos))) {
            end(from);
        }
    }

    private void give(Socket into, LinkedBlockingQueue<Chunk> onTheWay) {
        try {
            OutputStream out = into.getOutputStream();
            while (true) {
                Chunk next = onTheWay.take();
                TimeUnit.NANOSECONDS.sleep(next.due() - System.nanoTime());
                if (next.bytes().length == 0) {
                    break;
                }
                out.write(next.bytes());
            }
            into.shutdownOutput();
        } catch (IOException e) {
            end(into);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(this::end);
    }
}
