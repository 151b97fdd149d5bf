package org.gelato.ce.ws.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {
    private final Shares shares = new Shares(16);

    private static List<SandboxServlet.Place> enter(Shares shares, int owner, int times) {
        List<SandboxServlet.Place> places = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            SandboxServlet.Place place = new SandboxServlet.Place();
            shares.enter(owner, place);
            places.add(place);
        }
        return places;
    }

    @Test
    void oneOwnerLeavesAQuarterToTheOthers() {
        List<SandboxServlet.Place> most = enter(shares, 1, 12);
        assertThatThrownBy(() -> enter(shares, 1, 1))
                .isInstanceOf(Refusal.class)
                .satisfies(e -> assertThat(((Refusal) e).status()).isEqualTo(503));
        enter(shares, 2, 12);
        most.forEach(SandboxServlet.Place::leave);
        enter(shares, 1, 12);
    }

    @Test
    void whereThereAreFewAllMayBeOfOne() {
        Shares few = new Shares(1);
        for (int i = 0; i < 3; i++) {
            enter(few, 1, 1).forEach(SandboxServlet.Place::leave);
        }
        enter(few, 1, 1);
        assertThatThrownBy(() -> enter(few, 1, 1)).isInstanceOf(Refusal.class);
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        Shares few = new Shares(1);
        SandboxServlet.Place place = enter(few, 1, 1).get(0);
        place.leave();
        enter(few, 1, 1);
        place.leave();
        assertThatThrownBy(() -> enter(few, 1, 1)).isInstanceOf(Refusal.class);
    }
}
