package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.peer.FakeStorage;
import org.gelato.ce.core.wrapper.peer.FakeStorage.Request;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.xrsl.Xrsl;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files from and to real HTTPS servers, by the node's curl. The second server's name is known to that curl alone. */
class WrapperStorageTest {
    private static final String OTHER = "other.example.org";
    private static final String TOKEN = "e30.e30.c2ln";

    @TempDir
    static Path grid;

    private static GridPki pki;

    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeStorage storage;
    private FakeStorage other;

    @BeforeAll
    static void make() {
        pki = GridPki.open(grid, "localhost", OTHER);
    }

    @BeforeEach
    void open() throws IOException {
        job = new WrapperRun(directory);
        job.environment.put("X509_CERT_DIR", pki.certificates().toString());
        job.environment.put("GLITE_LOCAL_COPY_RETRY_COUNT", "0");
        storage = new FakeStorage(pki.host());
        other = new FakeStorage(pki.host());
        job.command(
                "curl",
                "exec /usr/bin/curl \"$@\" --resolve " + OTHER + ":" + other.port() + ":127.0.0.1 --noproxy '*'");
    }

    @AfterEach
    void close() {
        storage.close();
        other.close();
    }

    private String url(String path) {
        return "https://localhost:" + storage.port() + path;
    }

    private String otherUrl(String path) {
        return "https://" + OTHER + ":" + other.port() + path;
    }

    private void withToken() throws IOException {
        job.token = true;
        job.proxy = Files.writeString(directory.resolve("d.jwt"), TOKEN + "\n");
    }

    /** Copies file in, which comes from {@code source}, to file out, which goes to {@code target}. */
    private JobRequest copy(String source, String target) {
        try {
            return Xrsl.LANGUAGE.read(
                    "&(executable=/bin/cp)(arguments=d/in r/out)(stdout=r/said)(inputfiles=(d/in \"" + source + "\"))"
                            + "(outputfiles=(r/out \"" + target + "\"))",
                    ReadingBudget.UNBOUNDED);
        } catch (DescriptionException e) {
            throw new AssertionError(e);
        }
    }

    private String reason() {
        return WrapperRun.read(job.sandbox.resolve("exit")).reason();
    }

    @Test
    void aJobShowsItsProxy() throws IOException {
        GridCredential user = pki.user("Ann of storage");
        job.proxy = pki.proxy(user).write(directory.resolve("p:roxy"));
        byte[] large = new byte[20 << 20];
        new Random(1).nextBytes(large);
        storage.files.put("/a%20b/in", large);
        Ended ended = job.run(copy(url("/a%20b/in"), url("/out/x")));
        assertThat(ended.status()).as(ended.stderr() + reason()).isZero();
        assertThat(Arrays.equals(storage.files.get("/out/x"), large)).isTrue();
        assertThat(storage.requests).extracting(Request::what).containsExactly("GET /a%20b/in", "PUT /out/x");
        assertThat(storage.requests).allSatisfy(r -> {
            assertThat(r.certificate()).contains("CN=Ann of storage").startsWith("CN=");
            assertThat(r.authorization()).isNull();
        });
        assertThat(storage.requests.get(1).length()).isEqualTo(Integer.toString(large.length));
    }

    @Test
    void aJobShowsItsToken() throws IOException {
        withToken();
        storage.files.put("/in", "by token".getBytes(StandardCharsets.UTF_8));
        Ended ended = job.run(copy(url("/in"), url("/out")));
        assertThat(ended.status()).as(ended.stderr() + reason()).isZero();
        assertThat(storage.files.get("/out")).asString(StandardCharsets.UTF_8).isEqualTo("by token");
        assertThat(storage.requests)
                .containsExactly(
                        new Request("GET /in", null, "Bearer " + TOKEN, null),
                        new Request("PUT /out", null, "Bearer " + TOKEN, "8"));
    }

    @Test
    void aStreamThatIsSentIsKeptUnderItsPathToo() throws Exception {
        withToken();
        job.run(Xrsl.LANGUAGE.read(
                "&(executable=/bin/echo)(arguments=said)(stdout=log/o)(outputfiles=(log/o \"" + url("/o") + "\"))",
                ReadingBudget.UNBOUNDED));
        assertThat(storage.files.get("/o")).asString(StandardCharsets.UTF_8).isEqualTo("said\n");
        assertThat(job.output("log/o")).isEqualTo("said\n");
    }

    @Test
    void anotherHostGetsTheFileAndNoToken() throws IOException {
        withToken();
        storage.moved.put("/in", otherUrl("/pool/in"));
        storage.moved.put("/out", otherUrl("/pool/out"));
        other.files.put("/pool/in", "from the pool".getBytes(StandardCharsets.UTF_8));
        Ended ended = job.run(copy(url("/in"), url("/out")));
        assertThat(ended.status()).as(ended.stderr() + reason()).isZero();
        assertThat(other.files.get("/pool/out"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("from the pool");
        assertThat(storage.requests).extracting(Request::authorization).containsOnly("Bearer " + TOKEN);
        assertThat(other.requests)
                .containsExactly(
                        new Request("GET /pool/in", null, null, null), new Request("PUT /pool/out", null, null, "13"));
    }

    @Test
    void redirectsLeadNotToHttpAndNotRoundAndRound() throws IOException {
        withToken();
        storage.moved.put("/in", "http://localhost:" + storage.port() + "/in");
        job.run(copy(url("/in"), url("/out")));
        assertThat(reason())
                .startsWith("Cannot move ISB (retry_copy " + url("/in") + "): ")
                .contains("http");
        assertThat(storage.requests).hasSize(1);
        storage.moved.put("/in", url("/in"));
        job = again();
        withToken();
        job.run(copy(url("/in"), url("/out")));
        assertThat(reason()).contains("redirects");
        assertThat(storage.requests).hasSize(12);
    }

    @Test
    void aServerOfAnotherAuthorityGetsNothing() throws IOException {
        withToken();
        job.environment.put(
                "X509_CERT_DIR",
                Files.createDirectory(directory.resolve("none")).toString());
        job.run(copy(url("/in"), url("/out")));
        assertThat(reason()).contains("SSL certificate problem");
        assertThat(storage.requests).isEmpty();
    }

    @Test
    void aSilentServerIsGivenUp() throws IOException {
        withToken();
        storage.silent = "/in";
        job.replaced.put("--speed-time 600", "--speed-time 1");
        job.run(copy(url("/in"), url("/out")));
        assertThat(reason()).contains("Operation too slow");
    }

    @Test
    void whatIsMissingThereIsTheReason() throws IOException {
        withToken();
        job.run(copy(url("/in"), url("/out")));
        assertThat(reason())
                .startsWith("Cannot move ISB (retry_copy " + url("/in") + "): ")
                .contains("404");
        storage.files.put("/in", new byte[0]);
        job = again();
        withToken();
        Ended ended = job.run(copy(url("/in"), url("/o!ut").replace("localhost", "localhost.invalid")));
        assertThat(reason()).startsWith("Cannot upload r/out into https://localhost.invalid:");
        assertThat(ended.stdout()).startsWith("job exit status = 0\n");
        assertThat(job.output("r/said")).isEmpty();
    }

    private WrapperRun again() throws IOException {
        WrapperRun run = new WrapperRun(Files.createDirectory(directory.resolve("again")));
        run.environment.putAll(job.environment);
        run.environment.put("TMPDIR", run.scratch.toString());
        return run;
    }
}
