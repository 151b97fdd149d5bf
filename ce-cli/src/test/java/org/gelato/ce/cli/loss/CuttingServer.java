package org.gelato.ce.cli.loss;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** An HTTPS server before a CE in memory, which cuts the connections of one call as it is set. */
final class CuttingServer implements AutoCloseable {
    private final SSLContext tls;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "cutting-server");
        thread.setDaemon(true);
        return thread;
    });
    private Plan plan;

    /**
     * What happens to connections.
     *
     * @param times how often the call is cut
     * @param dies whether the CE is not reached any more after the first cut
     */
    record Plan(MemoryCe ce, Call call, Cut cut, int times, boolean dies) {}

    CuttingServer(SSLContext tls) throws IOException {
        this.tls = tls;
        threads.execute(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private int left;
    private boolean dead;
    private int requests;

    synchronized void begin(Plan next) {
        plan = next;
        left = next.times;
        dead = false;
        requests = 0;
    }

    /** How often the call came. */
    synchronized int requests() {
        return requests;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return; // closed by the test
            }
        }
    }

    /** Closed below TLS, which says no end of its own. */
    private void serve(Socket client) {
        try (client) {
            SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(client, null, client.getPort(), true);
            socket.setUseClientMode(false);
            InputStream in = socket.getInputStream();
            for (Http.Request request = Http.Request.read(in); request != null; request = Http.Request.read(in)) {
                if (!respond(socket, request)) {
                    return;
                }
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private synchronized boolean respond(SSLSocket socket, Http.Request request) throws IOException {
        if (dead) {
            return false;
        }
        boolean meant = plan.call.is(request);
        requests += meant ? 1 : 0;
        if (!meant || left-- <= 0) {
            return Cut.whole(socket, plan.ce.handle(request));
        }
        dead = plan.dies;
        return plan.cut.write(socket, plan.cut.arrives ? plan.ce.handle(request) : null);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
