package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class GahpLineTest {
    @Provide
    Arbitrary<String> words() {
        Arbitrary<Character> awkward = Arbitraries.of(' ', '\\', '\r', '\n', 'a', '"', '$', '\t', 'ü');
        return Arbitraries.oneOf(
                awkward.list().ofMaxSize(12).map(l -> {
                    StringBuilder b = new StringBuilder();
                    l.forEach(b::append);
                    return b.toString();
                }),
                Arbitraries.strings().alpha().numeric().ofMaxLength(20));
    }

    @Property
    void whatIsJoinedIsSplitAgain(@ForAll @NotEmpty List<@net.jqwik.api.From("words") String> words) {
        assertThat(GahpLine.split(GahpLine.join(words))).isEqualTo(words);
    }

    @Property
    void aJoinedLineIsReadAsOneLine(
            @ForAll @NotEmpty List<@net.jqwik.api.From("words") String> words,
            @ForAll boolean carriageReturn,
            @ForAll @IntRange(min = 1, max = 7) int atOnce)
            throws IOException {
        String wire = GahpLine.join(words) + (carriageReturn ? "\r\n" : "\n") + "next\n";
        GahpReader reader = new GahpReader(new ByteArrayInputStream(wire.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(length, atOnce));
            }
        });

        assertThat(GahpLine.split(reader.next())).isEqualTo(words);
        assertThat(reader.next()).isEqualTo("next");
        assertThat(reader.next()).isNull();
    }

    @Test
    void aBackslashBeforeAnythingElseStandsForItself() {
        assertThat(GahpLine.split("a\\b c\\ d \\")).containsExactly("a\\b", "c d", "\\");
    }

    @Test
    void nulBytesOfABlahpdAreDropped() throws IOException {
        byte[] wire = "S\0 ok\0\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(new GahpReader(new ByteArrayInputStream(wire)).next()).isEqualTo("S ok");
    }

    @Test
    void aListWithANulInsideIsNoList() {
        assertThatThrownBy(() -> GahpValues.list(List.of("a\0b"))).isInstanceOf(IllegalArgumentException.class);
    }
}
