package org.gelato.ce.it.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between clients and a CE on the loopback interface and passes bytes on as they are, TLS with them; it may cut connections. */
public final class Relay implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int BUFFER = 16 << 10;
    private static final int IPV4 = 4;

    private final ServerSocket listening = new ServerSocket(0, 0, LOOPBACK);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        return thread;
    });
    private final int target;
    private final InetAddress from;
    private final AtomicInteger cuts;
    private final Cut cut;

    /** When a connection is cut instead of passing bytes on. */
    @FunctionalInterface
    public interface Cut {
        /**
         * Called before bytes are passed on, while cuts are left.
         *
         * @param answer whether they come from the CE
         * @param carried bytes of the connection in this direction, with these
         */
        boolean isDue(boolean response, long carried);
    }

    private Relay(int target, InetAddress from, int cuts, Cut cut) throws IOException {
        this.target = target;
        this.from = from;
        this.cuts = new AtomicInteger(cuts);
        this.cut = cut;
        threads.execute(this::accept);
    }

    /**
     * @param target port of the CE
     * @param cuts connections to cut; later ones are left alone
     */
    public static Relay cutting(int target, int cuts, Cut cut) throws IOException {
        return new Relay(target, LOOPBACK, cuts, cut);
    }

    /**
     * Cuts nothing. To the CE its clients are on another host where their address is neither the loopback's nor the one they connect to.
     *
     * @param from address of this host from which connections come to the CE
     * @param target port of the CE
     */
    public static Relay from(InetAddress from, int target) throws IOException {
        return new Relay(target, from, 0, (response, carried) -> false);
    }

    /** An IPv4 address of this host that is not the loopback's; empty where there is none. */
    public static Optional<InetAddress> addressOfHost() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && address.getAddress().length == IPV4)
                .findFirst();
    }

    public int port() {
        return listening.getLocalPort();
    }

    public int cutsLeft() {
        return Math.max(0, cuts.get());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                Socket ce = new Socket(LOOPBACK, target, from, 0);
                open.add(ce);
                threads.execute(() -> pass(client, ce, false));
                threads.execute(() -> pass(ce, client, true));
            } catch (IOException e) {
                return; // closed by the test
            }
        }
    }

    private void pass(Socket source, Socket sink, boolean response) {
        byte[] buffer = new byte[BUFFER];
        long carried = 0;
        try (source;
                sink) {
            InputStream in = source.getInputStream();
            OutputStream out = sink.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                carried += n;
                if (cuts.get() > 0 && cut.isDue(response, carried) && cuts.getAndDecrement() > 0) {
                    return;
                }
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // The other direction was cut or has ended, and both are closed with it.
        } finally {
            open.remove(source);
            open.remove(sink);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
