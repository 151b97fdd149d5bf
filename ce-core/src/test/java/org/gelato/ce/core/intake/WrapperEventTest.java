package org.gelato.ce.core.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.junit.jupiter.api.Test;

class WrapperEventTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsAnEnd() {
        String text = "job=CREAM000000042\nattempt=2\nevent=DONE\ntime=1767323045000001\nnode=wn1\nexit=3\n"
                + "reason=\nlrmsid=17\ntoken=abc\nnew=ignored\n";
        assertThat(WrapperEvent.parse(bytes(text)))
                .contains(new WrapperEvent(
                        new JobId(42),
                        2,
                        WrapperEvent.Kind.DONE,
                        Instant.parse("2026-01-02T03:04:05.000001Z"),
                        "wn1",
                        3,
                        null,
                        "17",
                        "abc"));
    }

    @Test
    void whatIsNoEventIsDropped() {
        String good = "job=CREAM000000042\nattempt=1\nevent=RUNNING\ntime=1\ntoken=t\n";
        assertThat(WrapperEvent.parse(bytes(good))).isPresent();
        assertThat(WrapperEvent.parse(bytes(good.replace("RUNNING", "SLEEPING"))))
                .isEmpty();
        assertThat(WrapperEvent.parse(bytes(good.replace("time=1", "time=x")))).isEmpty();
        assertThat(WrapperEvent.parse(bytes(good.replace("CREAM", "SCREAM")))).isEmpty();
        assertThat(WrapperEvent.parse(bytes(good.replace("attempt=1", "attempt="))))
                .isEmpty();
        assertThat(WrapperEvent.parse(bytes(good + "exit=99999999999\n"))).isEmpty();
        assertThat(WrapperEvent.parse(bytes(good + "x=" + "y".repeat(WrapperEvent.MAX_BYTES))))
                .isEmpty();
    }

    @Property
    void anyBytesAreReadOrDropped(@ForAll byte[] anything) {
        WrapperEvent.parse(anything);
    }

    @Test
    void aTokenBelongsToItsJob() {
        WrapperTokens tokens = new WrapperTokens(bytes("0123456789abcdef"));
        String token = tokens.of(new JobId(1));
        assertThat(tokens.matches(new JobId(1), token)).isTrue();
        assertThat(tokens.matches(new JobId(2), token)).isFalse();
        assertThat(tokens.matches(new JobId(1), "")).isFalse();
        assertThat(new WrapperTokens(bytes("fedcba9876543210")).of(new JobId(1)))
                .isNotEqualTo(token);
    }
}
