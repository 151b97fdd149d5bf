package org.gelato.ce.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

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

    private void fail(int member) {
        work.failed(member, new IllegalArgumentException("disk quota exceeded"));
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void theWaitsOfABadMemberDoubleUpToABound() {
        int tries = 0;
        for (int minute = 0; minute < 12; minute++) {
            if (work.isDue(41)) {
                tries++;
                fail(41);
            }
            assertThat(work.isDue(42)).isTrue();
            pass(MINUTE);
        }
        assertThat(tries).as("after 0, 1, 3, 7 and 11 minutes").isEqualTo(5);
    }

    @Test
    void itsSuccessForgetsIt() {
        fail(41);
        fail(41);
        work.succeeded(41);
        assertThat(work.isDue(41)).isTrue();
        assertThat(lines())
                .containsExactly(
                        "file of 41: disk quota exceeded; tried again, and reported once an hour while it lasts",
                        "file of 41: works again, after 1 more failures since the last report");
        fail(41);
        assertThat(work.untilDue(41)).isEqualTo(MINUTE);
    }

    @Test
    void manyBadMembersAreNotALineEach() {
        MEMBERS.subList(0, 99).forEach(this::fail);
        assertThat(lines()).hasSize(10);
        pass(MINUTE);
        fail(99);
        assertThat(lines())
                .last()
                .asString()
                .endsWith("(and 89 others that were not named); tried again, and reported once an hour while it lasts");
    }

    @Test
    void nobodyWaitsForAFailureOfAll() {
        work.failed(41, new IllegalStateException("the helper is away"));
        assertThat(work.isDue(41)).isTrue();
        assertThat(lines()).singleElement().asString().startsWith("file of everybody: the helper is away");
    }

    @Test
    void whatIsRememberedIsBounded() {
        IntStream.rangeClosed(0, 10_000).forEach(this::fail);
        assertThat(work.isDue(0)).as("the eldest makes room").isTrue();
        assertThat(work.isDue(1)).isFalse();
        pass(MINUTE.multipliedBy(6));
        fail(-1);
        fail(10_000);
        assertThat(work.untilDue(10_000))
                .as("what nobody tried again for long is forgotten")
                .isEqualTo(MINUTE);
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
        begun.clear();
        pass(MINUTE.multipliedBy(10));
        work.each(MEMBERS, Function.identity(), begin, (member, value) -> {});
        assertThat(begun).as("what hangs is not begun again").doesNotContain(1).contains(2);
        hangs.complete(1);
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
        hanging.forEach(future -> future.complete(null));
        assertThat(places).hasValue(10);
        assertThat(work.isDue(0)).as("it ended well, though late").isTrue();
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
