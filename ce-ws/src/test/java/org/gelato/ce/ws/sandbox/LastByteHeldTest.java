package org.gelato.ce.ws.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LastByteHeldTest {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final LastByteHeld answer = new LastByteHeld((HttpServletResponse) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {HttpServletResponse.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("resetBuffer")) {
                    sent.reset();
                    return null;
                }
                assertThat(method.getName()).isEqualTo("getOutputStream");
                return new Sent();
            }));

    private final class Sent extends ServletOutputStream {
        @Override
        public void write(int b) {
            sent.write(b);
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    private void write(String text) throws IOException {
        answer.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String sent() {
        return sent.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void theLastByteComesWithTheEnd() throws IOException {
        write("some");
        answer.getOutputStream().flush();
        assertThat(sent()).isEqualTo("som");
        write("");
        write("m");
        answer.getOutputStream().write('o');
        assertThat(sent()).isEqualTo("somem");
        write("re\u00ff");
        assertThat(sent()).isEqualTo("somemore");
        answer.finish();
        answer.finish();
        assertThat(sent()).isEqualTo("somemore\u00ff");
    }

    @Test
    void whatIsTakenBackDoesNotCome() throws IOException {
        write("begun");
        answer.resetBuffer();
        write("no");
        answer.finish();
        assertThat(sent()).isEqualTo("no");
    }

    @Test
    void anAnswerWithoutBytesIsLeftAlone() throws IOException {
        answer.finish();
        assertThat(sent()).isEmpty();
    }
}
