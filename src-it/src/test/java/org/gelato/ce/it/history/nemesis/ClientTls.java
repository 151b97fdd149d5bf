package org.gelato.ce.it.history.nemesis;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;

/** TLS of the clients of a CE. They look into no lists of revoked certificates, so that what becomes of those concerns the CE alone. */
final class ClientTls {
    private final TrustManagerFactory trust;

    ClientTls(SiteCe ce) {
        try {
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, null);
            authorities.setCertificateEntry("ca", ce.pki().authorityCertificate());
            trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(authorities);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param credential null for a client without certificate */
    SSLContext of(GridCredential credential) {
        KeyManager[] keys =
                credential == null ? null : new KeyManager[] {credential.x509().getKeyManager()};
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(keys, trust.getTrustManagers(), null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
