package org.gelato.ce.ws.server;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** A connection of {@link GuardedEndpoint}: whose it is, and how far its client has come. Any thread. */
final class TrackedConnection {
    private static final X509Certificate[] NO_CERTIFICATES = {};

    private final SocketWrapperBase<NioChannel> socket;
    private final InetAddress address;
    private final long opened = System.nanoTime();
    private final WaitingTime waitingTime = new WaitingTime();
    /** Null until it is needed. */
    private volatile Object holder;
    /** There is one handshake: who has shown a certificate has it until the end. */
    private volatile boolean certified;

    TrackedConnection(SocketWrapperBase<NioChannel> socket, InetAddress address) {
        this.socket = socket;
        this.address = address;
    }

    SocketWrapperBase<NioChannel> socket() {
        return socket;
    }

    InetAddress address() {
        return address;
    }

    /** When it was, by {@link System#nanoTime}. */
    long opened() {
        return opened;
    }

    WaitingTime waitingTime() {
        return waitingTime;
    }

    boolean isOpen() {
        return !socket.isClosed();
    }

    boolean isInHandshake() {
        return !socket.getSocket().isHandshakeComplete();
    }

    /** Looked into once: clients that connect anew for each call have hundreds of connections. */
    boolean isCertified() {
        if (!certified && !isInHandshake() && certificates(socket.getSocket()).length > 0) {
            certified = true;
        }
        return certified;
    }

    /** A user, who has as many connections as their proxies have together; or the address where there is no certificate. */
    Object holder() {
        if (holder == null && !isInHandshake()) {
            X509Certificate[] chain = certificates(socket.getSocket());
            X509Certificate user = chain.length == 0 ? null : ProxyUtils.getEndUserCertificate(chain);
            holder = user == null ? address : user.getSubjectX500Principal();
        }
        return holder == null ? address : holder;
    }

    /** Whether no request is there, or only a part of its head. */
    boolean waitsForRequest() {
        boolean waits = socket instanceof NioSocketWrapper nio && nio.interestOpsHas(SelectionKey.OP_READ);
        boolean hasRequest = socket.getCurrentProcessor() != null && partialHead() == null;
        return waits && !hasRequest;
    }

    boolean waitsForClient() {
        return socket instanceof NioSocketWrapper nio
                && (nio.interestOpsHas(SelectionKey.OP_READ) || nio.interestOpsHas(SelectionKey.OP_WRITE));
    }

    /** The request whose head has come in part; null when there is none. Asynchronous requests have come whole. */
    Request partialHead() {
        return socket.getCurrentProcessor() instanceof Processor p && !p.isAsync() ? p.getRequest() : null;
    }

    /** By {@link System#currentTimeMillis}. */
    long lastRead() {
        return socket instanceof NioSocketWrapper nio ? nio.getLastRead() : 0;
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

    /** In how many checks the server has waited for a part of what the client sends. For one thread. */
    static final class WaitingTime {
        private long part;
        private int checks;

        /** Counts a check; returns in how many the server has waited for this part. */
        int check(long startOfPart, boolean waits) {
            if (startOfPart != part) {
                part = startOfPart;
                checks = 0;
            }
            return waits ? ++checks : checks;
        }
    }
}
