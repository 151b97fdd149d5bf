package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.it.badinput.RawClient;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Users who send too much, too slowly, or read nothing: one CE with little memory serves the others meanwhile, and does not end. */
class ArcHostileClientsIT {
    private static final long LARGE = 100L << 20;
    private static final byte[] PIECE = "x".repeat(64 << 10).getBytes(StandardCharsets.US_ASCII);
    private static final String OPEN = "&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))";
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");
    /** More than there are request threads. */
    private static final int MANY = 70;

    private static SiteCe ce;
    private static ArcUser good;
    private static GridCredential mallory;
    private static RawClient raw;
    private static String job;

    private final List<Socket> hostile = new ArrayList<>();

    @BeforeAll
    static void start() {
        ce = new SiteCe("archostile", "fork", JobAccount.name(), Map.of("gelato.sandbox.max-input", "20 MiB"));
        ce.start(ce.program("-Xmx192m", "-XX:+ExitOnOutOfMemoryError"), Map.of(), "/health/ready");
        good = new ArcUser(ce, proxy("Gus the good"));
        mallory = proxy("Mallory");
        raw = new RawClient(ce, mallory);
        job = new ArcUser(ce, mallory).submit(OPEN);
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : hostile) {
            socket.close();
        }
        assertThat(ce.process().isAlive()).isTrue();
        assertThat(Files.readAllLines(ce.log())).noneMatch(line -> line.contains(" ERROR "));
        await("what was held is given back").until(() -> metric("ce_http_memory_held") == 0);
    }

    private static GridCredential proxy(String name) {
        return ce.pki().proxy(ce.pki().user(name)).make();
    }

    private static double metric(String name) throws IOException {
        String page = raw.get("/metrics").body();
        String line = page.lines()
                .filter(l -> l.startsWith(name + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name + " in " + page));
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    /** A whole job's worth of requests of another user. */
    private static void othersAreServed() {
        assertThat(good.send("GET", "/1.0/jobs", null).statusCode()).isEqualTo(200);
        String id = good.submit(OPEN);
        assertThat(good.send("PUT", "/1.0/jobs/" + id + "/session/first.txt", "x")
                        .statusCode())
                .isEqualTo(200);
        good.delegate();
        good.act("kill", List.of(id));
    }

    private SSLSocket send(String head) throws IOException {
        SSLSocket socket = raw.connect();
        hostile.add(socket);
        socket.getOutputStream()
                .write((head.replaceFirst(" ", " /arex/rest/1.0") + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String head(String target, String more) {
        return target + " HTTP/1.1\r\nHost: localhost\r\n" + more;
    }

    /** The response, header and body. */
    private static String answer(SSLSocket socket) throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        while (!header.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed without a response: " + header);
            }
            header.write(b);
        }
        Matcher length = LENGTH.matcher(header.toString(StandardCharsets.US_ASCII));
        if (!length.find()) {
            throw new IOException("a response without length: " + header);
        }
        return header + new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8);
    }

    private static List<String> targets() {
        return List.of(
                "POST /jobs?action=new",
                "POST /jobs?action=status",
                "POST /jobs?action=kill",
                "POST /delegations?action=new",
                "POST /delegations/x?action=renew",
                "PUT /delegations/x",
                "PUT /jobs/" + job + "/session/large");
    }

    // ---- bodies of 100 MB

    @Test
    void announcedBodiesOf100MBAreRefusedBeforeTheyAreRead() throws IOException {
        for (String target : targets()) {
            String response = answer(send(head(target, "Content-Length: " + LARGE)));
            assertThat(response).as(target).startsWith("HTTP/1.1 413");
            assertThat(response.substring(response.indexOf("\r\n\r\n")))
                    .as(target)
                    .containsPattern("[0-9]{5,}");
        }
        // Where no body is expected none is read.
        assertThat(answer(send(head("GET /jobs", "Content-Length: " + LARGE)))).startsWith("HTTP/1.1 200");
        assertThat(answer(send(head(
                        "PUT /jobs/" + job + "/session/large", "Expect: 100-continue\r\nContent-Length: " + LARGE))))
                .startsWith("HTTP/1.1 413");
        othersAreServed();
    }

    /** Sends chunks until the CE takes no more, and reads the response at the same time, as the CE need not read all to give it. */
    private String flood(SSLSocket socket, ExecutorService threads) throws IOException {
        CompletableFuture<String> response = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return answer(socket);
                    } catch (IOException e) {
                        return "none: " + e.getMessage();
                    }
                },
                threads);
        try {
            OutputStream out = socket.getOutputStream();
            for (long sent = 0; sent < LARGE && !response.isDone(); sent += PIECE.length) {
                out.write((Integer.toHexString(PIECE.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                out.write(PIECE);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The CE has ended the connection, and answered before.
        }
        return response.join();
    }

    @Test
    void bodiesOf100MBInChunksAreRefusedAtTheirLimitAndMemoryStaysBounded() throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (String target : targets()) {
                String response = flood(send(head(target, "Transfer-Encoding: chunked")), threads);
                assertThat(response).as(target).startsWith("HTTP/1.1 413");
            }
            List<CompletableFuture<String>> all = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                SSLSocket socket = send(head(targets().get(i % 2 * 6), "Transfer-Encoding: chunked"));
                all.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return flood(socket, threads);
                            } catch (IOException e) {
                                return "none: " + e.getMessage();
                            }
                        },
                        threads));
            }
            othersAreServed();
            // Beyond a user's memory or places there is 503, and 423 for a file that another request is writing.
            assertThat(all.stream().map(CompletableFuture::join).toList())
                    .allSatisfy(response -> assertThat(response).containsPattern("^HTTP/1.1 (413|423|503)"))
                    .anySatisfy(response -> assertThat(response).startsWith("HTTP/1.1 413"));
        } finally {
            threads.shutdownNow();
        }
        ArcUser user = new ArcUser(ce, mallory);
        assertThat(user.send("GET", "/1.0/jobs/" + job + "/session/large", null).statusCode())
                .as("nothing is half there")
                .isEqualTo(404);
        assertThat(user.send("PUT", "/1.0/jobs/" + job + "/session/large", "small")
                        .statusCode())
                .as("what came of it does not count against the user")
                .isEqualTo(200);
        assertThat(user.send("DELETE", "/1.0/jobs/" + job + "/session/large", null)
                        .statusCode())
                .isEqualTo(200);
    }

    // ---- slow ones

    @Test
    void usersWhoDripTheirBodiesHoldNoRequestThread() throws IOException {
        for (int i = 0; i < MANY; i++) {
            String target = targets().get(i % 7);
            SSLSocket socket = send(head(
                    target.replace("large", "slow" + i),
                    i % 3 == 0 ? "Transfer-Encoding: chunked" : "Content-Length: 1000"));
            if (i % 3 != 0) {
                socket.getOutputStream().write('<');
            }
        }
        for (int round = 0; round < 3; round++) {
            othersAreServed();
            for (int i = 0; i < MANY; i++) {
                if (i % 3 != 0) {
                    drip(hostile.get(i));
                }
            }
        }
    }

    /** One byte more, where the connection is still there: uploads beyond a user's share were refused. */
    private static void drip(Socket socket) {
        try {
            socket.getOutputStream().write('x');
        } catch (IOException e) {
            // It has its 503.
        }
    }

    @Test
    void usersWhoPipelineRequestsAndDoNotReadTheAnswersHoldNoRequestThread() throws IOException {
        ArcUser user = new ArcUser(ce, mallory);
        user.json(
                201,
                "POST",
                "/1.1/jobs?action=new&instances=400",
                // Their input never comes: they are listed, and none runs beside this test.
                "&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))");
        InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 7});
        byte[] requests = ("GET /arex/rest/1.0/jobs?state=ACCEPTING,RUNNING,FINISHED,QUEUING HTTP/1.1\r\nHost: ce\r\n"
                        + "Accept: application/json\r\n\r\nGET /arex/rest/1.0/info HTTP/1.1\r\nHost: ce\r\n\r\n")
                .repeat(60)
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < MANY; i++) {
            SSLSocket socket = raw.connectFrom(address);
            hostile.add(socket);
            socket.getOutputStream().write(requests);
        }
        for (int round = 0; round < 3; round++) {
            othersAreServed();
        }
        // They were not just refused: what was requested is there for who reads on.
        byte[] head = hostile.get(0).getInputStream().readNBytes(12);
        assertThat(new String(head, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 ");
        end();
        hostile.clear();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> user.send("GET", "/1.0/jobs", null).statusCode() == 200);
    }
}
