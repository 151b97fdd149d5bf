package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class JobNumbersTest {
    @Property
    void aNumberLeadsBackToItsRow(
            @ForAll @IntRange(max = JobId.SPACE - 1) int row, @ForAll @IntRange(max = JobId.SPACE - 1) int offset) {
        JobNumbers numbers = new JobNumbers(offset);
        assertThat(numbers.row(numbers.id(row))).isEqualTo(row);
    }

    @Test
    void anotherDatabaseHandsOutOtherNumbers() {
        assertThat(new JobNumbers(1).id(1)).isNotEqualTo(new JobNumbers(2).id(1));
    }

    @Test
    void readsLocalIdsAndUrls() {
        JobNumbers numbers = new JobNumbers(7);
        String id = numbers.id(42).toString();
        assertThat(numbers.row(id)).contains(42);
        assertThat(numbers.row("https://ce.example:8443/" + id)).contains(42);
        assertThat(numbers.row("CREAM12")).isEmpty();
        assertThat(numbers.row("")).isEmpty();
        assertThat(numbers.row("CREAM١٢٣٤٥٦٧٨٩")).isEmpty();
    }
}
