package org.gelato.ce.core.service;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;

/** What job registration needs from the delegation service. Thread-safe. */
public interface JobDelegations {
    /**
     * At most one statement whatever the number of ids. What was found a few seconds ago may be returned from memory: it
     * may have ended since, or end later by now.
     *
     * @return the caller's delegations by the id as it was given, expired ones included; unknown ids are missing
     */
    Map<String, Ref> find(Caller caller, Collection<String> ids);

    /** What was found under these ids is not there any more: the next {@link #find} queries the database. */
    void forget(Caller caller, Collection<String> ids);

    /** Stores a proxy that came with the registration. */
    void putProxy(Caller caller, String id, String pemChain);

    /**
     * A stored delegation.
     *
     * @param row its number, for {@code job.delegation_id}
     * @param expiresAt end of the delegated proxy; may lie in the past
     */
    record Ref(int row, Instant expiresAt) {}
}
