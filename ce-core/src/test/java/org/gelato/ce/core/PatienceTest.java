package org.gelato.ce.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class PatienceTest {
    @Test
    void theLauncherFoundItBeforeTheFirstTest() {
        assertThat(await()).extracting("timeoutConstraint.maxWaitTime").isEqualTo(Patience.DEFAULT);
    }
}
