package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeLimitTest {
    @ParameterizedTest
    @CsvSource({"3-00:00:00,259200", "1-02:03:04,93784", "72:00:00,259200", "30:00,1800", "86400,86400", "0,0"})
    void formsOfSlurmAndTorque(String text, long seconds) {
        assertThat(TimeLimit.parse(text)).hasSeconds(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"infinite", "n/a", "", "-1", "1:2:3:4", "9999999999999", "1-2", "1d"})
    void anythingElseIsNoLimit(String text) {
        assertThat(TimeLimit.parse(text)).isNull();
    }

    @Test
    void blanksAroundItAreIgnored() {
        assertThat(TimeLimit.parse(" 30:00 ")).hasMinutes(30);
    }
}
