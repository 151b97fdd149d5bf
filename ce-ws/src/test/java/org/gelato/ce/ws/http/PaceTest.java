package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong now = new AtomicLong(-5);
    private final Pace pace = new Pace(new Pace.Slowest(Duration.ofSeconds(60), 100), now::get);

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void oneByteNowAndThenIsNotEnough() throws Exception {
        InputStream in = pace.of(new ByteArrayInputStream(new byte[1000]));
        for (int i = 0; i < 3; i++) {
            pass(20);
            assertThat(in.read()).isZero();
        }
        pass(20);
        assertThatThrownBy(in::read)
                .isInstanceOf(Pace.TooSlow.class)
                .hasMessageContaining("at least 100 bytes per second");
    }

    @Test
    void whoBroughtEnoughMayPause() throws Exception {
        InputStream in = pace.of(new ByteArrayInputStream(new byte[10_000]));
        assertThat(in.readNBytes(2001)).hasSize(2001);
        pass(80);
        assertThat(in.read(new byte[1])).isEqualTo(1);
        pass(1);
        assertThatThrownBy(() -> in.read(new byte[1])).isInstanceOf(Pace.TooSlow.class);
    }

    @Test
    void theEndIsNeverTooSlow() throws Exception {
        InputStream in = pace.of(new ByteArrayInputStream(new byte[0]));
        pass(1000);
        assertThat(in.read(new byte[1])).isEqualTo(-1);
    }

    @Test
    void aClientThatTakesBytesOneByOneIsLeftAlone() {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        OutputStream slow = new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("byte by byte");
            }

            @Override
            public void write(byte[] from, int offset, int length) {
                pass(400);
                taken.write(from, offset, length);
            }
        };
        assertThatThrownBy(() -> pace.of(slow).write(new byte[1 << 20])).isInstanceOf(Pace.TooSlow.class);
        assertThat(taken.size()).isLessThan(1 << 17);
    }
}
