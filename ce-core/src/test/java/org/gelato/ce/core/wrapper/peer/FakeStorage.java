package org.gelato.ce.core.wrapper.peer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.gelato.ce.testkit.pki.GridCredential;

/** Storage by HTTPS, which asks for certificates, takes any, and writes down who came for what. */
public final class FakeStorage implements AutoCloseable {
    public final Map<String, byte[]> files = new ConcurrentHashMap<>();
    /** Paths that are elsewhere, with the URL. */
    public final Map<String, String> moved = new ConcurrentHashMap<>();

    public final List<Request> requests = new CopyOnWriteArrayList<>();
    /** Requests for this path are never answered. */
    public volatile String silent;

    private final CountDownLatch closing = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpsServer server;

    /**
     * What came.
     *
     * @param certificate subject of the client's certificate; null without one
     * @param authorization null without one
     * @param length of the body as announced; null without
     */
    public record Request(String what, String certificate, String authorization, String length) {}

    public FakeStorage(GridCredential host) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(new KeyManager[] {host.x509().getKeyManager()}, new TrustManager[] {new Anybody()}, null);
            server.setHttpsConfigurator(new HttpsConfigurator(tls) {
                @Override
                public void configure(HttpsParameters parameters) {
                    SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
                    wanted.setWantClientAuth(true);
                    parameters.setSSLParameters(wanted);
                }
            });
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String path = call.getRequestURI().getRawPath();
            requests.add(new Request(
                    call.getRequestMethod() + " " + path,
                    subject((HttpsExchange) call),
                    call.getRequestHeaders().getFirst("Authorization"),
                    call.getRequestHeaders().getFirst("Content-Length")));
            if (path.equals(silent)) {
                closing.await();
            } else if (moved.containsKey(path)) {
                call.getRequestBody().readAllBytes();
                call.getResponseHeaders().set("Location", moved.get(path));
                call.sendResponseHeaders(307, -1);
            } else if (call.getRequestMethod().equals("PUT")) {
                files.put(path, call.getRequestBody().readAllBytes());
                call.sendResponseHeaders(201, -1);
            } else if (files.containsKey(path)) {
                call.sendResponseHeaders(200, files.get(path).length);
                call.getResponseBody().write(files.get(path));
            } else {
                call.sendResponseHeaders(404, -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String subject(HttpsExchange call) {
        try {
            return ((X509Certificate) call.getSSLSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            throw new UnsupportedOperationException();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
