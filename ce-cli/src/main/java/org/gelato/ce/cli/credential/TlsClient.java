package org.gelato.ce.cli.credential;

import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Makes the TLS side of a client: the user's proxy as client certificate, the CE's certificate checked against the authorities. */
public final class TlsClient {
    static {
        // The JDK sends a POST again when its connection breaks: a start that came twice would appear as another
        // client's. It reads this once, at the first connection, and no connection is made without this class.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private TlsClient() {}

    /** Sockets of a client without certificate, which trusts these authorities. */
    public static SSLSocketFactory socketFactory(Path authorities) {
        return context(null, new SSLTrustManager(TrustedAuthorities.load(authorities)))
                .getSocketFactory();
    }

    /**
     * One context serves all connections of a command, so that they are kept and their sessions resumed. The host name is checked by the
     * HTTPS layer above.
     *
     * @param proxy null for a client without certificate
     */
    static SSLContext context(UserProxy proxy, X509TrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManager[] keys = proxy == null ? null : new KeyManager[] {proxy.keyManager()};
            context.init(keys, new TrustManager[] {trust}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no usable TLS", e);
        }
    }
}
