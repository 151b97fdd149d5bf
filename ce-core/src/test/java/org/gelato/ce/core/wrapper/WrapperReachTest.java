package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.peer.FakeCe;
import org.gelato.ce.core.wrapper.peer.FakeStorage;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrappers without a shared sandbox whose node cannot reach the CE: which of them wait, and what they leave. */
class WrapperReachTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeCe ce;

    @BeforeEach
    void open() throws IOException {
        job = new WrapperRun(directory);
        ce = new FakeCe();
        job.eventsUrl = ce.url("/events");
        job.remote = new RemoteSandbox(ce.url("/claims"), ce.url("/input/"), ce.url("/output/"));
        patience(Duration.ofDays(1));
        job.command("sleep", "echo \"$1\" >> '" + directory + "/slept'; exec /bin/sleep 0.02");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private void patience(Duration ofTheCe) {
        job.patience = new WrapperPatience(ofTheCe, Duration.ofHours(1), null, 0, Duration.ofMinutes(10));
    }

    /** Curl fails so for requests to {@code place}, as often as {@code times} says. */
    private void curlFails(String place, int status, String words, int times) throws IOException {
        job.command("curl", """
                for last; do :; done
                [[ $last != - ]] || last=/output # many files
                if [[ $last == *%s* && $(cat '%s/failed' 2>/dev/null | wc -l) -lt %d ]]; then
                    echo x >> '%s/failed'
                    printf '\\nHTTP 000\\n'
                    printf 'curl: (%%s) %%s\\n' %d %s >&2
                    exit %d
                fi
                exec /usr/bin/curl "$@"
                """.formatted(place, directory, times, directory, status, BashQuote.quote(words), status));
    }

    private Ended notRun() throws IOException {
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(ce.events).isEmpty();
        assertThat(ended.stdout()).isEqualTo("jw exit status = 1\n");
        return ended;
    }

    @Test
    void aCertificateThatIsNotBelievedEndsTheWrapperAtOnce(@TempDir Path grid) throws IOException {
        GridPki pki = GridPki.open(grid, "localhost");
        job.environment.put(
                "X509_CERT_DIR",
                Files.createDirectory(directory.resolve("none")).toString());
        try (FakeStorage server = new FakeStorage(pki.host())) {
            String url = "https://localhost:" + server.port() + "/ce-cream/wrapper-claims";
            job.remote = new RemoteSandbox(url, ce.url("/input/"), ce.url("/output/"));
            Ended ended = notRun();
            assertThat(ended.status()).isEqualTo(78);
            assertThat(ended.stderr().lines())
                    .singleElement()
                    .asString()
                    .startsWith("Cannot claim the job at " + url + ": curl: (60) SSL certificate problem: ");
        }
        assertThat(WrapperStatus.words(78))
                .hasValueSatisfying(words ->
                        assertThat(words).startsWith("the payload did not run").contains("certificate"));
        assertThat(directory.resolve("slept")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            60  | SSL certificate problem: certificate has expired
            51  | SSL: no alternative certificate subject name matches target host name 'ce'
            77  | error setting certificate file: /etc/ssl/none
            35  | error:0A000410:SSL routines::sslv3 alert handshake failure
            35  | error:0A00018A:SSL routines::dh key too small
            3   | URL using bad/illegal format or missing URL
            127 | command not found
            """)
    void whatNoTryHealsIsTriedOnce(int status, String words) throws IOException {
        curlFails("/claims", status, words, 100);
        Ended ended = notRun();
        assertThat(ended.status()).isEqualTo(78);
        assertThat(ended.stderr()).endsWith(": curl: (" + status + ") " + words + "\n");
        assertThat(directory.resolve("slept")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            6  | Could not resolve host: ce
            7  | Failed to connect to ce port 8443: Connection refused
            28 | Connection timed out after 30001 milliseconds
            35 | OpenSSL SSL_connect: Connection reset by peer in connection to ce:8443
            35 | error:0A000126:SSL routines::unexpected eof while reading
            35 | error:0A000438:SSL routines::tlsv1 alert internal error
            52 | Empty reply from server
            56 | Recv failure: Connection reset by peer
            """)
    void whatMayPassIsWaitedFor(int status, String words) throws IOException {
        curlFails("/claims", status, words, 2);
        assertThat(job.run(shell("exit 0", "")).status()).isZero();
        assertThat(ce.claims).hasSize(1);
        assertThat(Files.readAllLines(directory.resolve("slept"))).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void whatDidNotPassInTimeIsNamed() throws IOException {
        patience(Duration.ofSeconds(1));
        curlFails("/claims", 6, "Could not resolve host: ce", 100_000);
        Ended ended = notRun();
        assertThat(ended.status()).isEqualTo(69);
        assertThat(ended.stderr()).endsWith(": curl: (6) Could not resolve host: ce\n");
    }

    /** Nobody else has what the payload made. */
    @ParameterizedTest
    @ValueSource(strings = {"/output", "/events"})
    void aCertificateThatIsReplacedAfterTheClaimIsWaitedFor(String place) throws IOException {
        curlFails(place, 60, "SSL certificate problem: certificate has expired", 2);
        assertThat(job.run(shell("echo made", "")).status()).isZero();
        assertThat(ce.output.get("out")).asString(StandardCharsets.UTF_8).isEqualTo("made\n");
        assertThat(ce.events).anyMatch(text -> text.contains("event=DONE"));
    }

    @Test
    void inputThatCannotBeHadForThatEndsTheJobWithCurlsWords() throws IOException {
        curlFails("/input/in", 60, "SSL certificate problem: certificate has expired", 100);
        job.run(shell("exit 0", "InputSandbox = {\"in\"};"));
        assertThat(end().reason())
                .isEqualTo("Cannot move ISB (curl: (60) SSL certificate problem: certificate has expired): in");
        assertThat(end().exitCode()).isNull();
    }

    @Test
    void aProxyThatTheCeRefusesIsAReason() throws IOException {
        job.proxy = directory.resolve("proxy on another host");
        job.proxyUrl = ce.url("/proxy");
        ce.answer("GET /proxy", 404);
        job.run(shell("exit 0", ""));
        assertThat(end().reason()).isEqualTo("Cannot get the proxy: HTTP 404 planned words");
        assertThat(end().exitCode()).isNull();
    }

    private WrapperEvent end() {
        return ce.events.stream()
                .map(text -> WrapperEvent.parse(text.getBytes(StandardCharsets.UTF_8))
                        .orElseThrow())
                .filter(e -> e.kind() == WrapperEvent.Kind.DONE)
                .findFirst()
                .orElseThrow();
    }
}
