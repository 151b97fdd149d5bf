package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Passes connections on to a port, or to the Unix socket of a database. On request it cuts all of them, by resets, or carries nothing for a
 * while, neither way, as a network that has lost its route.
 */
public final class Relay implements AutoCloseable {
    private final ServerSocket listening;
    private final ExecutorService threads = Executors.newCachedThreadPool(r -> {
        Thread t = new Thread(r, "relay");
        t.setDaemon(true);
        return t;
    });
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Target target;
    private volatile boolean responsesLost;
    private volatile CountDownLatch carrying = new CountDownLatch(0);
    private volatile boolean commitPassed;
    private volatile boolean commitUnanswered;

    /** Where connections go. */
    @FunctionalInterface
    public interface Target {
        Socket connect() throws IOException;
    }

    public Relay(int port) {
        this(() -> new Socket(InetAddress.getLoopbackAddress(), port));
    }

    public Relay(Target target) {
        this.target = target;
        try {
            listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Resets every connection; new ones are passed on. */
    public void cut() {
        open.forEach(Relay::reset);
    }

    /** From now on nothing is carried, and no connection ends. */
    public void hold() {
        carrying = new CountDownLatch(1);
    }

    /** Ends {@link #hold}: what came meanwhile is delivered late, to whoever still waits for it. */
    public void carry() {
        carrying.countDown();
    }

    /** From now on requests go through and their responses do not. */
    void loseResponses() {
        commitPassed = false;
        commitUnanswered = false;
        responsesLost = true;
    }

    /** Whether a COMMIT went through since, was done, and its response was lost. */
    boolean lostACommit() {
        return commitUnanswered;
    }

    /** Ends {@link #loseResponses}: cuts all connections, and new ones carry both ways. */
    void cutAndCarry() {
        cut();
        responsesLost = false;
        cut(); // also what was opened meanwhile and has missed a response
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                threads.execute(() -> connect(client));
            } catch (IOException e) {
                return; // closed by the test
            }
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        try {
            carrying.await();
            server = target.connect();
            open.add(server);
            Socket to = server;
            threads.execute(() -> pass(to, client, true));
            pass(client, server, false);
        } catch (IOException e) {
            // nothing listens there now: the client sees a reset
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            reset(client);
            reset(server);
            open.remove(client);
            open.remove(server);
        }
    }

    private void pass(Socket from, Socket to, boolean responses) {
        byte[] buffer = new byte[16 << 10];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                carrying.await();
                if (responses && responsesLost) {
                    commitUnanswered |= commitPassed;
                    continue;
                }
                boolean commit = !responses && responsesLost && isCommit(buffer, n);
                out.write(buffer, 0, n);
                commitPassed |= commit;
            }
        } catch (IOException e) {
            // the other direction was cut or has ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        reset(to);
    }

    private static boolean isCommit(byte[] buffer, int n) {
        return new String(buffer, 0, n, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT)
                .endsWith("commit");
    }

    private static void reset(Socket socket) {
        try {
            if (!(socket.getRemoteSocketAddress() instanceof UnixDomainSocketAddress)) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException e) {
            // closed already
        }
        try {
            socket.close();
        } catch (IOException e) {
            // as above
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            cut();
            threads.shutdownNow();
        }
    }
}
