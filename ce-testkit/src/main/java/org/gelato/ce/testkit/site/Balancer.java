package org.gelato.ce.testkit.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What stands behind a service's name: passes each new TCP connection to the next front end in turn that takes it, as a site's
 * balancer or round-robin DNS does. It knows nothing of TLS, and ends no connection that is open.
 */
public final class Balancer implements AutoCloseable {
    private static final int CONNECT_MS = 2000;

    private final int port;
    private final ServerSocket listening;
    private final List<String> addresses = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicInteger> open = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(r -> {
        Thread t = new Thread(r, "balancer");
        t.setDaemon(true);
        return t;
    });

    /** @param port of the service, the same at each front end */
    public Balancer(int port) {
        this.port = port;
        try {
            listening = new ServerSocket(port, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    /** Gives connections to a front end from now on. */
    public void add(String address) {
        addresses.add(address);
    }

    /** Gives it no new ones. */
    public void drain(String address) {
        addresses.remove(address);
    }

    /** Connections of a front end that are open now. */
    public int open(String address) {
        return count(address).get();
    }

    private AtomicInteger count(String address) {
        return open.computeIfAbsent(address, a -> new AtomicInteger());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                threads.execute(() -> pass(client));
            } catch (IOException e) {
                return; // closed by the test
            }
        }
    }

    private void pass(Socket client) {
        List<String> now = List.copyOf(addresses);
        for (int i = 0; i < now.size(); i++) {
            String address = now.get(Math.floorMod(next.getAndIncrement(), now.size()));
            Socket server = new Socket();
            try {
                server.connect(new InetSocketAddress(address, port), CONNECT_MS);
            } catch (IOException e) {
                close(server);
                continue; // the next in turn
            }
            count(address).incrementAndGet();
            threads.execute(() -> copy(server, client));
            copy(client, server);
            count(address).decrementAndGet();
            return;
        }
        close(client);
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // one side is gone, so the other goes
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
