package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.gelato.ce.core.delegation.DelegationStore.DelegationKey;
import org.gelato.ce.core.service.JobDelegations.Ref;
import org.junit.jupiter.api.Test;

class KnownDelegationsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final DelegationKey KEY = new DelegationKey(1, 2, "d1");
    private static final Ref DELEGATION = new Ref(3, NOW.plusSeconds(3600));

    private final KnownDelegations known = new KnownDelegations();

    @Test
    void whatChangedWhileItWasReadIsNotRemembered() {
        long before = known.changes();
        known.forget(KEY);
        known.add(KEY, DELEGATION, NOW, before);
        assertThat(known.find(KEY, NOW)).isEmpty();
        known.add(KEY, DELEGATION, NOW, known.changes());
        assertThat(known.find(KEY, NOW)).contains(DELEGATION);
    }

    @Test
    void aClockThatWasPutBackForgets() {
        known.add(KEY, DELEGATION, NOW, known.changes());
        assertThat(known.find(KEY, NOW.minusSeconds(1))).isEmpty();
    }
}
