package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireTimeTest {
    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.678Z, 2026-01-02T03:04:05.678Z",
        "2026-01-02T03:04:05.6+02:00, 2026-01-02T01:04:05.6Z",
        "2026-01-02T03:04:05-01:30, 2026-01-02T04:34:05Z",
        "2026-01-02T03:04:05, 2026-01-02T03:04:05Z"
    })
    void readsEveryFormOfTheWire(String text, Instant time) {
        assertThat(WireTime.parse(text)).contains(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-01-02",
                "2026-13-02T03:04:05Z",
                "2026-02-30T03:04:05Z",
                "99999999999-01-02T03:04:05Z",
                "-2026-01-02T03:04:05Z",
                "2026-01-02T03:04:05+99:00",
                "2026-01-02T03:04:05Z junk"
            })
    void refusesWhatIsNoTime(String text) {
        assertThat(WireTime.parse(text)).isEmpty();
    }

    @Test
    void writesMillisecondsAndZoneAlways() {
        assertThat(WireTime.format(Instant.parse("2026-01-02T03:04:05Z"))).isEqualTo("2026-01-02T03:04:05.000Z");
        assertThat(WireTime.format(Instant.parse("2026-01-02T03:04:05.678999Z")))
                .isEqualTo("2026-01-02T03:04:05.678Z");
    }

    @Property
    void readsWhatItWrites(@ForAll @LongRange(min = -62_135_596_800_000L, max = 253_402_300_799_999L) long millis) {
        Instant time = Instant.ofEpochMilli(millis);
        assertThat(WireTime.of(WireTime.format(time))).isEqualTo(time);
        StringBuilder appended = new StringBuilder("at ");
        WireTime.append(appended, time);
        assertThat(appended).hasToString("at " + WireTime.format(time));
    }
}
