package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.ws.http.HealthCheck.Outcome;
import org.junit.jupiter.api.Test;

class PartChecksTest {
    private static final String GOOD = "qstat -Q responds";

    @Test
    void aReachableBatchSystemWhosePollsFailIsNotReady() {
        List<Outcome> outcomes = new ArrayList<>();
        for (boolean broken : new boolean[] {false, true}) {
            outcomes.add(PartChecks.outcome(true, GOOD, broken, "the last 3 polls failed: cut", null));
        }
        assertThat(outcomes)
                .containsExactly(
                        new Outcome(true, "the last 3 polls failed: cut"),
                        new Outcome(false, "the last 3 polls failed: cut"));
    }

    @Test
    void withoutErrorsTheBatchSystemsOwnMessageStands() {
        assertThat(PartChecks.outcome(true, GOOD, false, null, null)).isEqualTo(new Outcome(true, GOOD));
        assertThat(PartChecks.outcome(true, GOOD, false, null, "too slow"))
                .isEqualTo(new Outcome(true, GOOD + "; hand-over pauses: too slow"));
    }

    @Test
    void anUnreachableOneReportsWhyItself() {
        assertThat(PartChecks.outcome(false, "cannot connect", true, "the last 3 polls failed: cut", null))
                .isEqualTo(new Outcome(false, "cannot connect"));
    }
}
