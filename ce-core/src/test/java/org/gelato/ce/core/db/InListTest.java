package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class InListTest {
    @Property
    void hasTheSameValuesAndAPowerOfTwoOfThem(@ForAll @NotEmpty @Size(max = 300) List<Integer> values) {
        List<Integer> padded = InList.of(values);
        assertThat(Integer.bitCount(padded.size())).isEqualTo(1);
        assertThat(padded.size()).isLessThan(2 * values.size());
        assertThat(padded.subList(0, values.size())).isEqualTo(values);
        assertThat(new LinkedHashSet<>(padded)).isEqualTo(new LinkedHashSet<>(values));
    }

    @Test
    void nothingStaysNothing() {
        assertThat(InList.of(List.of())).isEmpty();
    }
}
