package org.gelato.ce.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StrideQueueTest {
    private record Item(String of, long cost) {}

    private final StrideQueue<Item> queue = new StrideQueue<>(Item::cost);

    private void add(String of, long cost, int times) {
        IntStream.range(0, times).forEach(i -> queue.add(List.of(of), new Item(of, cost)));
    }

    private String order(int items) {
        StringBuilder taken = new StringBuilder();
        for (int i = 0; i < items; i++) {
            taken.append(queue.poll().of());
        }
        return taken.toString();
    }

    @Test
    void whoQueuedMuchWaitsBehindWhatOthersQueuedSince() {
        add("f", 1, 6);
        assertThat(order(2)).isEqualTo("ff");
        add("a", 1, 2);
        add("b", 1, 1);
        assertThat(order(7)).isEqualTo("abfaffff".substring(0, 7));
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void largeItemsArePaidFor() {
        add("f", 100, 3);
        add("a", 1, 50);
        // one large item, and then as much of the other as it cost
        assertThat(order(52)).isEqualTo("f" + "a".repeat(50) + "f");
    }

    @Test
    void whoTookMuchAndComesAgainWaitsForAsMuchOfOthers() {
        add("f", 3, 1);
        add("a", 1, 6);
        assertThat(order(2)).isEqualTo("fa");
        add("f", 3, 1);
        assertThat(order(6)).isEqualTo("aafaaa");
    }

    @Test
    void nobodySavesTurnsUp() {
        add("a", 1, 10);
        assertThat(order(9)).isEqualTo("a".repeat(9));
        add("late", 1, 10);
        assertThat(order(4)).isEqualTo("latealatelate");
    }

    @Test
    void sharesNest() {
        for (int user = 0; user < 10; user++) {
            queue.add(List.of("large VO", "user " + user), new Item("L" + user, 1));
            queue.add(List.of("large VO", "user " + user), new Item("L" + user, 1));
        }
        queue.add(List.of("small VO", "user"), new Item("s", 1));
        queue.add(List.of("small VO", "user"), new Item("s", 1));
        List<String> taken = new ArrayList<>();
        while (!queue.isEmpty()) {
            taken.add(queue.poll().of());
        }
        assertThat(taken).hasSize(22).startsWith("L0", "s", "L1", "s", "L2");
        assertThat(taken.subList(4, 13)).as("users take turns").doesNotHaveDuplicates();
    }

    @Test
    void nothingWaitsInAnEmptyQueue() {
        assertThat(queue.peek()).isNull();
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }
}
