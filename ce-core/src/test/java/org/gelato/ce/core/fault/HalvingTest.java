package org.gelato.ce.core.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HalvingTest {
    private static final List<Integer> MEMBERS = IntStream.range(0, 100).boxed().toList();

    private final Set<Integer> bad = new TreeSet<>();
    private final List<List<Integer>> tries = new ArrayList<>();
    private final List<Integer> done = new ArrayList<>();
    private final List<Integer> alone = new ArrayList<>();
    private Throwable failure = new IllegalArgumentException("bad");

    private int run(List<Integer> members) {
        return Halving.run(
                members,
                part -> {
                    tries.add(List.copyOf(part));
                    if (part.stream().anyMatch(bad::contains)) {
                        if (failure instanceof Error e) {
                            throw e;
                        }
                        throw (RuntimeException) failure;
                    }
                    done.addAll(part);
                },
                e -> e instanceof IllegalStateException,
                (member, e) -> alone.add(member));
    }

    @Test
    void aSetWithoutABadMemberIsOneTryAndAnEmptyOneNone() {
        assertThat(run(MEMBERS)).isEqualTo(100);
        assertThat(run(List.of())).isZero();
        assertThat(tries).hasSize(1);
    }

    @Test
    void badMembersStandAloneAndTheOthersAreDoneInOrder() {
        bad.addAll(List.of(3, 97));
        failure = new StackOverflowError();
        assertThat(run(MEMBERS)).isEqualTo(98);
        assertThat(alone).containsExactly(3, 97);
        assertThat(done).hasSize(98).isSorted().doesNotContain(3, 97);
        assertThat(tries).hasSizeLessThan(4 * 7);
    }

    @Test
    void aFailureOfAllIsThrownAtOnce() {
        bad.add(41);
        failure = new IllegalStateException("the database is away");
        assertThatThrownBy(() -> run(MEMBERS)).isSameAs(failure);
        assertThat(tries).hasSize(1);
        assertThat(alone).isEmpty();
    }
}
