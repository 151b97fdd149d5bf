package org.gelato.ce.ws.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=2-5, 2, 6",
        "bytes=2-, 2, 10",
        "bytes=-3, 7, 10",
        "bytes=-30, 0, 10",
        "bytes=9-99, 9, 10",
        "bytes= 1-2, 1, 3"
    })
    void readsOneRangeOfAFileOfTenBytes(String header, long first, long end) throws Exception {
        assertThat(ByteRange.parse(header, 10)).contains(new ByteRange(first, end));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes=-",
                "bytes=5-2",
                "bytes=0-1,3-4",
                "lines=1-2",
                "bytes=a-b",
                "bytes=0-9999999999999999999"
            })
    void sendsTheWholeFileForWhatItDoesNotUnderstand(String header) throws Exception {
        assertThat(ByteRange.parse(header, 10)).isEmpty();
        assertThat(ByteRange.parse(null, 10)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=10-20", "bytes=-0"})
    void refusesARangeOutside(String header) {
        assertThatThrownBy(() -> ByteRange.parse(header, 10)).isInstanceOf(ByteRange.Unsatisfiable.class);
    }

    @Property
    void staysInsideTheFile(
            @ForAll @LongRange(min = 0, max = 1000) long a,
            @ForAll @LongRange(min = 0, max = 1000) long b,
            @ForAll @LongRange(min = 1, max = 500) long size) {
        try {
            ByteRange.parse("bytes=" + a + "-" + b, size)
                    .ifPresent(range -> assertThat(
                                    0 <= range.first() && range.first() < range.end() && range.end() <= size)
                            .isTrue());
        } catch (ByteRange.Unsatisfiable e) {
            assertThat(a).isGreaterThanOrEqualTo(size);
        }
    }
}
