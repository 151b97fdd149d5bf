package org.gelato.ce.ws.check;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.gelato.ce.ws.config.CeConfig;

/** Whether it is this CE that listens on a port already: it has one of its certificates ({@link OwnCertificate}). */
final class OwnListener {
    private static final int PATIENCE_MS = 5000;

    private OwnListener() {}

    /** The certificate of the CE that listens where the configuration says; empty when this CE does not. */
    static Optional<X509Certificate> served(CeConfig config) {
        if (config.port() == 0) {
            return Optional.empty();
        }
        String address = config.address();
        try (Socket plain = new Socket()) {
            SSLContext tls = trusting(config);
            plain.setSoTimeout(PATIENCE_MS);
            plain.connect(
                    address.isEmpty()
                            ? new InetSocketAddress(InetAddress.getLoopbackAddress(), config.port())
                            : new InetSocketAddress(address, config.port()),
                    PATIENCE_MS);
            try (SSLSocket socket =
                    (SSLSocket) tls.getSocketFactory().createSocket(plain, address, config.port(), true)) {
                socket.startHandshake();
                return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
            }
        } catch (IOException | GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    /** TLS that trusts servers with a certificate of this CE's and no others, whatever else is wrong with it. */
    static SSLContext trusting(CeConfig config) throws GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {new Only(OwnCertificate.of(config))}, null);
        return tls;
    }

    /** Extended, as Java adds checks of its own to any other. */
    private static final class Only extends X509ExtendedTrustManager {
        private final Set<X509Certificate> ours;

        Only(Set<X509Certificate> ours) {
            this.ours = ours;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            throw new CertificateException("no client is expected");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, kind);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, kind);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            if (!ours.contains(chain[0])) {
                throw new CertificateException("another server's certificate");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, kind);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, kind);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
