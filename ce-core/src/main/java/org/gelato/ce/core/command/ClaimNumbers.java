package org.gelato.ce.core.command;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fencing tokens of claims. Each claim has a number that another claim of its command has by a chance of one in two thousand million, of this process or another, also
 * where it was rolled back and its process does not know it: a number counted in the row would be given again by the next
 * claim, and what the first process puts back would be the second one's. Therefore each process counts from a random
 * number on. Thread-safe.
 */
final class ClaimNumbers {
    private final AtomicInteger last =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));

    /** From 1 to the largest int. */
    int next() {
        return last.updateAndGet(n -> n == Integer.MAX_VALUE ? 1 : n + 1);
    }
}
