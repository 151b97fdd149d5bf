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
}
