package org.gelato.ce.ws.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void theLauncherKnowsTheCommitAndOtherTextsAreNoVersion() {
        assertThat(Version.chosen("0.11.0~git20261126.77810ee", "0.11.0")).isEqualTo("0.11.0~git20261126.77810ee");
        for (String other : new String[] {"", "1.2\n", "<b>", "x1", "1".repeat(65)}) {
            assertThat(Version.chosen(other, "0.11.0")).isEqualTo("0.11.0");
        }
    }

    @Test
    void clientsOfCreamSeeTwoDigitsAfterTheFirstDot() {
        assertThat(Version.ofCream("1.0.0~rc1")).isEqualTo("1.00.0~rc1");
        assertThat(Version.ofCream("1.2")).isEqualTo("1.02");
        assertThat(Version.ofCream("0.11.0~git20261126.77810ee")).isEqualTo("0.11.0~git20261126.77810ee");
    }
}
