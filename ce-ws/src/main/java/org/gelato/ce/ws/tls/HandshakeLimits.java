package org.gelato.ce.ws.tls;

/**
 * What a client's handshake may cost. A chain may be longer than what {@link GridTrust} takes, which gives a reason, before the JDK
 * ends the handshake without one. The JDK's own limit of a server is 8 certificates, and users delegate deeper than that. A
 * certificate is read at no price: what Java's own provider refuses, Bouncy Castle takes, but only after a primality
 * test of a modulus of up to 16 384 bits, for each certificate of a client that is not authorized's chain. There is one handshake for each connection: a
 * client of TLS 1.2 that wants another one on the same is none that grids know, and no deadline would be there for it.
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
        set("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        set("org.bouncycastle.rsa.max_mr_tests", "0");
        set("org.bouncycastle.rsa.max_size", Integer.toString(KeyStrength.RSA_MOST));
    }

    private static void set(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
