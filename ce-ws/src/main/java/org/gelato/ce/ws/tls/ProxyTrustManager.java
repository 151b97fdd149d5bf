package org.gelato.ce.ws.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides in the TLS handshake whether a client's chain is trusted. A chain that is not trusted ends the handshake with
 * an alert; the reason and the subject are one INFO line in the log, as the alert can't carry them. A client that sends no
 * certificate passes. Called by Tomcat's TLS threads; as an {@code X509ExtendedTrustManager} it is not wrapped by the
 * JDK's own checks, which know nothing of proxies.
 */
public final class ProxyTrustManager extends X509ExtendedTrustManager {
    private static final Logger log = LoggerFactory.getLogger(ProxyTrustManager.class);
    private static final X509Certificate[] ANY = {};

    private final ChainIdentities identities;
    private final Consumer<RefusedChainException> refusals;

    public ProxyTrustManager(ChainIdentities identities) {
        this(identities, refusal -> {});
    }

    /** @param refusals gets each chain that is refused, on Tomcat's TLS thread */
    public ProxyTrustManager(ChainIdentities identities, Consumer<RefusedChainException> refusals) {
        this.identities = identities;
        this.refusals = refusals;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        try {
            identities.identify(chain);
        } catch (RefusedChainException e) {
            log.info("TLS client {} refused: {}", e.subject(), e.getMessage());
            refusals.accept(e);
            throw e;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this trust manager is for servers");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    /**
     * None: the list would only tell clients which certificate to choose. A hundred CA names are 10 kB in each handshake,
     * and some clients find no match between a proxy's issuer and the list.
     */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return ANY.clone();
    }
}
