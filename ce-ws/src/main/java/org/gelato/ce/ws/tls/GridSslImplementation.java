package org.gelato.ce.ws.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLUtil;
import org.apache.tomcat.util.net.jsse.JSSEImplementation;
import org.apache.tomcat.util.net.jsse.JSSEUtil;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.ws.credential.HostCredential;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tomcat's TLS by JSSE, with clients judged as grid clients. Tomcat makes one per connector, by class name.
 *
 * <p>Embedded, {@link GridConnector} names it and passes the trust manager in the host configuration. In a stock
 * Tomcat the connector starts before any web application is there to hand over anything, so it makes its own trust from
 * system properties: put the jars of the build's {@code tomcat-lib}, which are this package and what it needs, into {@code
 * $CATALINA_BASE/lib} and write in {@code server.xml}
 *
 * <pre>{@code
 * <Connector port="8443" protocol="HTTP/1.1" SSLEnabled="true" scheme="https" secure="true"
 *            sslImplementationName="org.gelato.ce.ws.tls.GridSslImplementation">
 *   <SSLHostConfig certificateVerification="optional" protocols="TLSv1.2+TLSv1.3">
 *     <Certificate certificateFile="/etc/grid-security/hostcert.pem"
 *                  certificateKeyFile="/etc/grid-security/hostkey.pem"/>
 *   </SSLHostConfig>
 * </Connector>
 * }</pre>
 *
 * and, where the defaults of {@link TrustConfig#parse} don't fit, in {@code CATALINA_OPTS} the system properties {@code
 * gelato.tls.ca-directory}, {@code gelato.tls.voms-directory}, {@code gelato.tls.crl}, {@code gelato.tls.refresh}, {@code
 * gelato.tls.signing-policy}, {@code gelato.tls.key-usage}. The web
 * application validates the chain again with its own trust, so it never depends on the content of {@code server.xml}.
 * Certificate and key named there are read again every {@code gelato.tls.refresh}, unless the key is encrypted.
 */
public final class GridSslImplementation extends JSSEImplementation {
    private static final Logger log = LoggerFactory.getLogger(GridSslImplementation.class);

    /** System properties of a stock Tomcat begin with this. */
    static final String PROPERTIES = "gelato.tls.";

    private final Map<Path, HostCredential> credentials = new HashMap<>();
    private ProxyTrustManager standalone;
    private ScheduledExecutorService reloader;

    @Override
    public SSLUtil getSSLUtil(SSLHostConfigCertificate certificate) {
        SSLHostConfig host = certificate.getSSLHostConfig();
        ProxyTrustManager manager = host instanceof GridSslHostConfig ours ? ours.trustManager() : standalone();
        HostCredential credential =
                host instanceof GridSslHostConfig ours ? ours.credential() : standaloneCredential(certificate);
        // The warning that is switched off is about asking for a certificate after the handshake, which is not done
        // here.
        return new JSSEUtil(certificate, false) {
            @Override
            public KeyManager[] getKeyManagers() throws Exception {
                return credential == null ? super.getKeyManagers() : new KeyManager[] {credential.keyManager()};
            }

            @Override
            public TrustManager[] getTrustManagers() {
                return new TrustManager[] {manager};
            }

            @Override
            public String[] getEnabledCiphers() {
                return CipherSuites.strong(super.getEnabledCiphers());
            }
        };
    }

    /** Lives as long as the process, as the connector does. */
    private synchronized ProxyTrustManager standalone() {
        HandshakeLimits.apply();
        if (standalone == null) {
            GridTrust trust = new GridTrust(config(), temporary());
            standalone = new ProxyTrustManager(new ChainIdentities(trust, Clock.systemUTC()));
        }
        return standalone;
    }

    /** Null where Tomcat has to read them itself: a keystore, an encrypted key, files that it has to complain about. */
    private synchronized HostCredential standaloneCredential(SSLHostConfigCertificate certificate) {
        String file = certificate.getCertificateFile();
        String key = certificate.getCertificateKeyFile();
        if (file == null || key == null || certificate.getCertificateChainFile() != null) {
            return null;
        }
        try {
            HostCredential credential = credentials.computeIfAbsent(
                    Path.of(file), f -> new HostCredential(f, Path.of(key), null, Clock.systemUTC()));
            credential.refresh();
            watch();
            return credential;
        } catch (IllegalArgumentException e) {
            log.info("left to Tomcat, and not read again: {}", e.getMessage());
            return null;
        }
    }

    private void watch() {
        if (reloader == null) {
            reloader = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "host-certificate");
                thread.setDaemon(true);
                return thread;
            });
            long millis = config().refresh().toMillis();
            reloader.scheduleWithFixedDelay(
                    Repeated.of("reading of the host certificate", this::refresh),
                    millis,
                    millis,
                    TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void refresh() {
        credentials.values().forEach(HostCredential::refresh);
    }

    private static TrustConfig config() {
        return TrustConfig.parse(key -> System.getProperty(PROPERTIES + key));
    }

    /** A stock Tomcat's connector knows no home of the CE. */
    private static Path temporary() {
        try {
            return Files.createTempDirectory("gelato-trust-");
        } catch (IOException e) {
            throw new IllegalStateException("no place for copies of trust files: " + Messages.of(e), e);
        }
    }
}
