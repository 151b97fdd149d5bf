package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A response whose client goes at a moment that the container notices first: whoever serves many clients must not fail for one. */
class AsyncResponseTest {
    private static final byte[] PAGE = "page".getBytes(StandardCharsets.US_ASCII);

    private final Client client = new Client();
    private boolean completed;
    private int woken;

    private final AsyncContext context = (AsyncContext) Proxy.newProxyInstance(
            AsyncContext.class.getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("complete");
                if (completed) {
                    throw new IllegalStateException("the request has already completed processing");
                }
                completed = true;
                return null;
            });
    private final AsyncResponse response = new AsyncResponse(context, client, () -> woken++);

    /** What the container gives to write to. */
    private static final class Client extends ServletOutputStream {
        private final ByteArrayOutputStream got = new ByteArrayOutputStream();
        private boolean gone;
        private int checks;

        @Override
        public boolean isReady() {
            checks++;
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            // Whoever makes a response registers it; the response itself must not.
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(int b) throws IOException {
            if (gone) {
                throw new IOException("broken pipe");
            }
            got.write(b);
        }
    }

    @BeforeEach
    void begin() {
        response.onWritePossible();
    }

    @Test
    void aClientThatTheContainerHasDroppedIsOneThatHasGone() {
        client.gone = true;
        completed = true;
        assertThat(response.offer(PAGE)).isFalse();
        assertThat(response.ended()).isTrue();
        assertThat(response.offer(PAGE)).isFalse();
    }

    @Test
    void endingWhatTheContainerHasEndedChangesNothing() {
        completed = true;
        response.close();
        assertThat(response.ended()).isTrue();
    }

    @Test
    void aFailureOfTheConnectionEndsTheAnswerOnce() {
        response.onError(new IOException("reset"));
        assertThat(completed).isTrue();
        assertThat(response.ended()).isTrue();
        response.close();
        assertThat(woken).isEqualTo(2);
    }

    @Test
    void theContainerIsFoundReadyOrNotAfterEachPage() {
        int before = client.checks;
        assertThat(response.offer(PAGE)).isTrue();
        assertThat(client.got.toByteArray()).isEqualTo(PAGE);
        // Before the page, before the flush, and after it: else the container keeps what the network did not take.
        assertThat(client.checks - before).isEqualTo(3);
    }
}
