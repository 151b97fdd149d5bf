package org.gelato.ce.core.db;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.gelato.ce.core.base.StrideQueue;
import org.gelato.ce.core.fault.Messages;

/**
 * Group commit: requests that arrive while a transaction runs are done together by the next one. A caller that finds no
 * transaction under way begins at once with all that waits, so a single caller never waits for others, and no caller is
 * made to wait for others. What waits is taken in turns of those whom it is of ({@link StrideQueue}), up to a weight: a big request holds
 * up what came after it for no longer than it would have by itself, and who submits much waits behind what others submit meanwhile.
 *
 * <p>Each caller gets the result of its own request, after the commit. When a shared transaction fails, each of its
 * requests is done once more by its own caller, alone, so that no request fails because of another. That is not done when
 * the commit itself was lost ({@link CommitInDoubtException}): it may have worked, and every caller learns so.
 *
 * <p>A transaction that takes long, as it waits for a row that another session holds, keeps others from theirs for {@link #PATIENCE}: then
 * what came since is done beside it.
 *
 * <p>Memory holds at most one request for each waiting caller. An interrupt does not end the wait, for the request may be
 * in a transaction already; it is passed on with the result. Thread-safe.
 */
public final class GroupCommit<Q, R> {
    /** The holder of requests that are of nobody in particular: they are taken in the order they came. */
    public static final List<?> ONE = List.of("all");

    /** How long the others wait for a transaction under way. */
    public static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Duration patience;
    private final int maxWeight;
    private final ToIntFunction<Q> weight;
    private final Function<List<Q>, List<R>> transaction;
    private final Function<Q, List<?>> holders;
    private final StrideQueue<Call<Q, R>> waiting;
    private List<Call<Q, R>> underWay;
    private long begun;

    private static final class Call<Q, R> {
        private final Q request;
        private R response;
        private RuntimeException failure;
        private boolean shared; // failed together with others: to be run again by itself
        private boolean taken;
        private boolean answered;

        Call(Q request) {
            this.request = request;
        }
    }

    /**
     * @param maxWeight of the requests of one transaction; a heavier request has one of its own
     * @param weight of a request, at least 1
     * @param holders whom a request is of, the outermost share first: a VO and a user, or a user
     * @param transaction does all the requests in one transaction and returns their results in order; waits for nothing
     *     but the database
     */
    public GroupCommit(
            int maxWeight,
            ToIntFunction<Q> weight,
            Function<Q, List<?>> holders,
            Function<List<Q>, List<R>> transaction) {
        this(PATIENCE, maxWeight, weight, holders, transaction);
    }

    /** @param patience of those that wait for a transaction of others; zero for any */
    public GroupCommit(
            Duration patience,
            int maxWeight,
            ToIntFunction<Q> weight,
            Function<Q, List<?>> holders,
            Function<List<Q>, List<R>> transaction) {
        this.patience = patience;
        this.maxWeight = maxWeight;
        this.weight = weight;
        this.holders = holders;
        this.waiting = new StrideQueue<>(call -> weight.applyAsInt(call.request));
        this.transaction = transaction;
    }

    /**
     * Does a request, alone or with others.
     *
     * @throws RuntimeException what the transaction threw for this request
     */
    public R submit(Q request) {
        if (LockPatience.isNone()) {
            return transaction.apply(List.of(request)).get(0); // it may well fail, and others need not fail with it
        }
        Call<Q, R> mine = new Call<>(request);
        List<Call<Q, R>> turn = join(mine);
        while (turn != null) {
            try {
                run(turn);
            } finally {
                finished(turn);
            }
            turn = await(mine);
        }
        if (mine.shared) {
            return transaction.apply(List.of(request)).get(0);
        }
        if (mine.failure != null) {
            throw mine.failure;
        }
        return mine.response;
    }

    private synchronized List<Call<Q, R>> join(Call<Q, R> mine) {
        waiting.add(holders.apply(mine.request), mine);
        return await(mine);
    }

    /** Waits until the call is done (null) or it is the caller's turn to run what waits. */
    private synchronized List<Call<Q, R>> await(Call<Q, R> mine) {
        boolean interrupted = false;
        while (!mine.answered && (mine.taken || underWay != null)) {
            long millis = mine.taken || patience.isZero() ? 0 : millisLeft();
            if (millis < 0) {
                break;
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (mine.answered) {
            return null;
        }
        List<Call<Q, R>> turn = new ArrayList<>();
        int sum = 0;
        while (!waiting.isEmpty()) {
            sum += weight.applyAsInt(waiting.peek().request);
            if (!turn.isEmpty() && sum > maxWeight) {
                break;
            }
            Call<Q, R> next = waiting.poll();
            next.taken = true;
            turn.add(next);
        }
        underWay = turn;
        begun = System.nanoTime();
        return turn;
    }

    /** Until what waits is done beside the transaction under way; negative when that is now. */
    private long millisLeft() {
        long left = patience.toNanos() - (System.nanoTime() - begun);
        return left <= 0 ? -1 : left / 1_000_000 + 1;
    }

    private void run(List<Call<Q, R>> turn) {
        try {
            List<R> responses =
                    transaction.apply(turn.stream().map(call -> call.request).toList());
            for (int i = 0; i < turn.size(); i++) {
                turn.get(i).response = responses.get(i);
            }
        } catch (CommitInDoubtException e) {
            // Each thread throws one of its own.
            turn.forEach(call -> call.failure = new CommitInDoubtException(e.getCause()));
        } catch (RuntimeException e) {
            if (turn.size() == 1) {
                turn.get(0).failure = e;
            } else {
                turn.forEach(call -> call.shared = true);
            }
        } catch (Error e) {
            // Not thrown here: this thread may have worked for others, and its own request may wait still.
            turn.forEach(call ->
                    call.failure = new IllegalStateException("a shared transaction broke off: " + Messages.of(e), e));
        }
    }

    private synchronized void finished(List<Call<Q, R>> turn) {
        turn.forEach(call -> call.answered = true);
        if (underWay == turn) {
            underWay = null;
        }
        notifyAll();
    }
}
