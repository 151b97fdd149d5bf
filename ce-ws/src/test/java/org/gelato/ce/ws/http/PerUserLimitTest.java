package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PerUserLimitTest {
    private final List<String> started = new ArrayList<>();
    private final PerUserLimit limit = PerUserLimit.waiting(10, 2);

    private boolean enter(String user, String call, int weight) {
        return limit.acquire(user, weight, () -> started.add(call));
    }

    @Test
    void callsAreWorkedOnUpToAWeightAndThenInTheirOrder() {
        assertThat(enter("a", "1", 6)).isTrue();
        assertThat(enter("a", "2", 6)).isFalse();
        assertThat(enter("a", "3", 1)).as("none overtakes").isFalse();
        assertThat(enter("b", "4", 10)).isTrue();
        assertThatThrownBy(() -> enter("a", "5", 1)).isInstanceOf(PerUserLimit.Full.class);
        limit.release("a", 6);
        assertThat(started).containsExactly("2", "3");
    }

    @Test
    void aCallHeavierThanAllPermitsIsWorkedOnAlone() {
        assertThat(enter("a", "1", 1)).isTrue();
        assertThat(enter("a", "2", 100)).isFalse();
        limit.release("a", 1);
        assertThat(started).containsExactly("2");
        assertThat(enter("a", "3", 1)).isFalse();
        limit.release("a", 100);
        assertThat(started).containsExactly("2", "3");
        limit.release("a", 1);
        assertThat(enter("a", "4", 10)).isTrue();
    }

    /** What a user gets who keeps all. */
    private static List<PerUserLimit.Permit> all(PerUserLimit limit, String user) {
        List<PerUserLimit.Permit> permits = new ArrayList<>();
        for (Optional<PerUserLimit.Permit> p = limit.tryAcquire(user); p.isPresent(); p = limit.tryAcquire(user)) {
            permits.add(p.get());
        }
        return permits;
    }

    @Test
    void oneUserLeavesAQuarterToTheOthers() {
        PerUserLimit quarter = PerUserLimit.leavingAQuarterOf(16);
        List<PerUserLimit.Permit> alice = all(quarter, "CN=Alice");
        assertThat(alice).hasSize(12);
        assertThat(all(quarter, "CN=Bob")).hasSize(12);
        alice.get(3).close();
        assertThat(all(quarter, "CN=Alice")).hasSize(1);
    }

    @Test
    void allUsersHaveALimitTogether() {
        PerUserLimit both = PerUserLimit.of(4, 3);
        assertThat(all(both, "CN=Alice")).hasSize(3);
        List<PerUserLimit.Permit> bob = all(both, "CN=Bob");
        assertThat(bob).hasSize(1);
        assertThat(both.held()).isEqualTo(4);
        assertThat(both.held("CN=Bob")).isEqualTo(1);
        bob.get(0).close();
        assertThat(all(both, "CN=Eve")).hasSize(1);
    }

    @Test
    void aPermitIsGivenBackOnce() {
        PerUserLimit two = PerUserLimit.of(2);
        List<PerUserLimit.Permit> alice = all(two, "CN=Alice");
        alice.get(0).close();
        alice.get(0).close();
        assertThat(all(two, "CN=Alice")).hasSize(1);
    }

    @Test
    void whereThereAreFewAllMayBeOfOne() {
        assertThat(all(PerUserLimit.leavingAQuarterOf(1), "CN=Alice")).hasSize(1);
        assertThat(all(PerUserLimit.leavingAQuarterOf(3), "CN=Alice")).hasSize(3);
    }
}
