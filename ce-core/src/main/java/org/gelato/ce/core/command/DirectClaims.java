package org.gelato.ce.core.command;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Lets commands be claimed by this node in the transaction that inserts them, which saves the claim's own. The response
 * to {@link #reserve} is no whenever commands of others wait: the queue's order is the claimer's to keep.
 */
@FunctionalInterface
public interface DirectClaims {
    /** Never claims at once. */
    DirectClaims NONE = (kind, count) -> Optional.empty();

    /**
     * Requests room for this many commands of a kind. Never blocks.
     *
     * @return empty when there is none, when other commands wait for it, or when this node does not run commands
     */
    Optional<Reservation> reserve(CommandKind kind, int count);

    /**
     * Keeps this node from claiming commands of a kind, however they came, until the result is closed: for a caller about
     * to insert many. Never blocks.
     */
    default Hold hold(CommandKind kind) {
        return () -> {};
    }

    /** Ends a hold; once, by its owner. */
    @FunctionalInterface
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    /** Room that is kept until exactly one of the methods that end it was called. */
    interface Reservation {
        /** Row number of this node. */
        int node();

        /** When the claims run out unless they are renewed. */
        Instant expires();

        /** The commands are committed as claimed: executes them, and gives back what room is left. Never blocks. */
        void execute(List<ClaimedCommand> commands);

        /** It is not known whether these were committed: puts them back in the queue if they were. */
        void doubt(List<ClaimedCommand> commands);

        /** Lets the claim go, as nothing was committed. */
        void release();
    }
}
