package org.gelato.ce.cli.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSession;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.junit.jupiter.api.Test;

/** Bodies that end too early, too late, or never. */
class ResponseBodyTest {
    private static final Endpoint CE = new Endpoint("ce", 8443);
    private static final Duration LONG = Duration.ofMinutes(10);

    private static InputStream body(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aBodyHasAsManyBytesAsAnnounced() throws IOException {
        assertThat(ResponseBody.whole(CE, body("four"), 4, 10)).hasSize(4);
        assertThat(ResponseBody.whole(CE, body("four"), -1, 10)).hasSize(4);
        assertThatThrownBy(() -> ResponseBody.whole(CE, body("four"), 5, 10))
                .isInstanceOf(EOFException.class)
                .hasMessage("the response ended after 4 of 5 bytes");
    }

    @Test
    void ofOneThatIsTooLargeItIsNotKnownWhatWasDone() {
        assertThatThrownBy(() -> ResponseBody.whole(CE, body("four"), 4, 3))
                .isInstanceOf(ConnectionFailure.class)
                .hasMessage("ce:8443: the response is larger than 3 bytes");
    }

    @Test
    void aBodyThatComesInTimeIsReadAndClosed() throws IOException {
        boolean[] closed = new boolean[1];
        InputStream body = new ByteArrayInputStream(new byte[2]) {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        assertThat(ResponseBody.inTime(body, LONG, InputStream::readAllBytes)).hasSize(2);
        assertThat(closed[0]).isTrue();
    }

    @Test
    void aBodyThatNeverEndsIsClosedWhenItsTimeIsOver() {
        assertThatThrownBy(() -> ResponseBody.inTime(silent(), Duration.ofMillis(1), InputStream::readAllBytes))
                .isInstanceOf(SocketTimeoutException.class)
                .hasRootCauseMessage("closed");
    }

    @Test
    void aRefusalWhoseReasonNeverEndsIsNotWaitedFor() {
        HttpResponse<InputStream> response = new Refusal(silent());
        assertThat(EventSource.refusal(CE, response, Duration.ofMillis(1)))
                .get()
                .extracting(CliException::getMessage)
                .isEqualTo("ce:8443: no response in time (--timeout)");
    }

    @Test
    void anotherFailureIsWhatItIs() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
            }
        };
        assertThatThrownBy(() -> ResponseBody.inTime(broken, LONG, InputStream::readAllBytes))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("reset");
    }

    private static InputStream silent() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                closed.join();
                throw new IOException("closed");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
            }

            @Override
            public void close() {
                closed.complete(null);
            }
        };
    }

    private record Refusal(InputStream body) implements HttpResponse<InputStream> {
        @Override
        public int statusCode() {
            return 403;
        }

        @Override
        public HttpHeaders headers() {
            return HttpHeaders.of(Map.of(), (name, value) -> true);
        }

        @Override
        public HttpRequest request() {
            return HttpRequest.newBuilder(uri()).build();
        }

        @Override
        public Optional<HttpResponse<InputStream>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return URI.create("https://ce:8443/");
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }
}
