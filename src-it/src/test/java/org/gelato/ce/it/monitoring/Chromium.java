package org.gelato.ce.it.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;

/** Debian's Chromium without a window, driven over its DevTools protocol: one page, and all that its console complains about. */
final class Chromium implements AutoCloseable {
    static final Path PROGRAM = Path.of("/usr/bin/chromium");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final Path profile;
    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> responses = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final StringBuilder part = new StringBuilder();

    Chromium() throws IOException, InterruptedException {
        this(Map.of());
    }

    /** @param environment beside this process's own */
    Chromium(Map<String, String> environment) throws IOException, InterruptedException {
        profile = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-chromium-");
        ProcessBuilder program = new ProcessBuilder(
                        PROGRAM.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-extensions",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--ignore-certificate-errors",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("chromium.log").toFile());
        program.environment().putAll(environment);
        process = program.start();
        Path port = profile.resolve("DevToolsActivePort");
        Awaitility.await("Chromium listens, see " + profile)
                .atMost(PATIENCE)
                .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
        String address = "127.0.0.1:" + Files.readAllLines(port).get(0);
        HttpClient http = HttpClient.newHttpClient();
        JsonNode pages = JSON.readTree(http.send(
                        HttpRequest.newBuilder(URI.create("http://" + address + "/json/list"))
                                .build(),
                        BodyHandlers.ofString())
                .body());
        String page = "";
        for (JsonNode candidate : pages) {
            if (candidate.path("type").asText().equals("page")) {
                page = candidate.path("webSocketDebuggerUrl").asText();
            }
        }
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(page), new Listener())
                .join();
        send("Emulation.setScrollbarsHidden", Map.of("hidden", true));
        for (String domain : List.of("Page", "Runtime", "Log", "Network", "Accessibility")) {
            send(domain + ".enable", Map.of());
        }
    }

    private final class Listener implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                try {
                    take(JSON.readTree(part.toString()));
                } catch (IOException e) {
                    complaints.add("DevTools wrote no JSON: " + e);
                }
                part.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void take(JsonNode message) {
        JsonNode params = message.path("params");
        switch (message.path("method").asText()) {
            case "" -> {
                CompletableFuture<JsonNode> response =
                        responses.remove(message.path("id").asInt());
                if (response != null) {
                    response.complete(message);
                }
            }
            case "Runtime.exceptionThrown" -> complaints.add(params.toString());
            case "Runtime.consoleAPICalled" -> {
                if (!params.path("type").asText().equals("log")) {
                    complaints.add(params.toString());
                }
            }
            case "Log.entryAdded" -> complaints.add(params.path("entry").toString());
            case "Page.javascriptDialogOpening" -> complaints.add("a dialog: " + params);
            case "Network.requestWillBeSent" ->
                requests.add(params.at("/request/url").asText());
            default -> {
                // Of no interest.
            }
        }
    }

    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** Errors and warnings of the console, violations of the policy, and dialogs since the beginning. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Forgets the complaints so far. */
    void forget() {
        complaints.clear();
    }

    /** The URLs that were fetched. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    JsonNode send(String method, Map<String, Object> params) {
        int id = ids.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(params));
        CompletableFuture<JsonNode> response = new CompletableFuture<>();
        responses.put(id, response);
        try {
            socket.sendText(message.toString(), true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            JsonNode result = response.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (result.has("error")) {
                throw new IllegalStateException(method + ": " + result.path("error"));
            }
            return result.path("result");
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(method + " has no response", e);
        }
    }

    void open(String url) {
        send("Page.navigate", Map.of("url", url));
    }

    /** The value of an expression, or of the promise it is. */
    JsonNode value(String expression) {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** Waits until an expression is true. */
    void await(String expression) {
        Awaitility.await(expression)
                .atMost(PATIENCE)
                .until(() -> value("!!(" + expression + ")").asBoolean());
    }

    void press(String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            send(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "code",
                            key,
                            "windowsVirtualKeyCode",
                            code(key),
                            "text",
                            key.equals("Enter") ? "\r" : ""));
        }
    }

    private static int code(String key) {
        return switch (key) {
            case "ArrowRight" -> 39;
            case "Tab" -> 9;
            case "Enter" -> 13;
            default -> throw new IllegalArgumentException(key);
        };
    }

    void size(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    void colours(String scheme) {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** The page as it is: all of it, or what is seen at first. */
    void picture(Path file, boolean whole) throws IOException {
        JsonNode picture = send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", whole));
        Files.write(file, Base64.getDecoder().decode(picture.path("data").asText()));
    }

    /** Roles and names of what assistive software would find. */
    List<String[]> accessible() {
        List<String[]> nodes = new ArrayList<>();
        for (JsonNode node : send("Accessibility.getFullAXTree", Map.of()).path("nodes")) {
            if (!node.path("ignored").asBoolean()) {
                nodes.add(new String[] {
                    node.at("/role/value").asText(), node.at("/name/value").asText()
                });
            }
        }
        return nodes;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        SiteCe.remove(profile);
    }
}
