package org.gelato.ce.it.once;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Stands between a client and a CE, passes everything on, and cuts a connection at the first bytes of the CE that come
 * once a condition holds: such bytes are the response to the request that made it hold.
 */
final class AnswerCutter implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger cuts;
    private final BooleanSupplier condition;
    private final int port;

    /**
     * @param port of the CE
     * @param cuts responses to lose
     * @param condition evaluated before bytes of the CE are passed on
     */
    AnswerCutter(int port, int cuts, BooleanSupplier condition) throws IOException {
        this.port = port;
        this.cuts = new AtomicInteger(cuts);
        this.condition = condition;
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
                threads.execute(() -> pass(client, server, false));
                threads.execute(() -> pass(server, client, true));
            } catch (IOException e) {
                return; // closed by the test
            }
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[16 << 10];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (answers && cuts.get() > 0 && condition.getAsBoolean() && cuts.getAndDecrement() > 0) {
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
