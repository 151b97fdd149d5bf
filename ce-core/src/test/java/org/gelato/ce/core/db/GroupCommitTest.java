package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    /** Requests above it are of one who floods. */
    private static final int FLOOD = 1_000_000;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<List<Integer>> done = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    @AfterEach
    void stop() {
        open.countDown();
        callers.shutdownNow();
    }

    /** Answers ten times the number; 0 waits for the latch, 13 fails, the commit of 14 is lost, 15 is a defect. */
    private List<Integer> work(List<Integer> requests) {
        done.add(List.copyOf(requests));
        if (requests.contains(0)) {
            first.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (requests.contains(13)) {
            throw new IllegalArgumentException("13 of " + requests);
        }
        if (requests.contains(14)) {
            throw new CommitInDoubtException(new IllegalStateException("gone"));
        }
        if (requests.contains(15)) {
            throw new StackOverflowError();
        }
        return requests.stream().map(n -> 10 * n).toList();
    }

    private final GroupCommit<Integer, Integer> shared = new GroupCommit<>(
            Duration.ZERO, 100, n -> Math.max(1, n), n -> n > FLOOD ? List.of("flooder") : GroupCommit.ONE, this::work);

    /** Lets requests queue up behind one that hangs, in this order. */
    private List<Future<Integer>> behindOneThatHangs(int... requests) throws Exception {
        callers.submit(() -> shared.submit(0));
        assertThat(first.await(5, TimeUnit.MINUTES)).isTrue();
        List<Future<Integer>> responses = new ArrayList<>();
        for (int request : requests) {
            CompletableFuture<Thread> caller = new CompletableFuture<>();
            responses.add(callers.submit(() -> {
                caller.complete(Thread.currentThread());
                return shared.submit(request);
            }));
            await().atMost(LIMIT).until(() -> caller.get().getState() == Thread.State.WAITING);
        }
        return responses;
    }

    @Test
    void whoComesAloneIsDoneAtOnce() {
        assertThat(shared.submit(1)).isEqualTo(10);
        assertThat(shared.submit(2)).isEqualTo(20);
        assertThat(done).containsExactly(List.of(1), List.of(2));
    }

    @Test
    void whatQueuedUpIsDoneTogetherAndEachGetsItsOwnAnswer() throws Exception {
        List<Future<Integer>> responses = behindOneThatHangs(1, 2, 3);
        open.countDown();
        assertThat(responses.get(0).get()).isEqualTo(10);
        assertThat(responses.get(1).get()).isEqualTo(20);
        assertThat(responses.get(2).get()).isEqualTo(30);
        assertThat(done).containsExactly(List.of(0), List.of(1, 2, 3));
    }

    @Test
    void whoFloodsWaitsBehindWhatOthersSubmitMeanwhile() throws Exception {
        List<Future<Integer>> responses =
                behindOneThatHangs(FLOOD + 1, FLOOD + 2, FLOOD + 3, FLOOD + 4, 20, 30, 40, 50);
        open.countDown();
        for (Future<Integer> response : responses) {
            response.get();
        }
        assertThat(done.subList(1, 5))
                .containsExactly(List.of(FLOOD + 1), List.of(20, 30, 40), List.of(50), List.of(FLOOD + 2));
    }

    @Test
    void aBigRequestIsAloneAndTheOrderIsKept() throws Exception {
        List<Future<Integer>> responses = behindOneThatHangs(60, 39, 5, 400, 6);
        open.countDown();
        for (Future<Integer> response : responses) {
            response.get();
        }
        assertThat(done).containsExactly(List.of(0), List.of(60, 39), List.of(5), List.of(400), List.of(6));
    }

    @Test
    void whatTakesLongKeepsNobodyWaitingForItsEnd() throws Exception {
        GroupCommit<Integer, Integer> impatient =
                new GroupCommit<>(Duration.ofMillis(1), 100, n -> Math.max(1, n), n -> GroupCommit.ONE, this::work);
        Future<Integer> slow = callers.submit(() -> impatient.submit(0));
        assertThat(first.await(5, TimeUnit.MINUTES)).isTrue();
        assertThat(callers.submit(() -> impatient.submit(5)).get(5, TimeUnit.MINUTES))
                .isEqualTo(50);
        assertThat(callers.submit(() -> impatient.submit(6)).get(5, TimeUnit.MINUTES))
                .isEqualTo(60);
        assertThat(slow).isNotDone();
        open.countDown();
        assertThat(slow.get(5, TimeUnit.MINUTES)).isZero();
        assertThat(done).containsExactly(List.of(0), List.of(5), List.of(6));
    }

    /** It may well fail, and others need not fail with it. */
    @Test
    void whoDoesNotWaitForRowsOfOthersSharesNoTransaction() throws Exception {
        callers.submit(() -> shared.submit(0));
        assertThat(first.await(5, TimeUnit.MINUTES)).isTrue();
        callers.submit(() -> LockPatience.without(() -> shared.submit(5))).get(5, TimeUnit.MINUTES);
        assertThat(done).containsExactly(List.of(0), List.of(5));
    }

    @Test
    void anInvalidRequestAffectsNoOther() throws Exception {
        List<Future<Integer>> responses = behindOneThatHangs(1, 13, 2);
        open.countDown();
        assertThat(responses.get(0).get()).isEqualTo(10);
        assertThat(responses.get(2).get()).isEqualTo(20);
        assertThatThrownBy(() -> responses.get(1).get())
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("13 of [13]");
    }

    @Test
    void aLostCommitIsReportedToAllAndNothingIsDoneTwice() throws Exception {
        List<Future<Integer>> responses = behindOneThatHangs(1, 14);
        open.countDown();
        for (Future<Integer> response : responses) {
            assertThatThrownBy(response::get).hasCauseInstanceOf(CommitInDoubtException.class);
        }
        assertThat(done).containsExactly(List.of(0), List.of(1, 14));
        assertThat(shared.submit(3)).isEqualTo(30);
    }

    @Test
    void aTransactionThatBreaksOffIsReportedToAllAndNobodyGetsAnEmptyResult() throws Exception {
        List<Future<Integer>> responses = behindOneThatHangs(1, 15);
        open.countDown();
        for (Future<Integer> response : responses) {
            assertThatThrownBy(() -> response.get(5, TimeUnit.MINUTES))
                    .hasMessageContaining("a shared transaction broke off")
                    .hasRootCauseInstanceOf(StackOverflowError.class);
        }
        assertThat(shared.submit(3)).isEqualTo(30);
    }

    @Test
    void anInterruptIsKeptAndTheAnswerToo() throws Exception {
        CompletableFuture<Thread> caller = new CompletableFuture<>();
        callers.submit(() -> shared.submit(0));
        assertThat(first.await(5, TimeUnit.MINUTES)).isTrue();
        Future<Boolean> kept = callers.submit(() -> {
            caller.complete(Thread.currentThread());
            assertThat(shared.submit(7)).isEqualTo(70);
            return Thread.interrupted();
        });
        await().atMost(LIMIT).until(() -> caller.get().getState() == Thread.State.WAITING);
        caller.get().interrupt();
        open.countDown();
        assertThat(kept.get(5, TimeUnit.MINUTES)).isTrue();
    }
}
