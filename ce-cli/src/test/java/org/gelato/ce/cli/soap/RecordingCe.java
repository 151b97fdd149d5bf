package org.gelato.ce.cli.soap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.gelato.ce.cli.credential.TrustedAuthorities;

/** A TLS server that requests a client certificate, responds to SOAP actions with given bodies, and records requests. */
final class RecordingCe implements AutoCloseable {
    final KeyPair delegationKeys = TestGrid.keys();
    final List<String> requests = new ArrayList<>();
    final Set<InetSocketAddress> connections = new LinkedHashSet<>();
    final Map<String, String> responses = new LinkedHashMap<>();
    final Map<String, Integer> statuses = new LinkedHashMap<>();

    /** What is in the head of responses. */
    final Map<String, String> codes = new HashMap<>();
    /** The version of files, whose checksums are not to be had; null where they have none. */
    String tag;

    private final HttpServer server;

    RecordingCe(TestGrid grid) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                new KeyManager[] {
                    new KeyAndCertCredential(grid.hostKeys.getPrivate(), new X509Certificate[] {grid.host})
                            .getKeyManager()
                },
                new TrustManager[] {new SSLTrustManager(TrustedAuthorities.load(grid.certificates))},
                null);
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        String request = TestGrid.pem(
                new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=whatever"), delegationKeys.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withRSA").build(delegationKeys.getPrivate())));
        responses.put(
                "getProxyReq",
                "<d:getProxyReqResponse><getProxyReqReturn>" + request
                        + "</getProxyReqReturn></d:getProxyReqResponse>");
        responses.put("putProxy", "<d:putProxyResponse/>");
        https.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + "\n" + body);
            connections.add(exchange.getRemoteAddress());
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.close();
                return;
            }
            if (tag != null) {
                exchange.getResponseHeaders().set("ETag", tag);
            }
            String key = responses.keySet().stream()
                    .filter(k -> body.contains(k)
                            || exchange.getRequestURI().getPath().endsWith(k)
                            || k.equals(action(exchange.getRequestHeaders().getFirst("SOAPAction"))))
                    .findFirst()
                    .orElseThrow(() -> new IOException("unexpected request"));
            boolean soap = exchange.getRequestMethod().equals("POST");
            String response = soap ? envelope(responses.get(key)) : responses.get(key);
            if (codes.containsKey(key)) {
                exchange.getResponseHeaders().set("Gelato-Fault", codes.get(key));
            }
            answer(exchange, statuses.getOrDefault(key, 200), response, soap);
        });
        https.start();
        server = https;
    }

    private static void answer(HttpExchange exchange, int status, String text, boolean soap) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", soap ? "text/xml; charset=utf-8" : "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
                + " xmlns:t=\"http://glite.org/2007/11/ce/cream/types\""
                + " xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }

    private static String action(String header) {
        return header == null ? "" : header.replace("\"", "").replaceFirst(".*/", "");
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
