package org.gelato.ce.ws.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.gelato.ce.core.fault.Repeated;

/**
 * Tomcat's endpoint with limits for its clients: {@link ConnectionsPerAddress} and {@link ReceiveTimeout} for those that have not shown
 * who they are, {@link IdleEviction} and {@link PipeliningLimit} for all; and {@link DisconnectDetection}. They decide, and this closes
 * connections. Called by the acceptor, by request threads and by one timer thread.
 */
final class GuardedEndpoint extends NioEndpoint {
    private static final Duration SWEEP = Duration.ofMillis(500);
    private static final long NO_TIMEOUT = -1;
    /** The part of the connections that is kept free by closing idle ones. */
    private static final int SPARE = 16;

    private final Map<SocketWrapperBase<NioChannel>, TrackedConnection> tracked = new ConcurrentHashMap<>();
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong overdue = new AtomicLong();
    private volatile ConnectionsPerAddress perAddress = new ConnectionsPerAddress(Integer.MAX_VALUE);
    private volatile ReceiveTimeout timeout = ReceiveTimeout.of(Duration.ofMinutes(10), SWEEP);
    private ScheduledFuture<?> sweeper;

    /**
     * Sets the limits; before the start.
     *
     * @param connections of one address without certificate
     * @param within how long a client may be waited for during a handshake, and during the head of a request
     */
    void limit(int connections, Duration within) {
        perAddress = new ConnectionsPerAddress(connections);
        timeout = ReceiveTimeout.of(within, SWEEP);
    }

    /** Connections closed or refused because their client had too many. */
    long evicted() {
        return evicted.get();
    }

    /** Connections closed because a handshake or a head took too long. */
    long overdue() {
        return overdue.get();
    }

    @Override
    public void startInternal() throws Exception {
        super.startInternal();
        sweeper = getUtilityExecutor()
                .scheduleWithFixedDelay(
                        Repeated.of("sweep of connections", this::sweep),
                        SWEEP.toMillis(),
                        SWEEP.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void stopInternal() {
        if (sweeper != null) {
            sweeper.cancel(false);
        }
        super.stopInternal();
    }

    @Override
    protected SocketProcessorBase<NioChannel> createSocketProcessor(
            SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
        return new SocketProcessor(wrapper, event) {
            @Override
            protected void doRun() {
                PipeliningLimit.begin();
                super.doRun();
            }
        };
    }

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        InetAddress from;
        boolean admitted;
        try {
            from = ((InetSocketAddress) socket.getRemoteAddress()).getAddress();
            admitted = admit(from);
        } catch (IOException e) {
            destroySocket(socket);
            return false;
        } catch (RuntimeException e) {
            // the acceptor logs it, and would leave the client waiting
            destroySocket(socket);
            throw e;
        }
        if (!admitted) {
            evicted.incrementAndGet();
            destroySocket(socket);
            return false;
        }
        boolean open = super.setSocketOptions(socket);
        SocketWrapperBase<NioChannel> wrapper = connections.get(socket);
        if (wrapper != null) {
            TrackedConnection connection = new TrackedConnection(wrapper, from);
            if (connection.isInHandshake()) {
                // Tomcat counts its timeout from the start of the connection, with the time in which this server was
                // busy. In TLS 1.3 a client has sent its request by then, and would get no response.
                wrapper.setReadTimeout(NO_TIMEOUT);
            }
            tracked.put(wrapper, connection);
        }
        return open;
    }

    /** Whether an address may have one more; an old one may have to go for it. */
    private boolean admit(InetAddress from) {
        if (!perAddress.isReached(from, tracked.values())) {
            return true;
        }
        Optional<TrackedConnection> oldest = perAddress.replaceable(from, tracked.values());
        oldest.ifPresent(connection -> {
            evicted.incrementAndGet();
            end(connection);
        });
        return oldest.isPresent();
    }

    /** Called by the acceptor before it takes a connection; waits for one to end where all that are open are in use. */
    @Override
    protected void countUpOrAwaitConnection() throws InterruptedException {
        if (isFull()) {
            evictIdle();
        }
        super.countUpOrAwaitConnection();
    }

    private boolean isFull() {
        int most = getMaxConnections();
        return most > 0 && getConnectionCount() >= most - Math.max(1, most / SPARE);
    }

    /** By the acceptor, and by the sweep while the acceptor waits. */
    private void evictIdle() {
        IdleEviction.victim(tracked.values()).ifPresent(this::endIdle);
    }

    private void sweep() {
        tracked.forEach((wrapper, connection) -> {
            if (!connection.isOpen()) {
                tracked.remove(wrapper);
            } else if (timeout.isOver(connection)) {
                overdue.incrementAndGet();
                end(connection);
            } else if (wrapper.getReadTimeout() <= 0 && !connection.isInHandshake()) {
                wrapper.setReadTimeout(getConnectionTimeout());
            }
            DisconnectDetection.check(connection);
        });
        for (int i = 0; i <= getMaxConnections() / SPARE && isFull(); i++) {
            evictIdle();
        }
    }

    /** At once and by this thread, as all request threads may be busy; not when its request has come meanwhile. */
    private void endIdle(TrackedConnection connection) {
        SocketWrapperBase<NioChannel> wrapper = connection.socket();
        if (!wrapper.getLock().tryLock()) {
            return;
        }
        try {
            if (connection.waitsForRequest()) {
                evicted.incrementAndGet();
                end(connection, false);
            }
        } finally {
            wrapper.getLock().unlock();
        }
    }

    /** By a request thread and under the connection's lock, as Tomcat ends what is too late. */
    private void end(TrackedConnection connection) {
        end(connection, true);
    }

    private void end(TrackedConnection connection, boolean byRequestThread) {
        tracked.remove(connection.socket());
        if (!processSocket(connection.socket(), SocketEvent.ERROR, byRequestThread)) {
            connection.socket().close();
        }
    }
}
