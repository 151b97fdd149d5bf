package org.gelato.ce.it.history.nemesis;

import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.gelato.ce.cli.credential.TrustedAuthorities;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;

/** TLS of the clients of a CE. They read the authorities once, so that what becomes of those concerns the CE alone. */
final class ClientTls {
    private final TrustManager trust;

    ClientTls(SiteCe ce) {
        trust = new SSLTrustManager(TrustedAuthorities.load(ce.pki().certificates()));
    }

    SSLContext of(GridCredential credential) {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(new KeyManager[] {credential.x509().getKeyManager()}, new TrustManager[] {trust}, null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
