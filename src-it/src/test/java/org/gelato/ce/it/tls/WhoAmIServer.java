package org.gelato.ce.it.tls;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.authentication.Authenticator;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridConnector;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.TlsConfig;
import org.gelato.ce.ws.web.CallerResolver;

/** A Tomcat on loopback with the CE's TLS; its one servlet returns who the caller is, or why there is none. */
final class WhoAmIServer implements AutoCloseable {
    /** Status line and body of a response. */
    record Response(int status, String text) {}

    private final GridPki pki;
    private final GridTrust trust;
    private final ChainIdentities identities;
    private final Tomcat tomcat = new Tomcat();
    private final Connector connector;
    private HostCredential host;

    WhoAmIServer(GridPki pki, TlsConfig config, Clock clock, Authorizer authorizer, Path base)
            throws LifecycleException {
        this(pki, config, clock, authorizer, base, null);
    }

    /** @param other a connector in place of the CE's own; null for none */
    WhoAmIServer(GridPki pki, TlsConfig config, Clock clock, Authorizer authorizer, Path base, Connector other)
            throws LifecycleException {
        this.pki = pki;
        trust = new GridTrust(config.trust(), base.resolve("trust"));
        identities = new ChainIdentities(trust, clock);
        tomcat.setBaseDir(base.toString());
        tomcat.setSilent(true);
        connector = other == null ? GridConnector.create(host(config), identities, "127.0.0.1", 0) : other;
        tomcat.setConnector(connector);
        StandardContext context = (StandardContext) tomcat.addContext("", base.toString());
        // The leak search needs options this JVM does not have.
        context.setClearReferencesRmiTargets(false);
        context.setClearReferencesThreadLocals(false);
        Tomcat.addServlet(context, "who", new WhoServlet(new Authenticator(identities, null, authorizer)))
                .addMapping("/*");
        tomcat.start();
    }

    private HostCredential host(TlsConfig config) {
        host = new HostCredential(config.hostCertificate(), config.hostKey(), "localhost", Clock.systemUTC());
        return host;
    }

    /** The host certificate of the CE's own connector. */
    HostCredential host() {
        return host;
    }

    ChainIdentities identities() {
        return identities;
    }

    int port() {
        return connector.getLocalPort();
    }

    /** One call on a connection of its own; null for no client certificate. */
    Response ask(GridCredential client) throws Exception {
        return ask(context("TLS", client));
    }

    /** One call; a context given twice resumes its session. */
    Response ask(SSLContext context) throws Exception {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (text.isEmpty()) {
                throw new IOException("closed without a response");
            }
            return new Response(Integer.parseInt(text.split(" ")[1]), text.substring(text.indexOf("\r\n\r\n") + 4));
        }
    }

    /** The certificate that a new connection gets. */
    X509Certificate certificate() throws Exception {
        try (SSLSocket socket =
                (SSLSocket) context("TLS", null).getSocketFactory().createSocket("localhost", port())) {
            socket.setSoTimeout(20_000);
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    /** @param protocol {@code TLS} for the newest both sides have, or one version */
    SSLContext context(String protocol, GridCredential client) throws Exception {
        KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
        anchors.load(null, null);
        anchors.setCertificateEntry("ca", pki.authorityCertificate());
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(anchors);
        SSLContext context = SSLContext.getInstance(protocol);
        KeyManager[] keys =
                client == null ? null : new KeyManager[] {client.x509().getKeyManager()};
        context.init(keys, trustManagers.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        trust.close();
    }

    private static final class WhoServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private final transient CallerResolver callers;

        WhoServlet(CallerResolver callers) {
            this.callers = callers;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=UTF-8");
            Object protocol = request.getAttribute("org.apache.tomcat.util.net.secure_protocol_version");
            try {
                Caller caller = callers.resolve(request);
                GridIdentity id = caller.certificate();
                response.getWriter()
                        .print(protocol + "|" + id.dn() + "|" + id.fqans() + "|" + id.vo() + "|"
                                + (id.limited() ? "limited" : "full") + "|" + caller.account());
            } catch (ServiceException.NotAuthorized e) {
                response.setStatus(HttpServletResponse.SC_FORBIDDEN);
                response.getWriter().print(e.getMessage());
            }
        }
    }
}
