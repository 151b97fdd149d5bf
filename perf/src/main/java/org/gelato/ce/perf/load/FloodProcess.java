package org.gelato.ce.perf.load;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.perf.site.MeasuredSite;
import org.gelato.ce.perf.site.ServerJvm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.testkit.wire.WireResponse;

/**
 * One user who sends a request over and over on some connections, and reads no more of the responses than where they end: a process of
 * its own, of low priority once it sends, so that little of what it spends itself is taken from those who are measured.
 */
public final class FloodProcess implements AutoCloseable {
    private static final String JOBS = "/arex/rest/1.0/jobs";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");
    private static final int LARGEST_SUCCESS = 299;

    private final Process process;
    private final BufferedReader reported;

    /** What became of the requests. */
    public record Result(long calls, long refused) {
        public Result plus(Result other) {
            return new Result(calls + other.calls, refused + other.refused);
        }
    }

    /** A request. {@code %IDS%} in the body stands for the user's jobs as ARC REST names them, when the process began. */
    public record Request(String method, String target, String type, String body) {
        public static final String IDS = "%IDS%";
        public static final String X = "%X%";

        /** An operation on all jobs. */
        public static Request onAll(String action) {
            return new Request("POST", JOBS + "?action=" + action, "application/json", "{\"job\":[" + IDS + "]}");
        }

        /** A registration of descriptions in xRSL. {@code %X%} stands for so many bytes of an attribute. */
        public static Request registration(String description) {
            return new Request("POST", JOBS + "?action=new", "application/rsl", description);
        }

        public static Request get(String target) {
            return new Request("GET", target, "text/plain", "");
        }

        public static Request list() {
            return get(JOBS);
        }
    }

    private FloodProcess(Process process) {
        this.process = process;
        reported = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts it; it sends when this returns. */
    public static FloodProcess start(
            MeasuredSite site, GridCredential user, int connections, Request request, int bytes) {
        Path file = user.write(site.base().resolve("flooder.pem"));
        List<String> command = ServerJvm.plain();
        command.addAll(List.of(
                FloodProcess.class.getName(),
                Integer.toString(site.door().port()),
                site.pki().certificates().getParent().toString(),
                file.toString(),
                Integer.toString(connections),
                Integer.toString(bytes),
                request.method(),
                request.target(),
                request.type(),
                request.body()));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(new File(site.base().toFile(), "flooder.log"))
                    .start();
            FloodProcess flood = new FloodProcess(process);
            flood.begin();
            return flood;
        } catch (IOException e) {
            throw new UncheckedIOException("the flooder: " + e.getMessage(), e);
        }
    }

    private void begin() throws IOException {
        reported.readLine();
        // Each thread has a priority of its own, which those that it starts later inherit.
        List<String> command = new ArrayList<>(List.of("renice", "-n", "10", "-p"));
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            threads.forEach(thread -> command.add(thread.getFileName().toString()));
        }
        new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .onExit()
                .join();
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Ends it. @throws IllegalStateException when it has failed */
    public Result stop() {
        try {
            process.getOutputStream().close();
            String line = reported.readLine();
            if (line == null) {
                throw new IllegalStateException("the flooder has failed, see flooder.log");
            }
            String[] numbers = line.split(" ");
            return new Result(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: port, directory of the test authority, proxy, connections, bytes, and the request. */
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        GridPki pki = GridPki.open(Path.of(args[1]), "localhost");
        GridCredential user = GridCredential.read(Path.of(args[2]));
        String body = args[8].replace(Request.X, "x".repeat(Integer.parseInt(args[4])));
        if (body.contains(Request.IDS)) {
            try (WireConnection connection = WireConnection.to(port, pki, user, PATIENCE)) {
                body = body.replace(Request.IDS, ids(connection.send("GET", JOBS, headers(args[7]), null)));
            }
        }
        byte[] bytes = body.isEmpty() ? null : body.getBytes(StandardCharsets.UTF_8);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        orders.readLine();
        AtomicLong calls = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            WireConnection connection = WireConnection.to(port, pki, user, PATIENCE);
            Thread thread = new Thread(() -> {
                while (true) {
                    calls.incrementAndGet();
                    try {
                        WireResponse response = connection.send(args[5], args[6], headers(args[7]), bytes);
                        if (response.status() > LARGEST_SUCCESS) {
                            throw new IllegalStateException(response.status() + " " + response.text());
                        }
                    } catch (UncheckedIOException | IllegalStateException e) {
                        refused.incrementAndGet();
                        System.err.println(e.getMessage());
                        rest();
                    }
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        orders.readLine();
        System.out.println(calls + " " + refused);
    }

    /** Who is refused, or cut off, takes a breath, as otherwise he would but fill the log. */
    private static void rest() {
        Crew.rest(TimeUnit.MILLISECONDS.toNanos(10));
    }

    private static Map<String, String> headers(String type) {
        return Map.of("Accept", "application/json", "Content-Type", type);
    }

    private static String ids(WireResponse list) {
        List<String> ids = new ArrayList<>();
        Matcher matcher = ID.matcher(list.text());
        while (matcher.find() && ids.size() < 5000) {
            ids.add("{\"id\":\"" + matcher.group(1) + "\"}");
        }
        return String.join(",", ids);
    }
}
