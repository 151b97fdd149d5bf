package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SqlTimeTest {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    // The years 0 to 9999.
    private static final long EARLIEST = -62_167_219_200L;
    private static final long LATEST = 253_402_300_799L;

    @Property
    void aTimeIsTextInUtcCutToMicroseconds(
            @ForAll @LongRange(min = EARLIEST, max = LATEST) long second,
            @ForAll @IntRange(max = 999_999_999) int nano) {
        Instant time = Instant.ofEpochSecond(second, nano);

        assertThat(SqlTime.text(time)).isEqualTo(FORMAT.format(time));
    }

    @Test
    void aYearOfFiveDigitsIsRefused() {
        assertThat(SqlTime.text(Instant.ofEpochSecond(LATEST))).isEqualTo("9999-12-31 23:59:59.000000");
        assertThatThrownBy(() -> SqlTime.text(Instant.ofEpochSecond(LATEST + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("+10000-01-01");
        assertThatThrownBy(() -> SqlTime.text(Instant.ofEpochSecond(EARLIEST - 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
