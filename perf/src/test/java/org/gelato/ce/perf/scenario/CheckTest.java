package org.gelato.ce.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CheckTest {
    @Test
    void theBoundItselfHolds() {
        assertThat(Check.atMost("a", 2, 2).held()).isTrue();
        assertThat(Check.atMost("a", 2.001, 2).held()).isFalse();
        assertThat(Check.atLeast("a", 0.9, 0.9).held()).isTrue();
        assertThat(Check.atLeast("a", 0.899, 0.9).held()).isFalse();
    }

    @Test
    void noneMeansNone() {
        assertThat(Check.none("a", 0).held()).isTrue();
        assertThat(Check.none("a", 1).held()).isFalse();
    }

    @Test
    void whatIsNoNumberDoesNotHold() {
        assertThat(Check.atMost("a", Double.NaN, 2).held()).isFalse();
        assertThat(Check.atLeast("a", Double.NaN, 2).held()).isFalse();
    }
}
