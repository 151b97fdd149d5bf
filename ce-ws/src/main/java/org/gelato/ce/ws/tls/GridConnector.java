package org.gelato.ce.ws.tls;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.gelato.ce.ws.credential.HostCredential;

/**
 * Makes the CE's HTTPS connector: TLS 1.2 and 1.3, a client certificate requested but not required, sessions resumed. The
 * host certificate is that of a {@link HostCredential}, so that a new one counts from the next handshake on.
 */
public final class GridConnector {
    private static final Duration SESSION = Duration.ofHours(1);
    private static final int SESSIONS = 20_000;

    private GridConnector() {}

    /**
     * @param identities shared with the {@code Authenticator}, so that a chain is validated once
     * @param address to listen on; null for all
     * @param port 0 for any free one
     * @return a connector to be added to a Tomcat service; threads, limits and timeouts are still Tomcat's defaults
     */
    public static Connector create(HostCredential host, ChainIdentities identities, String address, int port) {
        Connector connector = new Connector(Http11NioProtocol.class.getName());
        connector.setPort(port);
        if (address != null) {
            set(connector, "address", address);
        }
        secure(connector, host, identities, refusal -> {});
        return connector;
    }

    /** Makes a connector use TLS; before it starts. */
    public static void secure(
            Connector connector,
            HostCredential host,
            ChainIdentities identities,
            Consumer<RefusedChainException> refusals) {
        connector.setScheme("https");
        connector.setSecure(true);
        set(connector, "SSLEnabled", "true");
        set(connector, "sslImplementationName", GridSslImplementation.class.getName());
        connector.addSslHostConfig(sslHostConfig(host, new ProxyTrustManager(identities, refusals)));
    }

    /** The TLS part alone, for a connector that names {@link GridSslImplementation} itself. */
    public static SSLHostConfig sslHostConfig(HostCredential credential, ProxyTrustManager trustManager) {
        HandshakeLimits.apply();
        SSLHostConfig host = new GridSslHostConfig(credential, trustManager);
        host.setProtocols("TLSv1.2+TLSv1.3");
        host.setCertificateVerification("optional");
        host.setSessionTimeout((int) SESSION.toSeconds());
        host.setSessionCacheSize(SESSIONS);
        host.addCertificate(new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED));
        return host;
    }

    private static void set(Connector connector, String name, String value) {
        if (!connector.setProperty(name, value)) {
            throw new IllegalStateException("Tomcat's connector has no property " + name);
        }
    }
}
