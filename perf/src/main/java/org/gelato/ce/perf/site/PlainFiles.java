package org.gelato.ce.perf.site;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.gelato.ce.testkit.pki.GridCredential;

/**
 * A file server that does nothing but serve files: HTTPS with the host's certificate, no user authenticated, no checksum,
 * no account changed; and {@code curl} as its client. It shows what the machine makes of such a transfer.
 */
public final class PlainFiles implements AutoCloseable {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_ALLOWED = 405;

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Path directory;
    private final Path authority;

    private PlainFiles(HttpsServer server, Path directory, Path authority) {
        this.server = server;
        this.directory = directory;
        this.authority = authority;
    }

    /** Starts one for a site; files lie in a directory below the site's. */
    public static PlainFiles start(PerfSite site) {
        try {
            GridCredential host = site.pki().host();
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(new KeyManager[] {host.x509().getKeyManager()}, null, null);
            Path directory = Files.createDirectories(site.base().resolve("plain"));
            Path authority = site.pki().writeAuthorities(site.base().resolve("plain-authority.pem"));
            HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(tls));
            PlainFiles files = new PlainFiles(server, directory, authority);
            server.createContext("/", files::answer);
            server.setExecutor(files.threads);
            server.start();
            return files;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no plain file server: " + e.getMessage(), e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            // No other process knows this server; a name is still no path.
            Path file = directory.resolve(
                    Path.of(exchange.getRequestURI().getPath()).getFileName());
            switch (exchange.getRequestMethod()) {
                case "PUT" -> {
                    try (InputStream in = exchange.getRequestBody();
                            OutputStream out = Files.newOutputStream(file)) {
                        in.transferTo(out);
                    }
                    exchange.sendResponseHeaders(CREATED, -1);
                }
                case "GET" -> {
                    exchange.sendResponseHeaders(OK, Files.size(file));
                    Files.copy(file, exchange.getResponseBody());
                }
                default -> exchange.sendResponseHeaders(NOT_ALLOWED, -1);
            }
        }
    }

    /** Brings files with one {@code curl}, which keeps its connection. */
    public void put(List<Path> files) {
        List<String> words = new ArrayList<>();
        files.forEach(f -> words.addAll(List.of("-T", f.toString(), address(f))));
        curl(words);
    }

    /** Fetches files of these names into a directory. */
    public void get(List<Path> files, Path to) {
        List<String> words = new ArrayList<>();
        files.forEach(
                f -> words.addAll(List.of("-o", to.resolve(f.getFileName()).toString(), address(f))));
        curl(words);
    }

    private String address(Path file) {
        return "https://localhost:" + server.getAddress().getPort() + "/" + file.getFileName();
    }

    private void curl(List<String> words) {
        List<String> command = new ArrayList<>(List.of("curl", "-sSf", "-4", "--cacert", authority.toString()));
        command.addAll(words);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String reported = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("curl failed: " + reported.strip());
            }
        } catch (IOException e) {
            throw new NotPossibleException("no curl: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
