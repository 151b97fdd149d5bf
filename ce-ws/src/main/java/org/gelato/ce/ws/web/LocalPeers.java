package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which accounts of this host are trusted without a credential: root, the CE's own, and those that the site names. An address of this
 * host alone is no reason, as every account has it, those of jobs among them. Whose a connection is, is in the kernel's tables of
 * sockets; who is not found there is not trusted. Thread-safe.
 */
public final class LocalPeers {
    private static final Logger log = LoggerFactory.getLogger(LocalPeers.class);
    private static final Path TABLES = Path.of("/proc/net");
    private static final int UNKNOWN = -1;
    /** A table of a busy host has some thousands. */
    private static final int MAX_LINES = 200_000;

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Fields of a line: number, local and remote address, state, queues, timer, retransmits, uid, timeout, inode. */
    private static final int UID = 7;

    private static final int INODE = 9;
    private static final String NO_INODE = "0";

    private final Path tables;
    private final Duration patience;
    private final Set<Integer> trusted = new HashSet<>();
    private final ReentrantLock reading = new ReentrantLock(true);
    /** What the last reading found, when it began, and for which port; guarded by the lock. */
    private Map<String, Integer> sockets = Map.of();

    private long readAt;
    private String port;
    /** By connection, as a table is long to read. */
    private final ByteBoundedCache<String, Integer> known =
            new ByteBoundedCache<>(CacheShare.LOCAL_PEERS, (connection, uid) -> ByteBoundedCache.weight(connection));

    /** @param accounts numbers of accounts beside root and this process's own */
    public LocalPeers(Collection<Integer> accounts) {
        this(TABLES, ownUid(), accounts, PATIENCE);
    }

    /** @param patience of those that wait for a reading of another; then they are not trusted */
    LocalPeers(Path tables, int own, Collection<Integer> accounts, Duration patience) {
        this.tables = tables;
        this.patience = patience;
        trusted.add(0);
        trusted.add(own);
        trusted.addAll(accounts);
        trusted.remove(UNKNOWN);
    }

    private static int ownUid() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            log.warn(
                    "It is not known which account this is, so that pages are shown on this host to root alone: {}",
                    Messages.of(e));
            return UNKNOWN;
        }
    }

    /** Whether a request comes from a trusted account of this host. */
    public boolean trusts(HttpServletRequest request) {
        return trusted.contains(uid(request));
    }

    private int uid(HttpServletRequest request) {
        InetAddress client = address(request.getRemoteAddr());
        InetAddress server = address(request.getLocalAddr());
        // Who connects to an address of this host from this host comes from that address, as a rule.
        if (client == null || server == null || !(client.isLoopbackAddress() || client.equals(server))) {
            return UNKNOWN;
        }
        return uid(
                request.getServletConnection().getConnectionId(),
                endpoint(client, request.getRemotePort()),
                endpoint(server, request.getLocalPort()));
    }

    /** Null for what is none. What a container gives may have the zone of a link-local address, and is never a name. */
    public static InetAddress address(String text) {
        try {
            return text == null ? null : InetAddress.getByName(text.replaceFirst("%.*", ""));
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private int uid(String connection, Endpoint client, Endpoint server) {
        Integer before = known.get(connection).orElse(null);
        if (before != null) {
            return before;
        }
        long since = System.nanoTime();
        try {
            if (!reading.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return UNKNOWN;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
        try {
            Integer uid = known.get(connection).orElse(null);
            if (uid == null) {
                uid = look(client, server, since);
                known.put(connection, uid);
            }
            return uid;
        } catch (IOException | NumberFormatException e) {
            log.warn("Whose a connection of this host is cannot be read: {}", Messages.of(e));
            return UNKNOWN;
        } finally {
            if (!reading.hasQueuedThreads()) {
                sockets = Map.of();
                port = null;
            }
            reading.unlock();
        }
    }

    /**
     * Those who wait together are answered by one reading: any account of this host can make connections, and threads that serve requests are
     * few. A program may have a socket of IPv6 for addresses of IPv4.
     *
     * @param since when the connection was there, by {@link System#nanoTime}
     */
    private int look(Endpoint client, Endpoint server, long since) throws IOException {
        String end = server.v6().substring(server.v6().indexOf(':'));
        if (!end.equals(port) || readAt - since < 0) {
            readAt = System.nanoTime();
            Map<String, Integer> found = new HashMap<>();
            read("tcp", end, found);
            read("tcp6", end, found);
            sockets = found;
            port = end;
        }
        Integer uid = client.v4() == null || server.v4() == null ? null : sockets.get(client.v4() + " " + server.v4());
        return uid == null ? sockets.getOrDefault(client.v6() + " " + server.v6(), UNKNOWN) : uid;
    }

    /** Whose the sockets are that lead to a port, by both ends. */
    private void read(String table, String end, Map<String, Integer> found) throws IOException {
        Path file = tables.resolve(table);
        if (!Files.exists(file)) {
            return;
        }
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            for (int i = 0; i < MAX_LINES; i++) {
                String line = in.readLine();
                if (line == null) {
                    return;
                }
                if (line.contains(end + " ")) {
                    String[] fields = line.strip().split(" +", INODE + 2);
                    // A socket that its program has closed is shown as root's, and has no inode.
                    if (fields.length > INODE && !fields[INODE].equals(NO_INODE)) {
                        found.put(fields[1] + " " + fields[2], (int) Long.parseLong(fields[UID]));
                    }
                }
            }
        }
    }

    /**
     * One end of a connection as the tables have it: words of 32 bits in the processor's order of bytes.
     *
     * @param v4 null for an address of IPv6
     */
    private record Endpoint(String v4, String v6) {}

    private static Endpoint endpoint(InetAddress address, int port) {
        byte[] bytes = address.getAddress();
        String end = String.format(Locale.ROOT, ":%04X", port);
        if (bytes.length != Integer.BYTES) {
            return new Endpoint(null, hex(ByteBuffer.wrap(bytes)) + end);
        }
        ByteBuffer mapped = ByteBuffer.allocate(16);
        mapped.position(10);
        mapped.put((byte) 0xff).put((byte) 0xff).put(bytes).rewind();
        return new Endpoint(hex(ByteBuffer.wrap(bytes)) + end, hex(mapped) + end);
    }

    private static String hex(ByteBuffer bytes) {
        StringBuilder text = new StringBuilder();
        ByteBuffer ordered = bytes.order(ByteOrder.nativeOrder());
        while (ordered.hasRemaining()) {
            text.append(String.format(Locale.ROOT, "%08X", ordered.getInt()));
        }
        return text.toString();
    }
}
