package org.gelato.ce.cli.soap;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/** HTTPS servers on the loopback interface, with the host certificate of a grid. */
final class LocalHttps {
    private LocalHttps() {}

    /** A server that is not started yet. */
    static HttpsServer of(TestGrid grid, HttpHandler handler) throws IOException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                new KeyManager[] {
                    new KeyAndCertCredential(grid.hostKeys.getPrivate(), new X509Certificate[] {grid.host})
                            .getKeyManager()
                },
                null,
                null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", handler);
        return server;
    }
}
