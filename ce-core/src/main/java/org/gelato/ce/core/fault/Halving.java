package org.gelato.ce.core.fault;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Work on a set as a whole that one bad member must not stop: a set that fails is tried in halves, in order, down to single members, so that
 * the others are done and the bad one is found. k bad members of n cost at most about 2 k log n tries; without one it is a single try.
 */
public final class Halving {
    private Halving() {}

    /**
     * Does the work.
     *
     * @param members none is fine
     * @param work does a part of them, or nothing of it
     * @param ofAll failures that say nothing of a member, such as a server that is away: they are thrown at once
     * @param alone gets each member that failed alone, before those behind it are tried
     * @return members that were done
     * @throws RuntimeException a failure that is of all; members before the part that failed then were done, or failed alone
     */
    public static <T> int run(
            List<T> members, Consumer<List<T>> work, Predicate<Throwable> ofAll, BiConsumer<T, Throwable> alone) {
        if (members.isEmpty()) {
            return 0;
        }
        try {
            work.accept(members);
            return members.size();
        } catch (RuntimeException | StackOverflowError e) { // parsers of hostile input overflow their stack
            if (ofAll.test(e)) {
                throw e;
            }
            if (members.size() == 1) {
                alone.accept(members.get(0), e);
                return 0;
            }
        }
        int half = members.size() / 2;
        return run(members.subList(0, half), work, ofAll, alone)
                + run(members.subList(half, members.size()), work, ofAll, alone);
    }
}
