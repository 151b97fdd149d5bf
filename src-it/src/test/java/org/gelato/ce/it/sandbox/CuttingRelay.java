package org.gelato.ce.it.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes connections on and cuts each that has carried too much in one direction, as long as cuts are left. */
final class CuttingRelay implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger cuts;
    private final long bytes;
    private final int port;

    /**
     * @param port of the CE
     * @param cuts connections to cut
     * @param bytes a connection may carry before
     */
    CuttingRelay(int port, int cuts, long bytes) throws IOException {
        this.port = port;
        this.cuts = new AtomicInteger(cuts);
        this.bytes = bytes;
        threads.execute(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    int cutsLeft() {
        return Math.max(0, cuts.get());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                threads.execute(() -> pass(client, server));
                threads.execute(() -> pass(server, client));
            } catch (IOException e) {
                return; // closed by the test
            }
        }
    }

    private void pass(Socket from, Socket to) {
        long carried = 0;
        byte[] buffer = new byte[16 << 10];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                carried += n;
                if (carried > bytes && cuts.getAndDecrement() > 0) {
                    return;
                }
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // the other direction was cut or has ended
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
