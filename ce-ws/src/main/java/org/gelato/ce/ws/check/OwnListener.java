package org.gelato.ce.ws.check;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Whether it is this CE that listens on a port already: it has the configured host certificate. */
final class OwnListener {
    private static final int PATIENCE_MS = 5000;

    private OwnListener() {}

    /** @param address to connect to; empty for this host */
    static boolean is(String address, int port, Path certificate) {
        try (Socket plain = new Socket()) {
            SSLContext tls = trusting(certificate);
            plain.setSoTimeout(PATIENCE_MS);
            plain.connect(
                    address.isEmpty()
                            ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                            : new InetSocketAddress(address, port),
                    PATIENCE_MS);
            try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, address, port, true)) {
                socket.startHandshake();
                return true;
            }
        } catch (IOException | GeneralSecurityException e) {
            return false;
        }
    }

    /** TLS that trusts the server with this certificate and no other. */
    static SSLContext trusting(Path certificate) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(certificate)) {
            X509Certificate ours =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, new TrustManager[] {new Only(ours)}, null);
            return tls;
        }
    }

    /** Trusts one certificate and nothing else. */
    private record Only(X509Certificate ours) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            throw new CertificateException("no client is expected");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            if (!chain[0].equals(ours)) {
                throw new CertificateException("another server's certificate");
            }
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
