package org.gelato.ce.testkit.token;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.gelato.ce.testkit.pki.GridCredential;

/** An HTTPS server on localhost for the metadata and keys of an issuer; counts what is fetched. */
public final class IssuerServer implements AutoCloseable {
    @FunctionalInterface
    public interface Page {
        void answer(HttpExchange exchange) throws IOException;
    }

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Page> pages = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    /** @param host a host certificate valid for localhost, and its key */
    public IssuerServer(GridCredential host) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(new KeyManager[] {host.x509().getKeyManager()}, null, null);
            server.setHttpsConfigurator(new HttpsConfigurator(tls));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** {@code https://localhost:PORT}, without a slash at the end. */
    public String url() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    /** Serves metadata and keys of an issuer whose name starts with {@link #url}. */
    public void serve(TestIssuer issuer) {
        page("/.well-known/openid-configuration", json(metadata(issuer.name(), url() + "/jwk")));
        page("/jwk", exchange -> json(issuer.jwks()).answer(exchange));
    }

    /** Metadata of an issuer. */
    public static String metadata(String issuer, String jwksUri) {
        return JsonText.of(Map.of("issuer", issuer, "jwks_uri", jwksUri));
    }

    public void page(String path, Page page) {
        pages.put(path, page);
    }

    public static Page json(String text) {
        return exchange -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(OK, bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    public static Page redirect(String location) {
        return exchange -> {
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(302, -1);
        };
    }

    /** How often a path was requested. */
    public int count(String path) {
        AtomicInteger count = counts.get(path);
        return count == null ? 0 : count.get();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            counts.computeIfAbsent(path, p -> new AtomicInteger()).incrementAndGet();
            Page page = pages.get(path);
            if (page == null) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
            } else {
                page.answer(exchange);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
