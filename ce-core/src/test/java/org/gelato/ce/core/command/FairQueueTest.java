package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueTest {
    private static final String LANE = "lane";

    private final FairQueue queue = new FairQueue();
    private final List<Start> starts = new ArrayList<>();

    private record Start(String share, int owner, long turn) {}

    private void queue(String share, int owner, int number) {
        for (int i = 0; i < number; i++) {
            starts.add(new Start(share, owner, queue.next(LANE, owner, share)));
        }
    }

    /** Those that are claimed next. */
    private List<Start> claimed(int number) {
        starts.sort(Comparator.comparingLong(Start::turn));
        List<Start> next = new ArrayList<>(starts.subList(0, number));
        starts.removeAll(next);
        next.forEach(start -> queue.served(LANE, start.turn()));
        return next;
    }

    private static long of(String share, List<Start> starts) {
        return starts.stream().filter(start -> start.share().equals(share)).count();
    }

    @Test
    void aVoOfManyUsersHasTheShareOfOne() {
        for (int round = 0; round < 5; round++) {
            for (int owner = 1; owner <= 100; owner++) {
                queue("many", owner, 1);
            }
        }
        queue("few", 1000, 60);
        List<Start> next = claimed(100);
        assertThat(of("few", next)).isBetween(49L, 51L);
        assertThat(next.stream().filter(s -> s.share().equals("many")).map(Start::owner))
                .as("users of a VO take turns in it")
                .doesNotHaveDuplicates();
    }

    /** The turns of those that came first stay; a hundred users have 1 + 1/2 + ... + 1/100 shares then, and not a hundred. */
    @Test
    void usersWhoComeOneAfterAnotherWithManyStartsHaveLittleMore() {
        for (int owner = 1; owner <= 100; owner++) {
            queue("many", owner, 50);
        }
        queue("few", 1000, 60);
        assertThat(of("few", claimed(100))).isGreaterThan(15);
    }

    @Test
    void aVoSavesNoTurnsUp() {
        queue("early", 1, 50);
        claimed(40);
        for (int i = 0; i < 50; i++) {
            queue("late", 2, 1);
            queue("late", 3, 1);
        }
        assertThat(of("late", claimed(20))).isBetween(9L, 11L);
    }

    @Test
    void withoutSharesEachOwnerHasOne() {
        queue("", 1, 500);
        queue("", 2, 5);
        List<Start> next = claimed(10);
        assertThat(next.stream().filter(s -> s.owner() == 2)).hasSize(5);
    }

    @Test
    void whatIsReadFromTheDatabaseCountsForItsVo() {
        queue.queued(LANE, 1, "many", 10);
        queue.queued(LANE, 2, "many", 10);
        assertThat(queue.next(LANE, 3, "many")).isEqualTo(3);
        assertThat(queue.next(LANE, 4, "few")).isEqualTo(1);
        assertThat(queue.share(LANE, 2)).isEqualTo("many");
    }
}
