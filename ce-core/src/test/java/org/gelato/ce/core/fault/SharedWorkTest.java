package org.gelato.ce.core.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One member of shared work that fails or hangs costs itself alone, waits alone, and is in the log once. */
class SharedWorkTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<Integer> MEMBERS = IntStream.range(0, 100).boxed().toList();

    private final Logger logger = (Logger) LoggerFactory.getLogger(SharedWorkTest.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // it may overflow
    private final Set<Integer> bad = new TreeSet<>();
    private final List<List<Integer>> tries = new ArrayList<>();
    private final Set<Integer> done = new TreeSet<>();
    private final SharedWork<Integer> work = new SharedWork<>(
            logger,
            "file of",
            new Backoff(MINUTE, MINUTE.multipliedBy(4)),
            new SharedWork.Bounds(3, 2, MINUTE),
            e -> e instanceof IllegalStateException,
            now::get);

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(log);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(log);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private int run() {
        tries.clear();
        done.clear();
        return work.run(MEMBERS, Function.identity(), part -> {
            tries.add(List.copyOf(part));
            if (part.stream().anyMatch(bad::contains)) {
                throw new IllegalArgumentException("disk quota exceeded");
            }
            done.addAll(part);
        });
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void aSetWithoutABadMemberIsOneTry() {
        assertThat(run()).isEqualTo(100);
        assertThat(tries).hasSize(1);
    }

    @Test
    void theBadMemberIsFoundAndWaitsAlone() {
        bad.add(41);
        assertThat(run()).isEqualTo(99);
        assertThat(tries).hasSizeLessThan(20);
        assertThat(run()).isEqualTo(99);
        assertThat(tries).hasSize(1);
        assertThat(work.waiting()).isEqualTo(1);
    }

    @Test
    void itsWaitsDoubleUpToABoundAndItHoldsUpNobodyWhenItIsTriedAgain() {
        bad.add(41);
        int[] tried = {0};
        for (int minute = 0; minute < 12; minute++) {
            run();
            assertThat(done).hasSize(99);
            tried[0] += tries.contains(List.of(41)) ? 1 : 0;
            pass(MINUTE);
        }
        assertThat(tried[0]).as("after 0, 1, 3, 7 and 11 minutes").isEqualTo(5);
        assertThat(work.failures()).isEqualTo(5);
    }

    @Test
    void itsSuccessForgetsIt() {
        bad.add(41);
        run();
        bad.clear();
        pass(MINUTE);
        assertThat(run()).isEqualTo(100);
        assertThat(work.waiting()).isZero();
        run();
        assertThat(tries).hasSize(1);
        assertThat(lines())
                .containsExactly(
                        "file of 41: disk quota exceeded; tried again, and reported once an hour while it lasts",
                        "file of 41: works again, after 0 more failures since the last report");
    }

    @Test
    void manyBadMembersAreNotALineEach() {
        bad.addAll(MEMBERS);
        bad.remove(99);
        assertThat(run()).isEqualTo(1);
        assertThat(lines()).hasSize(10);
        pass(MINUTE);
        bad.remove(0);
        run();
        assertThat(lines())
                .anyMatch(line -> line.endsWith("(and 89 others that were not named); tried again, and"
                        + " reported once an hour while it lasts"));
    }

    @Test
    void aFailureOfAllIsThrownAndNobodyWaitsForIt() {
        assertThatThrownBy(() -> work.run(MEMBERS, Function.identity(), part -> {
                    throw new IllegalStateException("the database is away");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(work.waiting()).isZero();
        assertThat(run()).isEqualTo(100);
    }

    @Test
    void aRunThatTakesTooLongLeavesTheRestToTheNextWhichGetsFurther() {
        bad.addAll(List.of(3, 97));
        Set<Integer> all = new TreeSet<>();
        int rounds = 0;
        while (all.size() < 98 && rounds++ < 3) {
            work.run(MEMBERS, Function.identity(), part -> {
                if (part.stream().anyMatch(bad::contains)) {
                    pass(MINUTE.dividedBy(3)); // as a statement that waits for a lock
                    throw new IllegalArgumentException("lock wait");
                }
                all.addAll(part);
            });
        }
        assertThat(all).hasSize(98);
    }

    @Test
    void whatIsRememberedIsBounded() {
        for (int member = 0; member < 20_000; member++) {
            work.failed(member, new IllegalArgumentException("bad"));
        }
        assertThat(work.waiting()).isEqualTo(10_000);
        pass(MINUTE.multipliedBy(6));
        work.failed(-1, new IllegalArgumentException("bad"));
        assertThat(work.waiting()).as("nobody tried the others again").isEqualTo(1);
    }

    @Test
    void futuresThatFailOrHangKeepNoOthersFromTheirResults() throws Exception {
        CompletableFuture<Integer> hangs = new CompletableFuture<>();
        List<Integer> begun = new ArrayList<>();
        Function<Integer, CompletableFuture<Integer>> begin = member -> {
            begun.add(member);
            if (member == 1) {
                pass(MINUTE);
                return hangs;
            }
            return member == 2
                    ? CompletableFuture.failedFuture(new IllegalArgumentException("full"))
                    : CompletableFuture.completedFuture(member);
        };
        assertThat(work.each(MEMBERS, Function.identity(), begin, (member, value) -> done.add(value)))
                .isEqualTo(98);
        assertThat(done).hasSize(98).doesNotContain(1, 2);
        assertThat(work.hanging()).isEqualTo(1);
        begun.clear();
        pass(MINUTE.multipliedBy(10));
        work.each(MEMBERS, Function.identity(), begin, (member, value) -> {});
        assertThat(begun).as("what hangs is not begun again").doesNotContain(1).contains(2);
        hangs.complete(1);
        assertThat(work.hanging()).isZero();
        assertThat(work.isDue(1)).isTrue();
    }

    @Test
    void membersOfOneKeyAreDoneOneByOneAndNoMoreOfThemAfterAFailure() throws Exception {
        Map<Integer, Integer> begun = new LinkedHashMap<>();
        int finished = work.each(
                MEMBERS,
                member -> member / 10,
                member -> {
                    begun.merge(member / 10, 1, Integer::sum);
                    return member == 33
                            ? CompletableFuture.failedFuture(new IllegalArgumentException("full"))
                            : CompletableFuture.completedFuture(null);
                },
                (member, value) -> {
                    if (member == 55) {
                        throw new IllegalArgumentException("no row");
                    }
                });
        assertThat(finished).isEqualTo(100 - 7 - 5);
        assertThat(begun).containsEntry(3, 4).containsEntry(5, 6).containsEntry(6, 10);
    }

    @Test
    void whatHangsKeepsNoPlaceUpToABound() {
        List<CompletableFuture<Void>> hanging = new ArrayList<>();
        AtomicLong places = new AtomicLong();
        for (int member = 0; member < 20; member++) {
            CompletableFuture<Void> future = new CompletableFuture<>();
            if (work.begin(member, () -> future, places::incrementAndGet)) {
                hanging.add(future);
            }
            pass(MINUTE.dividedBy(2));
            work.expire();
        }
        assertThat(hanging).as("three at once, and two beside those that hang").hasSize(5);
        assertThat(work.hanging()).isEqualTo(5);
        hanging.forEach(future -> future.complete(null));
        assertThat(places).hasValue(10);
        assertThat(work.waiting()).isZero();
        assertThat(work.begin(20, () -> CompletableFuture.completedFuture(null), () -> {}))
                .isTrue();
    }

    @Test
    void workThatCannotBeBegunFailsAsAnyOther() {
        assertThat(work.begin(
                        1,
                        () -> {
                            throw new IllegalArgumentException("no such account");
                        },
                        () -> {}))
                .isTrue();
        assertThat(work.isDue(1)).isFalse();
        assertThat(work.untilDue(1)).isEqualTo(MINUTE);
    }
}
