package org.gelato.ce.core.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static Usage usage(String kind, String lines) {
        String text = "job=CREAM000000042\nattempt=2\nevent=" + kind + "\ntime=1\nexit=3\ntoken=abc\n" + lines;
        return WrapperEvent.parse(bytes(text)).orElseThrow().usage();
    }

    @Test
    void readsAWarningOfAnEndAndBoundsIt() {
        String text =
                "job=CREAM000000042\nattempt=2\ntime=1\nexit=3\ntoken=abc\nwarning=" + "w".repeat(2000) + "\nevent=";
        assertThat(WrapperEvent.parse(bytes(text + "DONE")).orElseThrow().warning())
                .isEqualTo("w".repeat(500));
        assertThat(WrapperEvent.parse(bytes(text + "RUNNING")).orElseThrow().warning())
                .isNull();
    }

    @Test
    void readsWhatAJobUsed() {
        String all = "cpu=61020\nwall=70000\ncores=4\nmemory=123456\n";
        assertThat(usage("DONE", all))
                .isEqualTo(new Usage(
                        Duration.ofMillis(61_020), Duration.ofSeconds(70), 4, 123_456L, Usage.Source.WRAPPER));
        assertThat(usage("DONE", "cores=4\n")).isEqualTo(new Usage(null, null, 4, null, Usage.Source.WRAPPER));
        assertThat(usage("DONE", "")).as("of a wrapper of the version before").isNull();
        assertThat(usage("RUNNING", all)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "0",
                "1.5",
                "1e3",
                "0x10",
                "+7",
                " 7",
                "7 ",
                "\u0667",
                "999999999999999",
                "9223372036854775807",
                "99999999999999999999999",
                "4294967297000000",
                "'; DROP TABLE usage_record; --"
            })
    void aUsageThatCannotBeIsUnknownAndTheEndIsReadNevertheless(String value) {
        assertThat(usage("DONE", "cpu=" + value + "\nwall=" + value + "\ncores=" + value + "\nmemory=" + value + "\n"))
                .isNull();
        assertThat(usage("DONE", "cpu=" + value + "\nwall=10\n"))
                .isEqualTo(new Usage(null, Duration.ofMillis(10), null, null, Usage.Source.WRAPPER));
    }

    private static String signal(String lines) {
        String text = "job=CREAM000000042\nattempt=2\nevent=DONE\ntime=1\nexit=0\ntoken=abc\n" + lines;
        return WrapperEvent.parse(bytes(text)).orElseThrow().signal();
    }

    @Test
    void readsTheSignalThatAWrapperGot() {
        assertThat(signal("signal=TERM\n")).isEqualTo("TERM");
        assertThat(signal("")).isNull();
        assertThat(signal("reason=Job has been terminated (got SIGXCPU)\n"))
                .as("of a wrapper of the version before")
                .isEqualTo("XCPU");
        assertThat(signal("reason=Job has been terminated (got SIG'; --)\n")).isNull();
        assertThat(signal("signal=" + "X".repeat(11) + "\n")).isNull();
    }

    @Test
    void anEndIsKeptAsItIsReadWithoutItsSecret() {
        String text = "job=CREAM000000042\nattempt=2\nevent=DONE\ntime=1767323045000001\nnode=wn1\nexit=3\n"
                + "reason=no\nlrmsid=17\ntoken=abc\nsignal=TERM\ncpu=61020\nwall=70000\ncores=4\nmemory=5\nmessages=9\n";
        WrapperEvent end = WrapperEvent.parse(bytes(text)).orElseThrow();
        WrapperEvent kept = WrapperEvent.parse(end.bytes()).orElseThrow();
        assertThat(kept.token()).isEmpty();
        assertThat(kept).usingRecursiveComparison().ignoringFields("token").isEqualTo(end);
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
