package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong now = new AtomicLong(-5);
    private final MinimumRate pace = new MinimumRate(new MinimumRate.Slowest(Duration.ofSeconds(60), 100), now::get);

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
                .isInstanceOf(MinimumRate.TooSlow.class)
                .hasMessageContaining("at least 100 bytes per second");
    }

    @Test
    void whoBroughtEnoughMayPause() throws Exception {
        InputStream in = pace.of(new ByteArrayInputStream(new byte[10_000]));
        assertThat(in.readNBytes(2001)).hasSize(2001);
        pass(80);
        assertThat(in.read(new byte[1])).isEqualTo(1);
        pass(1);
        assertThatThrownBy(() -> in.read(new byte[1])).isInstanceOf(MinimumRate.TooSlow.class);
    }

    @Test
    void theEndIsNeverTooSlow() throws Exception {
        InputStream in = pace.of(new ByteArrayInputStream(new byte[0]));
        pass(1000);
        assertThat(in.read(new byte[1])).isEqualTo(-1);
    }
}
