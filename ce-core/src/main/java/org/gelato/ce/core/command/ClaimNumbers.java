package org.gelato.ce.core.command;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fencing tokens of claims (docs/developer/decisions/0048). A number that is counted in the row of the command is given twice
 * where the first claim was rolled back and its process does not know that: what this process then puts back would be the
 * claim of another. So each process counts for itself, from a random number on; two claims of one command have the same
 * number with a probability of 2^-31. Thread-safe.
 */
final class ClaimNumbers {
    private final AtomicInteger last =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));

    /** From 1 to the largest int. */
    int next() {
        return last.updateAndGet(n -> n == Integer.MAX_VALUE ? 1 : n + 1);
    }
}
