package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidator;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Which servers are believed that we are a client of: those of the system's authorities, and those of the grid's. Host names
 * are compared by the JDK, which does so for every trust manager that is not its own.
 */
public final class IssuerTrust implements X509TrustManager {
    private static final X509Certificate[] ANY = {};

    private final X509TrustManager system;
    private final X509CertChainValidator grid;

    private IssuerTrust(X509TrustManager system, X509CertChainValidator grid) {
        this.system = system;
        this.grid = grid;
    }

    /**
     * A context for clients without certificate.
     *
     * @param grid the validator of {@link GridTrust}
     */
    public static SSLContext context(X509CertChainValidator grid) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    new TrustManager[] {new IssuerTrust((X509TrustManager) factory.getTrustManagers()[0], grid)},
                    new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no usable TLS", e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        try {
            system.checkServerTrusted(chain, authType);
        } catch (CertificateException bySystem) {
            if (ProxyUtils.isProxy(chain)) {
                throw new CertificateException("a proxy is no server", bySystem);
            }
            ValidationResult byGrid = grid.validate(chain);
            if (!byGrid.isValid()) {
                throw new CertificateException(
                        "neither the system's authorities (" + bySystem.getMessage() + ") nor the grid's ("
                                + byGrid.toShortString() + ") know the server",
                        bySystem);
            }
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this trust manager is for clients");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return ANY.clone();
    }
}
