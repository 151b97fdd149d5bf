package org.gelato.ce.it.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.gelato.ce.cli.http.Access;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.http.HttpsPut;
import org.gelato.ce.cli.http.Repetition;
import org.gelato.ce.cli.submission.InputService;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.it.site.ProcessCount;
import org.gelato.ce.it.site.Relay;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Input up, output down and up, proxies: whole, broken off, damaged, too large, another user's. */
class HttpsSandboxIT {
    private static final int MIB = 1 << 20;
    private static final byte[] ONE = {1};

    private static SiteCe ce;
    private static SiteUser alice;
    private static SandboxClient client;
    private static SandboxClient nobody;
    private static WrapperTokens tokens;

    @BeforeAll
    static void start() throws Exception {
        String own = System.getProperty("user.name");
        ce = new SiteCe(
                "sandbox",
                "fork",
                own.equals("root") ? "nobody" : own,
                Map.of(
                        "gelato.sandbox.max-input",
                        "24 MiB",
                        "gelato.sandbox.max-files",
                        5,
                        "gelato.http.timeout",
                        "5 s"));
        ce.start();
        alice = ce.user("Alice");
        alice.must("", "delegate", "d");
        client = new SandboxClient(ce, ce.pki().proxy(ce.pki().user("Alice")).make());
        nobody = new SandboxClient(ce, null);
        tokens = new WrapperTokens(
                KeyVault.open(ce.base().resolve("state/delegation.key"), false).derive("wrapper-events"));
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static byte[] content(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] sha256(byte[] content) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(content);
    }

    private static String digest(byte[] content) throws Exception {
        return "sha-256=:" + Base64.getEncoder().encodeToString(sha256(content)) + ":";
    }

    private static String job(String line, String files) throws Exception {
        return client.register(
                "[ Executable = \"/bin/bash\"; Arguments = \"-c '" + line
                        + "'\"; StdOutput = \"env.out\"; InputSandbox = {" + files
                        + "}; BatchSystem = \"fork\"; QueueName = \"long\"; ]",
                "d");
    }

    private static String input(String job, String name) {
        return "/ce-cream/input/" + job + "/" + name;
    }

    private static String[] bearer(String job) {
        return new String[] {
            "Authorization", "Bearer " + tokens.of(JobId.parse(job).orElseThrow())
        };
    }

    private static SSLSocket begin(String path, int length, byte[] some) throws Exception {
        SSLSocket socket = client.connect();
        socket.getOutputStream()
                .write(("PUT " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(some);
        socket.getOutputStream().flush();
        return socket;
    }

    private static long present(String path) throws Exception {
        return client.send("HEAD", path, null)
                .headers()
                .firstValueAsLong("Content-Length")
                .orElse(-1);
    }

    @Test
    void twentyMebibytesBreakOffGoOnAndAreReadByTheJob() throws Exception {
        String job = job("sha256sum big.bin", "\"big.bin\"");
        String path = input(job, "big.bin");
        byte[] big = content(20 * MIB);
        long descriptors = ProcessCount.descriptors(ce.process().pid());

        SSLSocket socket = begin(path, big.length, Arrays.copyOf(big, 7 * MIB + 5));
        Awaitility.await().until(() -> present(path) > 0);
        assertThat(client.status("PUT", path, ONE)).as("a second writer").isEqualTo(423);
        socket.close();
        Awaitility.await()
                .until(() -> client.status("PUT", path, ONE, "Content-Range", "bytes 3-3/" + big.length) == 409);
        int at = (int) present(path);
        assertThat(at).isBetween(1, 7 * MIB + 5);
        assertThat(client.status("GET", path, null)).as("not whole yet").isEqualTo(404);

        byte[] rest = Arrays.copyOfRange(big, at, big.length);
        String range = "bytes " + at + "-" + (big.length - 1) + "/" + big.length;
        assertThat(client.status("PUT", path, rest, "Content-Range", range, "Repr-Digest", digest(big)))
                .isEqualTo(201);
        assertThat(client.send("HEAD", path, null, "Want-Repr-Digest", "sha-256=1")
                        .headers()
                        .firstValue("Repr-Digest"))
                .contains(digest(big));
        assertThat(client.send("GET", path, null, "Range", "bytes=20971510-").body())
                .isEqualTo(Arrays.copyOfRange(big, 20971510, big.length));
        assertThat(nobody.send("GET", path, null, bearer(job)).body()).isEqualTo(big);

        client.start(job);
        assertThat(client.status("PUT", path, ONE)).as("started already").isEqualTo(409);
        assertThat(client.status("DELETE", path, null)).isEqualTo(409);
        alice.await("https://localhost:" + ce.port() + "/" + job, "DONE-OK");
        assertThat(new String(
                        client.send("GET", "/ce-cream/output/" + job + "/env.out", null)
                                .body(),
                        StandardCharsets.UTF_8))
                .startsWith(HexFormat.of().formatHex(sha256(big)));
        Awaitility.await().until(() -> ProcessCount.descriptors(ce.process().pid()) <= descriptors + 5);
        assertThat(Files.readString(ce.log())).doesNotContain(" ERROR ");
    }

    @Test
    void damagedAndTooLargeFilesLeaveNothing() throws Exception {
        String job = job("true", "\"x\"");
        byte[] some = content(2 * MIB);
        var damaged = client.send("PUT", input(job, "x"), some, "Repr-Digest", digest(ONE));
        assertThat(damaged.statusCode()).isEqualTo(400);
        assertThat(new String(damaged.body(), StandardCharsets.UTF_8)).contains("nothing is kept");
        assertThat(client.status("HEAD", input(job, "x"), null)).isEqualTo(404);

        assertThat(client.status("PUT", input(job, "x"), content(20 * MIB))).isEqualTo(201);
        try (SSLSocket socket = client.connect()) {
            socket.getOutputStream()
                    .write(("PUT " + input(job, "y")
                                    + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
                                    + 5 * MIB + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(response).startsWith("HTTP/1.1 413").contains(25 * MIB + " bytes, at most " + 24 * MIB);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(client.status("PUT", input(job, "f" + i), ONE)).isEqualTo(201);
        }
        assertThat(client.status("PUT", input(job, "f4"), ONE)).isEqualTo(413);
        assertThat(new String(client.send("GET", input(job, ""), null).body(), StandardCharsets.UTF_8))
                .contains("{\"name\":\"f0\",\"size\":1}")
                .doesNotContain("\"y\"");
    }

    @Test
    void othersBannedOnesAndWrongTokensGetNothing() throws Exception {
        String job = job("true", "\"x\"");
        String other = job("true", "\"x\"");
        assertThat(client.status("PUT", input(job, "x"), ONE)).isEqualTo(201);
        SandboxClient bob =
                new SandboxClient(ce, ce.pki().proxy(ce.pki().user("Bob")).make());
        for (String method : List.of("GET", "HEAD", "PUT", "DELETE")) {
            byte[] body = method.equals("PUT") ? ONE : null;
            assertThat(bob.status(method, input(job, "x"), body)).as(method).isEqualTo(404);
            assertThat(nobody.status(method, input(job, "x"), body)).as(method).isEqualTo(403);
        }
        assertThat(bob.status("GET", input("CREAM000000001", "x"), null)).isEqualTo(404);
        assertThat(nobody.status("GET", input(job, "x"), null, bearer(job))).isEqualTo(200);
        assertThat(nobody.status("GET", input(job, "x"), null, bearer(other))).isEqualTo(403);
        assertThat(nobody.status("PUT", input(job, "x"), ONE, bearer(job))).isEqualTo(403);

        String proxy = "/ce-cream/proxy/";
        var secret = nobody.send("GET", proxy + job, null, bearer(job));
        assertThat(new String(secret.body(), StandardCharsets.US_ASCII)).contains("PRIVATE KEY");
        assertThat(secret.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(client.status("GET", proxy + job, null)).isEqualTo(403);
        assertThat(nobody.status("GET", proxy + other, null, bearer(job))).isEqualTo(403);
        String key = new String(secret.body(), StandardCharsets.US_ASCII)
                .lines()
                .skip(30)
                .findFirst()
                .orElseThrow();
        assertThat(Files.readString(ce.log())).doesNotContain(key);

        String output = "/ce-cream/output/" + job + "/o";
        assertThat(client.status("PUT", output, ONE)).isEqualTo(403);
        assertThat(nobody.status("PUT", output, ONE, bearer(other))).isEqualTo(403);
        assertThat(nobody.status("PUT", output, ONE, bearer(job))).isEqualTo(201);
        assertThat(client.send("GET", output, null).body()).isEqualTo(ONE);

        SandboxClient mallory =
                new SandboxClient(ce, ce.pki().proxy(ce.pki().user("Mallory")).make());
        assertThat(mallory.status("GET", input(job, "x"), null)).isEqualTo(404);
        Files.writeString(
                ce.base().resolve("ban"), DnForms.slash(ce.pki().user("Mallory").subject()) + "\n");
        Awaitility.await().until(() -> mallory.status("GET", input(job, "x"), null) == 403);
        assertThat(mallory.status("PUT", input(job, "x"), ONE)).isEqualTo(403);
    }

    @Test
    void namesStayInTheSandbox() throws Exception {
        String job = job("true", "\"x\"");
        for (String name : List.of("%2e%2e", "..", "a%2fb", "a%5cb", "a%00b", "a%0ab", "%2e%2e%2fproxy", "a;b")) {
            try (SSLSocket socket = client.connect()) {
                socket.getOutputStream()
                        .write(("PUT " + input(job, name)
                                        + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx")
                                .getBytes(StandardCharsets.US_ASCII));
                String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(response).as(name).matches("(?s)HTTP/1.1 40[045] .*");
            }
        }
        assertThat(client.status("PUT", input(job, "q%27u%22o%20$(x)"), ONE)).isEqualTo(201);
        assertThat(new String(client.send("GET", input(job, ""), null).body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"files\":[{\"name\":\"q'u\\\"o $(x)\",\"size\":1}]}\n");
    }

    @Test
    void theCommandLineUploadsInputAndGoesOnWithBrokenDownloads() throws Exception {
        Path directory = Files.createDirectories(ce.base().resolve("mine"));
        byte[] data = content(9 * MIB);
        Files.write(directory.resolve("data.bin"), data);
        Files.writeString(directory.resolve("run.sh"), "cat data.bin data.bin\n");
        Files.writeString(
                directory.resolve("job.jdl"),
                "[ Executable = \"/bin/bash\"; Arguments = \"run.sh\"; StdOutput = \"copy.bin\";"
                        + " InputSandbox = { \"run.sh\", \"file://" + directory.resolve("data.bin") + "\" }; ]");
        SiteUser.Outcome submitted = alice.must("", "submit", "mine/job.jdl");
        assertThat(submitted.err()).isEmpty();
        String id = submitted.out().strip();
        alice.await(id, "DONE-OK");

        Path target = ce.base().resolve("fetched");
        try (Relay relay = Relay.cutting(ce.port(), 2, (response, carried) -> carried > 5 * MIB)) {
            alice.must(
                    "",
                    "output",
                    "-e",
                    "localhost:" + relay.port(),
                    "-d",
                    target.toString(),
                    id.substring(id.lastIndexOf('/') + 1));
            assertThat(relay.cutsLeft()).isZero();
        }
        byte[] copy = Files.readAllBytes(target.resolve("copy.bin"));
        assertThat(sha256(Arrays.copyOf(copy, data.length))).isEqualTo(sha256(data));
        assertThat(copy).hasSize(2 * data.length);
    }

    @Test
    void theClientGoesOnWithBrokenUploads() throws Exception {
        String job = job("true", "\"up.bin\"");
        byte[] data = content(12 * MIB);
        Path file = Files.write(ce.base().resolve("up.bin"), data);
        try (Relay relay = Relay.cutting(ce.port(), 2, (response, carried) -> carried > 4 * MIB)) {
            Endpoint endpoint = new Endpoint("localhost", relay.port());
            Duration timeout = Duration.ofSeconds(30);
            new InputService(
                            new HttpsGet(endpoint, client.tls().getSocketFactory(), timeout),
                            new HttpsPut(endpoint, new Access(client.tls(), null), timeout),
                            new Repetition(time -> TimeUnit.NANOSECONDS.sleep(time.toNanos())))
                    .upload("/ce-cream/input/" + job, new InputFile("up.bin", file), () -> false, bytes -> {});
            assertThat(relay.cutsLeft()).isZero();
        }
        assertThat(client.send("GET", input(job, "up.bin"), null).body()).isEqualTo(data);
    }

    @Test
    void aJobWhoseInputIsRefusedIsTakenBack() throws Exception {
        Files.write(ce.base().resolve("large.bin"), new byte[25 * MIB]);
        SiteUser.Outcome outcome =
                alice.run("[ Executable = \"/bin/true\"; InputSandbox = {\"large.bin\"}; ]", "submit", "-");
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("large.bin was not uploaded")
                .contains("HTTP 413: the sandbox would hold")
                .contains("the job was not started and is removed")
                .hasLineCount(1);
    }
}
