package org.gelato.ce.ws.push;

import java.util.Set;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.MessageFeed;

/**
 * What a reader gets.
 *
 * @param owners of all that can be in the scope; empty where that may be anybody
 */
record MessageSelection(MessageFeed.Scope scope, MessageFilter filter, Set<Integer> owners) {
    MessageSelection {
        owners = Set.copyOf(owners);
    }

    /** The jobs that were named; empty where the scope is wider. */
    Set<JobId> jobs() {
        return scope instanceof MessageFeed.Scope.Jobs named ? named.jobs() : Set.of();
    }
}
