package org.gelato.ce.ws.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {
    private final Shares shares = new Shares(16);
    private final List<Integer> done = new ArrayList<>();

    /** As many transfers at once as are let, each within the one before. */
    private void nested(int owner, int depth) throws IOException {
        if (depth > 0) {
            shares.during(owner, () -> {
                done.add(owner);
                nested(owner, depth - 1);
            });
        }
    }

    @Test
    void oneOwnerLeavesAQuarterToTheOthers() throws Exception {
        nested(1, 12);
        assertThatThrownBy(() -> nested(1, 13))
                .isInstanceOf(Refusal.class)
                .satisfies(e -> assertThat(((Refusal) e).status()).isEqualTo(503));
        assertThat(done).hasSize(24);
        shares.during(1, () -> nested(2, 12));
        nested(1, 12);
    }

    @Test
    void whereThereAreFewAllMayBeOfOne() throws Exception {
        Shares few = new Shares(1);
        for (int i = 0; i < 3; i++) {
            few.during(1, () -> done.add(1));
        }
        assertThat(done).hasSize(3);
        assertThatThrownBy(() -> few.during(1, () -> few.during(1, () -> {}))).isInstanceOf(Refusal.class);
    }
}
