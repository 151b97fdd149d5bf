package org.gelato.ce.testkit.site;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that are told theirs before they start. The kernel's own choice would not do: it gives the same port to
 * a connection of anybody's in the seconds until the server has come up.
 */
public final class FreePort {
    /** Below those the kernel gives to connections. */
    private static final int FIRST = 10_000;

    private static final int EACH = 2_000;
    private static final int SHARES = 5;
    private static final int TRIES = 1_000;

    private FreePort() {}

    /** A port of the loopback address that nobody listens on; test processes that run side by side choose from different ones. */
    public static int choose() {
        String process = System.getProperty("gelato.test.process", "process-0");
        int share = Integer.parseInt(process.substring(process.indexOf('-') + 1)) % SHARES;
        for (int i = 0; i < TRIES; i++) {
            int port = FIRST + share * EACH + ThreadLocalRandom.current().nextInt(EACH);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // taken
            }
        }
        throw new IllegalStateException("no free port found from " + FIRST + " on");
    }
}
