package org.gelato.ce.core.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class OutputLinesTest {
    private static List<String> lines(String text, int piece, int longest) {
        List<String> lines = new ArrayList<>();
        OutputLines out = new OutputLines(longest, lines::add);
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < all.length; at += piece) {
            out.take(Arrays.copyOfRange(all, at, Math.min(all.length, at + piece)));
        }
        assertThat(out.isOpen()).isEqualTo(!text.isEmpty() && !text.endsWith("\n"));
        out.end();
        return lines;
    }

    @Property
    void piecesOfAnySizeGiveTheSameLines(
            @ForAll @StringLength(max = 60) String text, @ForAll @IntRange(min = 1, max = 20) int piece) {
        String lined = text.replace('e', '\n').replaceAll("\\p{Cs}", "");
        List<String> whole = new ArrayList<>(List.of(lined.split("\n", -1)));
        if (whole.get(whole.size() - 1).isEmpty()) {
            whole.remove(whole.size() - 1);
        }
        assertThat(lines(lined, piece, 10_000)).isEqualTo(whole);
    }

    @Test
    void aLineWithoutEndTakesBoundedMemory() {
        assertThat(lines("abcdefgh\nij\n", 3, 5)).containsExactly("abcde", "ij");
        assertThat(lines("x".repeat(100_000), 1000, 5000))
                .singleElement()
                .satisfies(line -> assertThat(line).hasSize(5000));
    }
}
