package org.gelato.ce.it.monitoring;

import java.io.IOException;
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

/**
 * A way to a CE on the loopback interface that comes from another address of this host: to the CE its clients are on another host, for their
 * address is neither the loopback's nor the one they connect to. What is sent, TLS with it, is passed on as it is.
 */
final class Elsewhere implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final ServerSocket listening;
    private final InetAddress from;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "elsewhere");
        thread.setDaemon(true);
        return thread;
    });

    /** @param from see {@link #address} */
    Elsewhere(InetAddress from, int target) throws IOException {
        this.from = from;
        this.target = target;
        listening = new ServerSocket(0, 0, LOOPBACK);
        threads.execute(this::accept);
    }

    /** An IPv4 address of this host that is not the loopback's; empty where there is none. */
    static Optional<InetAddress> address() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && address.getAddress().length == 4)
                .findFirst();
    }

    String url() {
        return "https://localhost:" + listening.getLocalPort() + "/";
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                Socket ce = new Socket(LOOPBACK, target, from, 0);
                open.add(ce);
                threads.execute(() -> copy(client, ce));
                threads.execute(() -> copy(ce, client));
            } catch (IOException e) {
                return; // closed by the test
            }
        }
    }

    private void copy(Socket source, Socket sink) {
        try (source;
                sink) {
            source.getInputStream().transferTo(sink.getOutputStream());
        } catch (IOException e) {
            // The other direction has closed both.
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
