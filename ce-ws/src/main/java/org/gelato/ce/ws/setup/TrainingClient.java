package org.gelato.ce.ws.setup;

import eu.emi.security.authn.x509.impl.PEMCredential;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyRequestOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Date;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/** A user of the CE of a training run, by TLS with a proxy on a connection that is kept. Used by one thread. */
final class TrainingClient {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private final int port;
    private final PEMCredential proxy;
    private final TrustManagerFactory trust;
    private SSLContext tls;

    /** What the CE returned. */
    record Response(int status, String location, String text) {}

    TrainingClient(int port, Path authorities, Path proxy) throws IOException {
        this.port = port;
        try {
            this.proxy = new PEMCredential(proxy.toString(), (char[]) null);
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(authorities, "*.0")) {
                for (Path file : files) {
                    try (InputStream in = Files.newInputStream(file)) {
                        trusted.setCertificateEntry(
                                file.getFileName().toString(),
                                CertificateFactory.getInstance("X.509").generateCertificate(in));
                    }
                }
            }
            trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            connectAnew();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The next request opens a connection, with no TLS session of earlier. */
    void connectAnew() {
        try {
            tls = SSLContext.getInstance("TLS");
            tls.init(new KeyManager[] {proxy.getKeyManager()}, trust.getTrustManagers(), null);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Sends a request.
     *
     * @param body null for none
     * @throws IOException when there is no response
     */
    Response send(String method, String path, Map<String, String> headers, String body) throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection)
                URI.create("https://localhost:" + port + path).toURL().openConnection();
        connection.setSSLSocketFactory(tls.getSocketFactory());
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setRequestMethod(method);
        headers.forEach(connection::setRequestProperty);
        if (body != null) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Response(status, connection.getHeaderField("Location"), text);
        }
    }

    /** Signs a request for a delegated proxy; the chain, as PEM. */
    String sign(String request) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(request))) {
            ProxyRequestOptions wanted = new ProxyRequestOptions(
                    proxy.getCertificateChain(), (PKCS10CertificationRequest) parser.readObject());
            X509Certificate signer = proxy.getCertificate();
            wanted.setValidityBounds(
                    signer.getNotBefore(),
                    Date.from(signer.getNotAfter().toInstant().minus(MARGIN)));
            StringWriter text = new StringWriter();
            try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
                for (X509Certificate certificate : ProxyGenerator.generate(wanted, proxy.getKey())) {
                    pem.writeObject(certificate);
                }
            }
            return text.toString();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
