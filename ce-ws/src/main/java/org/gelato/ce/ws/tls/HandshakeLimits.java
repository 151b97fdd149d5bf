package org.gelato.ce.ws.tls;

/**
 * How long a client's chain may be before the JDK ends the handshake without a reason: longer than what {@link GridTrust} takes, which
 * gives one. The JDK's own limit of a server is 8 certificates, and users delegate deeper than that.
 */
public final class HandshakeLimits {
    private static final String CERTIFICATES = Integer.toString(2 * GridTrust.MAX_CHAIN);
    private static final String BYTES = Integer.toString(128 * 1024);

    private HandshakeLimits() {}

    /** To be called before the first use of TLS in a process, as the JDK reads these once. What is set already stays. */
    public static void apply() {
        set("jdk.tls.server.maxInboundCertificateChainLength", CERTIFICATES);
        set("jdk.tls.maxCertificateChainLength", CERTIFICATES);
        set("jdk.tls.maxHandshakeMessageSize", BYTES);
    }

    private static void set(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
