package org.gelato.ce.core.db;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.fixture.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests of several threads are done once each, one after another as it were, and each caller gets its own result; also where a
 * transaction that they shared fails.
 */
@Tag("lincheck")
public class GroupCommitLincheckTest {
    private int sum;
    private final GroupCommit<Integer, Integer> commits =
            new GroupCommit<>(Duration.ZERO, 3, request -> 1, request -> GroupCommit.ONE, this::transaction);

    /** Changes nothing when it fails, and sees no other that is not committed, as a transaction. */
    private synchronized List<Integer> transaction(List<Integer> requests) {
        int now = sum;
        List<Integer> results = new ArrayList<>();
        for (int request : requests) {
            if (request == 0) {
                throw new IllegalArgumentException("refused");
            }
            now += request;
            results.add(now);
        }
        sum = now;
        return results;
    }

    @Operation
    public int submit(@Param(gen = IntGen.class, conf = "0:3") int request) {
        try {
            return commits.submit(request);
        } catch (IllegalArgumentException e) {
            return -1;
        }
    }

    @Test
    void isLinearizable() {
        Lincheck.check(GroupCommitLincheckTest.class);
    }
}
