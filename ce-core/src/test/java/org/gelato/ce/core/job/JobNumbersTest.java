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
        assertThat(JobId.parse("CREAM012345678")).contains(new JobId(12_345_678));
        for (String none : new String[] {
            null,
            "",
            "/",
            "CREAM",
            "CREAM12",
            "CREAM1234567890",
            "xCREAM123456789",
            "cream123456789",
            "CREAM12345678a",
            "CREAM-23456789",
            "CREAM/123456789",
            id + "/",
            id + "\n"
        }) {
            assertThat(numbers.row(none)).as(none).isEmpty();
        }
        assertThat(numbers.row("CREAM١٢٣٤٥٦٧٨٩")).isEmpty();
    }
}
