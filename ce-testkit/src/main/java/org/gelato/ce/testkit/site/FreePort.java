package org.gelato.ce.testkit.site;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers whose port is configured before they start. The kernel's own choice would not do: it gives the same port to
 * a connection of anybody's in the seconds until the server has come up.
 */
public final class FreePort {
    /** Below those the kernel gives to connections; dev/common sees to that where it may give all. */
    private static final int FIRST = 10_000;

    private static final int EACH = 2_000;
    private static final int SHARES = 10;

    /** Held as long as this process lives. */
    private static final List<FileLock> LOCKS = new ArrayList<>();

    private static final int SHARE = share();

    /** Where the next choice begins. Runs one after another begin elsewhere, so a server left over by one harms no other. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(EACH));

    private FreePort() {}

    /**
     * A port that nobody listens on, on any address. Test processes that run side by side choose from different ones, and one
     * process gets each port once in {@value #EACH} choices: a server that was given one may not listen on it yet.
     */
    public static int choose() {
        for (int i = 0; i < EACH; i++) {
            int port = FIRST + SHARE * EACH + Math.floorMod(NEXT.getAndIncrement(), EACH);
            try (ServerSocket socket = new ServerSocket(port, 1)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // taken
            }
        }
        throw new IllegalStateException("no free port found from " + (FIRST + SHARE * EACH) + " on");
    }

    /** One that no other test process of this machine has, in this tree or another, while there are enough. */
    private static int share() {
        for (int share = 0; share < SHARES; share++) {
            Path file = Path.of(System.getProperty("java.io.tmpdir"), "gelato-test-ports-" + share);
            try {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    LOCKS.add(lock);
                    return share;
                }
                channel.close();
            } catch (IOException | OverlappingFileLockException e) {
                // another account's
            }
        }
        return ThreadLocalRandom.current().nextInt(SHARES);
    }
}
