package org.gelato.ce.it.monitoring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.gelato.ce.ws.dashboard.DashboardEndpoints;
import org.gelato.ce.ws.dashboard.PageJson;

/** The files of the dashboard under their policy, with data that a test sets in place of a CE's. */
final class PageServer implements AutoCloseable {

    private final HttpServer server;
    private volatile Situations situation = Situations.ALL_WELL;
    private volatile int refused;

    PageServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    String page() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    void show(Situations shown) {
        situation = shown;
    }

    /** From now on all data are refused with a status; 0 for not any more. */
    void refuse(int status) {
        refused = status;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        exchange.getResponseHeaders().set("Content-Security-Policy", DashboardEndpoints.POLICY);
        Object json = null;
        if (path.equals("/dashboard/data")) {
            json = situation.data(query.replace("span=", ""));
        } else if (path.equals("/dashboard/jobs")) {
            String wanted = URLDecoder.decode(query, StandardCharsets.UTF_8);
            json = wanted.startsWith("id=") ? situation.job(wanted.substring("id=".length())) : situation.jobs(wanted);
        } else if (path.endsWith("/messages")) {
            json = situation.messages(query.endsWith("after=0"));
        }
        if (json != null && refused != 0) {
            send(
                    exchange,
                    refused,
                    "application/json",
                    PageJson.MAPPER.writeValueAsBytes(Map.of("error", "refused by the test")));
        } else if (json != null) {
            send(exchange, 200, "application/json", PageJson.MAPPER.writeValueAsBytes(json));
        } else if (path.startsWith("/docs/")) {
            file(exchange, path.replace("/docs/", "/manual/"));
        } else {
            file(exchange, path.equals("/") ? "index.html" : path.replace("/dashboard/", ""));
        }
    }

    private static void file(HttpExchange exchange, String name) throws IOException {
        String type = name.endsWith(".js")
                ? "text/javascript"
                : name.endsWith(".css")
                        ? "text/css"
                        : DashboardEndpoints.FILES.getOrDefault(name, "text/html; charset=utf-8");
        try (InputStream in = DashboardEndpoints.class.getResourceAsStream(name)) {
            if (in == null) {
                send(exchange, 404, "text/plain", name.getBytes(StandardCharsets.UTF_8));
            } else {
                send(exchange, 200, type, in.readAllBytes());
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
