package org.gelato.ce.core.wrapper.peer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageBatch;

/** A CE as a wrapper without shared files sees it, answering as docs/user/files.md says. Plain HTTP: who is believed is curl's matter. */
public final class FakeCe implements AutoCloseable {
    /** Secret of the job. */
    public static final String TOKEN = "s3cr3t'token";

    public final Map<String, byte[]> input = new ConcurrentHashMap<>();
    public final Map<String, byte[]> output = new ConcurrentHashMap<>();
    public final List<String> claims = new CopyOnWriteArrayList<>();
    public final List<String> events = new CopyOnWriteArrayList<>();
    public final List<String> requests = new CopyOnWriteArrayList<>();
    /**
     * Statuses of the next responses to "METHOD /place"; 0 cuts the connection, for PUT after half of the body was kept, and 1 is
     * the response that the request would have got.
     */
    public final Map<String, Deque<Integer>> next = new ConcurrentHashMap<>();

    /** Batches of messages and output that were taken, in order. */
    public final List<MessageBatch> batches = new CopyOnWriteArrayList<>();
    /** Client ports they came from. */
    public final List<Integer> ports = new CopyOnWriteArrayList<>();
    /** Client ports that requests for files came from. */
    public final Set<Integer> filePorts = ConcurrentHashMap.newKeySet();
    /** Header Gelato-Live of the responses. */
    public volatile boolean live;
    /** Number of the message wanted next; what begins after it is a gap. */
    public volatile long wanted = 1;

    public volatile String proxy = "a proxy\n";
    public volatile boolean lies;

    /** As many checksums of complete files are not computed yet. */
    public final AtomicInteger unknown = new AtomicInteger();

    public final Map<String, byte[]> parts = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private volatile String claimant;

    public FakeCe() throws IOException {
        server = start(0);
    }

    private HttpServer start(int port) throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        made.createContext("/", this::answer);
        made.setExecutor(threads);
        made.start();
        return made;
    }

    public String url(String place) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + place;
    }

    public void stop() {
        server.stop(0);
    }

    public void again() throws IOException {
        server = start(server.getAddress().getPort());
    }

    public void answer(String request, Integer... statuses) {
        next.put(request, new ConcurrentLinkedDeque<>(List.of(statuses)));
    }

    /** Whether a wrapper has the job already. */
    public void taken() {
        claimant = "somebody else";
    }

    private void answer(HttpExchange call) throws IOException {
        String path = call.getRequestURI().getPath();
        String[] place = path.substring(1).split("/", 2);
        String request = call.getRequestMethod() + " /" + place[0];
        requests.add(call.getRequestMethod() + " " + call.getRequestURI().getRawPath());
        byte[] body = call.getRequestBody().readAllBytes();
        Deque<Integer> planned = next.getOrDefault(request, new ConcurrentLinkedDeque<>());
        Integer status = planned.poll();
        if (place[0].equals("input") || place[0].equals("output")) {
            filePorts.add(call.getRemoteAddress().getPort());
        }
        if (status != null && status == 1) {
            status = null;
        }
        if (status != null && status == 0) {
            if (body.length > 0) {
                parts.put(place[1], Arrays.copyOf(body, body.length / 2));
            }
            call.close();
        } else if (status != null) {
            if (status == 409) {
                call.getResponseHeaders().add("Gelato-Next", Long.toString(wanted));
            }
            send(call, status, "{\"status\": 1, \"error\":\"planned words\"}".getBytes(StandardCharsets.UTF_8));
        } else {
            switch (place[0]) {
                case "claims" -> claim(call, new String(body, StandardCharsets.UTF_8));
                case "messages" -> messages(call, body);
                case "events" -> event(call, new String(body, StandardCharsets.UTF_8));
                default -> {
                    if (("Bearer " + TOKEN).equals(call.getRequestHeaders().getFirst("Authorization"))) {
                        file(call, place, body);
                    } else {
                        send(call, 403, new byte[0]);
                    }
                }
            }
        }
    }

    private synchronized void claim(HttpExchange call, String text) throws IOException {
        claims.add(text);
        String who =
                text.lines().filter(l -> l.startsWith("claimant=")).findFirst().orElseThrow();
        claimant = claimant == null ? who : claimant;
        send(call, claimant.equals(who) ? 200 : 409, new byte[0]);
    }

    private synchronized void messages(HttpExchange call, byte[] body) throws IOException {
        MessageBatch batch = MessageBatch.parse(body).orElse(null);
        if (batch == null || !batch.token().equals(TOKEN)) {
            send(call, batch == null ? 400 : 403, new byte[0]);
            return;
        }
        ports.add(call.getRemoteAddress().getPort());
        boolean text = batch.kind() == Message.Kind.TEXT;
        boolean gap = text && batch.first() > wanted;
        if (!gap) {
            batches.add(batch);
            wanted = text ? Math.max(wanted, batch.first() + batch.lines().size()) : wanted;
        }
        call.getResponseHeaders().add("Gelato-Next", Long.toString(wanted));
        call.getResponseHeaders().add("Gelato-Live", live ? "1" : "0");
        send(call, gap ? 409 : 204, new byte[0]);
    }

    private void event(HttpExchange call, String text) throws IOException {
        events.add(text);
        send(call, 204, new byte[0]);
    }

    private void file(HttpExchange call, String[] place, byte[] body) throws IOException {
        if (place[0].equals("proxy")) {
            send(call, 200, proxy.getBytes(StandardCharsets.UTF_8));
        } else if (place[0].equals("input")) {
            byte[] file = input.get(place[1]);
            if (file != null) {
                call.getResponseHeaders().add("Repr-Digest", lies ? digest(body) : digest(file));
            }
            send(
                    call,
                    file == null ? 404 : 200,
                    file == null ? "{\"error\":\"no such file\"}".getBytes(StandardCharsets.UTF_8) : file);
        } else if (call.getRequestMethod().equals("HEAD")) {
            head(call, place[1]);
        } else {
            put(call, place[1], body);
        }
    }

    private void head(HttpExchange call, String name) throws IOException {
        byte[] part = parts.get(name);
        byte[] whole = output.get(name);
        if (part == null && whole == null) {
            call.sendResponseHeaders(404, -1);
        } else {
            call.getResponseHeaders().add("Upload-Complete", part == null ? "?1" : "?0");
            call.getResponseHeaders()
                    .add("Content-Length", Integer.toString(part == null ? whole.length : part.length));
            call.sendResponseHeaders(200, -1);
        }
        call.close();
    }

    private void put(HttpExchange call, String name, byte[] body) throws IOException {
        String range = call.getRequestHeaders().getFirst("Content-Range");
        byte[] file = body;
        if (range != null && range.startsWith("bytes */")) {
            requests.add(range);
            file = parts.containsKey(name) ? parts.get(name) : output.get(name);
            if (unknown.getAndDecrement() > 0) {
                send(call, 503, new byte[0]);
                return;
            }
        } else if (range != null) {
            byte[] part = parts.get(name);
            if (!range.equals("bytes " + part.length + "-" + (part.length + body.length - 1) + "/"
                    + (part.length + body.length))) {
                send(call, 400, range.getBytes(StandardCharsets.UTF_8));
                return;
            }
            file = Arrays.copyOf(part, part.length + body.length);
            System.arraycopy(body, 0, file, part.length, body.length);
            requests.add(range);
        }
        parts.remove(name);
        if (digest(file).equals(call.getRequestHeaders().getFirst("Repr-Digest"))) {
            output.put(name, file);
            send(call, 201, new byte[0]);
        } else {
            send(call, 400, new byte[0]);
        }
    }

    private static String digest(byte[] content) {
        try {
            byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(content);
            return "sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static void send(HttpExchange call, int status, byte[] body) throws IOException {
        call.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        call.getResponseBody().write(body);
        call.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
