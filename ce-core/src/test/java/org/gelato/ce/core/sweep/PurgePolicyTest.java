package org.gelato.ce.core.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Map;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PurgePolicyTest {
    private static final Instant NOW = Instant.parse("2026-03-31T12:00:00Z");

    @Test
    void readsWhatTheOriginalShipped() {
        assertThat(PurgePolicy.parse("ABORTED 10 days; CANCELLED 10 days; DONE-OK 10 days; DONE-FAILED 10 days;"
                                + " REGISTERED 2 days;")
                        .cutOffs(NOW))
                .hasSize(5)
                .containsEntry(JobState.DONE_OK, Instant.parse("2026-03-21T12:00:00Z"))
                .containsEntry(JobState.REGISTERED, Instant.parse("2026-03-29T12:00:00Z"));
    }

    @Test
    void knowsAllUnits() {
        assertThat(PurgePolicy.parse("ABORTED 5 minutes;CANCELLED  3 HOURS; DONE-OK 1 months;DONE-FAILED 2 years")
                        .cutOffs(NOW))
                .isEqualTo(Map.of(
                        JobState.ABORTED, Instant.parse("2026-03-31T11:55:00Z"),
                        JobState.CANCELLED, Instant.parse("2026-03-31T09:00:00Z"),
                        JobState.DONE_OK, Instant.parse("2026-02-28T12:00:00Z"),
                        JobState.DONE_FAILED, Instant.parse("2024-03-31T12:00:00Z")));
    }

    @Test
    void nothingPurgesNothing() {
        assertThat(PurgePolicy.parse(" ; ").cutOffs(NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING 1 days,names no state that can be purged",
        "done-ok 1 days,names no state that can be purged",
        "DONE-OK 1 fortnights,'needs one of the units minutes, hours, days, months, years'",
        "DONE-OK 0 days,needs a number from 1 to 10000",
        "DONE-OK 999999999 years,needs a number from 1 to 10000",
        "DONE-OK 5000 years,keeps jobs for more than 500 years: leave it out to keep them for ever",
        "DONE-OK 7000 months,keeps jobs for more than 500 years: leave it out to keep them for ever",
        "DONE-OK ten days,is not of the form STATUS N unit",
        "DONE-OK 10days,is not of the form STATUS N unit",
        "DONE-OK 1 days; DONE-OK 2 days,is the second rule for DONE-OK"
    })
    void namesTheRuleThatIsWrong(String text, String what) {
        String rule = text.substring(text.lastIndexOf(';') + 1).strip();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PurgePolicy.parse("ABORTED 1 days; " + text))
                .withMessageStartingWith("\"" + rule + "\" " + what);
    }
}
