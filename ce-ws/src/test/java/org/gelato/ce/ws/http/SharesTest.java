package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharesTest {
    /** How many places a person gets who keeps them all. */
    private static List<Shares.Place> all(Shares shares, String person) {
        List<Shares.Place> places = new ArrayList<>();
        for (Optional<Shares.Place> p = shares.enter(person); p.isPresent(); p = shares.enter(person)) {
            places.add(p.get());
        }
        return places;
    }

    @Test
    void onePersonLeavesAQuarterToTheOthers() {
        Shares shares = Shares.leavingAQuarterOf(16);
        List<Shares.Place> alice = all(shares, "CN=Alice");
        assertThat(alice).hasSize(12);
        assertThat(all(shares, "CN=Bob")).hasSize(12);
        alice.get(3).close();
        assertThat(all(shares, "CN=Alice")).hasSize(1);
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        Shares shares = new Shares(2);
        List<Shares.Place> alice = all(shares, "CN=Alice");
        alice.get(0).close();
        alice.get(0).close();
        assertThat(all(shares, "CN=Alice")).hasSize(1);
    }

    @Test
    void whereThereAreFewAllMayBeOfOne() {
        assertThat(all(Shares.leavingAQuarterOf(1), "CN=Alice")).hasSize(1);
        assertThat(all(Shares.leavingAQuarterOf(3), "CN=Alice")).hasSize(3);
    }
}
