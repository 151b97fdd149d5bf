package org.gelato.ce.ws.server;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.ws.web.ClientConnection;

/**
 * Tomcat's endpoint with two limits for clients that have not shown who they are. A TLS handshake and the head of a request
 * each have a deadline as a whole, where Tomcat's timeouts begin anew with each byte. What counts is the time in which the
 * server waits for the client: one that has just started, or has much to do, closes no honest client's handshake for its own
 * slowness, so that clients would come again and make it slower. One remote address has so many
 * connections without client certificate; at the limit a new one takes the place of the address's oldest one that still
 * shakes hands or has no request, and is refused where there is none. Connections with a certificate do not count, so users
 * behind one address are not held back by it. When all connections that there may be are open, the client that has most of them
 * loses the one that has been without a request for longest: kept connections would otherwise stop every other client until their
 * time is over. And one for all clients: who sends requests without waiting for responses holds a
 * thread as long as there is a next one, so a row of them ends with the connection, and others have their turn. Called by the
 * acceptor, by request threads and by one timer thread.
 */
final class GuardedEndpoint extends NioEndpoint {
    private static final Duration SWEEP = Duration.ofMillis(500);
    /** Requests of a connection that are served without a pause where each came before the response to the last one. */
    private static final int PIPELINED = 100;
    /** And where they may have come after it: a fast client on this host's own network. */
    private static final int IN_A_ROW = 1000;

    private static final long NO_TIMEOUT = -1;

    /** The part of the connections that is kept free by closing idle ones. */
    private static final int SPARE = 16;
    /** A connection without a request for so long is idle: that of a new one is on its way. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    private static final X509Certificate[] NO_CERTIFICATES = {};

    private static final ThreadLocal<Row> ROW = ThreadLocal.withInitial(Row::new);

    /** Requests of one connection that a thread has served since it took the connection up. */
    private static final class Row {
        private int served;
        private int pipelined;
    }

    private final Map<SocketWrapperBase<NioChannel>, Arrival> arrivals = new ConcurrentHashMap<>();
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong overdue = new AtomicLong();
    private volatile int perAddress = Integer.MAX_VALUE;
    private volatile Duration deadline = Duration.ofMinutes(10);
    private ScheduledFuture<?> sweeper;

    /** A connection, and how long the server has waited for a part of it. Only the sweep changes it. */
    private static final class Arrival {
        private final InetAddress from;
        private final long nanos = System.nanoTime();
        private long part;
        private int waits;
        /** Who has it: a user, or an address where there is no certificate. Null until it is needed. */
        private volatile Object holder;
        /** A connection that has shown a certificate has it until its end: there is one handshake. */
        private volatile boolean certified;

        Arrival(InetAddress from) {
            this.from = from;
        }

        /** Counts a sweep; returns in how many the server has waited for this part. */
        int waited(long startOfPart, boolean waits) {
            if (startOfPart != part) {
                part = startOfPart;
                this.waits = 0;
            }
            return waits ? ++this.waits : this.waits;
        }
    }

    /** How far a client has come. */
    private enum Stage {
        HANDSHAKE,
        /** Without certificate, between requests or before the end of a request's head. */
        ANONYMOUS_IDLE,
        ANONYMOUS_BUSY,
        CERTIFIED
    }

    /**
     * Sets the limits; before the start.
     *
     * @param connections of one address without certificate
     * @param within how long a client may be waited for during a handshake, and during the head of a request
     */
    void limit(int connections, Duration within) {
        perAddress = connections;
        deadline = within;
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

    /**
     * Counts a request of the connection that this thread serves.
     *
     * @param anotherCame whether something of the next request is there already
     * @return whether the connection is to end with it
     */
    static boolean endsRow(boolean anotherCame) {
        Row row = ROW.get();
        row.served++;
        row.pipelined += anotherCame ? 1 : 0;
        return row.served >= IN_A_ROW || row.pipelined >= PIPELINED;
    }

    @Override
    protected SocketProcessorBase<NioChannel> createSocketProcessor(
            SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
        return new SocketProcessor(wrapper, event) {
            @Override
            protected void doRun() {
                ROW.remove();
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
            if (shakesHands(wrapper)) {
                // Tomcat counts its timeout from the start of the connection, with the time in which this server was
                // busy.
                // In TLS 1.3 a client has sent its request by then, and would get no response.
                wrapper.setReadTimeout(NO_TIMEOUT);
            }
            arrivals.put(wrapper, new Arrival(from));
        }
        return open;
    }

    /** Whether an address may have one more; its oldest one that does nothing useful may have to go. */
    private boolean admit(InetAddress from) {
        long held = arrivals.entrySet().stream()
                .filter(e -> isOf(e, from) && !isCertified(e.getKey(), e.getValue()))
                .count();
        if (held < perAddress) {
            return true;
        }
        Optional<SocketWrapperBase<NioChannel>> oldest = arrivals.entrySet().stream()
                .filter(e -> isOf(e, from))
                .filter(e -> stage(e.getKey()) == Stage.HANDSHAKE || stage(e.getKey()) == Stage.ANONYMOUS_IDLE)
                .min(Comparator.comparingLong(e -> e.getValue().nanos))
                .map(Map.Entry::getKey);
        oldest.ifPresent(wrapper -> {
            evicted.incrementAndGet();
            end(wrapper);
        });
        return oldest.isPresent();
    }

    /** Clients that connect anew for each call have hundreds open: each is looked into once, not at each new one. */
    private static boolean isCertified(SocketWrapperBase<NioChannel> wrapper, Arrival arrival) {
        if (!arrival.certified && stage(wrapper) == Stage.CERTIFIED) {
            arrival.certified = true;
        }
        return arrival.certified;
    }

    /** Called by the acceptor before it takes a connection; waits for one to end where all that are open are in use. */
    @Override
    protected void countUpOrAwaitConnection() throws InterruptedException {
        if (isFull()) {
            makeRoom();
        }
        super.countUpOrAwaitConnection();
    }

    private boolean isFull() {
        int most = getMaxConnections();
        return most > 0 && getConnectionCount() >= most - Math.max(1, most / SPARE);
    }

    /**
     * Ends one connection of the client that has most of them, of those that have a connection without a request. While all
     * of that client's are new, nobody else loses one. By the acceptor, and by the sweep while the acceptor waits.
     */
    private void makeRoom() {
        Map<Object, Integer> held = new HashMap<>();
        Map<Object, SocketWrapperBase<NioChannel>> oldest = new HashMap<>();
        arrivals.forEach((wrapper, arrival) -> {
            if (wrapper.isClosed()) {
                return;
            }
            Object holder = holder(wrapper, arrival);
            held.merge(holder, 1, Integer::sum);
            if (!shakesHands(wrapper) && waitsForRequest(wrapper)) {
                oldest.merge(holder, wrapper, (one, other) -> lastRead(one) <= lastRead(other) ? one : other);
            }
        });
        oldest.entrySet().stream()
                .max(Comparator.comparingInt(e -> held.get(e.getKey())))
                .map(Map.Entry::getValue)
                .filter(wrapper -> System.currentTimeMillis() - lastRead(wrapper) > IDLE.toMillis())
                .ifPresent(this::endIdle);
    }

    /** At once and by this thread, as all request threads may be busy; not when its request has come meanwhile. */
    private void endIdle(SocketWrapperBase<NioChannel> wrapper) {
        if (!wrapper.getLock().tryLock()) {
            return;
        }
        try {
            if (waitsForRequest(wrapper)) {
                evicted.incrementAndGet();
                arrivals.remove(wrapper);
                if (!processSocket(wrapper, SocketEvent.ERROR, false)) {
                    wrapper.close();
                }
            }
        } finally {
            wrapper.getLock().unlock();
        }
    }

    private static long lastRead(SocketWrapperBase<NioChannel> wrapper) {
        return wrapper instanceof NioSocketWrapper nio ? nio.getLastRead() : 0;
    }

    /** A user has as many connections as their proxies have together. */
    private static Object holder(SocketWrapperBase<NioChannel> wrapper, Arrival arrival) {
        if (arrival.holder == null && !shakesHands(wrapper)) {
            X509Certificate[] chain = certificates(wrapper.getSocket());
            X509Certificate user = chain.length == 0 ? null : ProxyUtils.getEndUserCertificate(chain);
            arrival.holder = user == null ? arrival.from : user.getSubjectX500Principal();
        }
        return arrival.holder == null ? arrival.from : arrival.holder;
    }

    private static boolean isOf(Map.Entry<SocketWrapperBase<NioChannel>, Arrival> connection, InetAddress from) {
        return connection.getValue().from.equals(from) && !connection.getKey().isClosed();
    }

    private void sweep() {
        arrivals.forEach((wrapper, arrival) -> {
            if (wrapper.isClosed()) {
                arrivals.remove(wrapper);
            } else if (isOverdue(wrapper, arrival)) {
                overdue.incrementAndGet();
                end(wrapper);
            } else if (wrapper.getReadTimeout() <= 0 && !shakesHands(wrapper)) {
                wrapper.setReadTimeout(getConnectionTimeout());
            }
            reportGone(wrapper);
        });
        for (int i = 0; i <= getMaxConnections() / SPARE && isFull(); i++) {
            makeRoom();
        }
    }

    /** Runs what a request that waits wants run when its client has gone: nobody else reads its connection meanwhile. */
    private static void reportGone(SocketWrapperBase<NioChannel> wrapper) {
        if (!(wrapper.getCurrentProcessor() instanceof Processor waiting) || !waiting.isAsync()) {
            return;
        }
        if (!wrapper.getLock().tryLock()) {
            return;
        }
        Runnable gone = null;
        try {
            if (wrapper.getCurrentProcessor() == waiting
                    && !waitsForClient(wrapper)
                    && waiting.getRequest().getAttribute(ClientConnection.ATTRIBUTE) instanceof ClientConnection connection
                    && connection.departure() != null
                    && hasEnded(waiting.getRequest())) {
                gone = connection.departure();
            }
        } finally {
            wrapper.getLock().unlock();
        }
        if (gone != null) {
            gone.run();
        }
    }

    /** Tomcat counts one byte where a read finds the end, again at each read, and none without one; a next request is there after the first. */
    private static boolean hasEnded(Request request) {
        int first = available(request, true);
        int again = first == 0 ? 0 : available(request, true);
        return again > 0 && available(request, false) == 0;
    }

    private static int available(Request request, boolean read) {
        request.action(ActionCode.AVAILABLE, read);
        return request.getAvailable();
    }

    /** A sweep that comes late, as the process had no CPU, counts no more than one in time. */
    private boolean isOverdue(SocketWrapperBase<NioChannel> wrapper, Arrival arrival) {
        long part = arrival.nanos;
        if (!shakesHands(wrapper)) {
            Request head = headOnItsWay(wrapper);
            part = head == null ? 0 : Math.max(0, head.getStartTimeNanos());
        }
        int sweeps = arrival.waited(part, part != 0 && waitsForClient(wrapper));
        return sweeps > deadline.dividedBy(SWEEP);
    }

    private static boolean waitsForClient(SocketWrapperBase<NioChannel> wrapper) {
        return wrapper instanceof NioSocketWrapper nio
                && (nio.interestOpsHas(SelectionKey.OP_READ) || nio.interestOpsHas(SelectionKey.OP_WRITE));
    }

    /** The request whose head has come in part; null when there is none. Asynchronous requests have come whole. */
    private static Request headOnItsWay(SocketWrapperBase<NioChannel> wrapper) {
        return wrapper.getCurrentProcessor() instanceof Processor p && !p.isAsync() ? p.getRequest() : null;
    }

    private static boolean shakesHands(SocketWrapperBase<NioChannel> wrapper) {
        return !wrapper.getSocket().isHandshakeComplete();
    }

    private static Stage stage(SocketWrapperBase<NioChannel> wrapper) {
        if (shakesHands(wrapper)) {
            return Stage.HANDSHAKE;
        }
        if (certificates(wrapper.getSocket()).length > 0) {
            return Stage.CERTIFIED;
        }
        return waitsForRequest(wrapper) ? Stage.ANONYMOUS_IDLE : Stage.ANONYMOUS_BUSY;
    }

    /** Whether no request is there, or only a part of its head. */
    private static boolean waitsForRequest(SocketWrapperBase<NioChannel> wrapper) {
        boolean waits = wrapper instanceof NioSocketWrapper nio && nio.interestOpsHas(SelectionKey.OP_READ);
        boolean hasRequest = wrapper.getCurrentProcessor() != null && headOnItsWay(wrapper) == null;
        return waits && !hasRequest;
    }

    /** The client's chain; empty where it has none, or has ended: Tomcat takes the engine away then, also meanwhile. */
    static X509Certificate[] certificates(NioChannel channel) {
        SSLEngine engine = channel instanceof SecureNioChannel secure ? secure.getSslEngine() : null;
        if (engine == null) {
            return NO_CERTIFICATES;
        }
        try {
            Certificate[] chain = engine.getSession().getPeerCertificates();
            return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
        } catch (SSLPeerUnverifiedException e) {
            return NO_CERTIFICATES;
        }
    }

    /** By a request thread and under the connection's lock, as Tomcat ends what is too late. */
    private void end(SocketWrapperBase<NioChannel> wrapper) {
        arrivals.remove(wrapper);
        if (!processSocket(wrapper, SocketEvent.ERROR, true)) {
            wrapper.close();
        }
    }
}
