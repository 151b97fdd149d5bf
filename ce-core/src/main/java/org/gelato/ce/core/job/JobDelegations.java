package org.gelato.ce.core.job;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;

/** What job registration asks of the delegation service. */
public interface JobDelegations {
    /** The caller's delegations by client id, in one read; unknown ids are missing. */
    Map<String, Ref> find(Caller caller, Collection<String> ids);

    /** Stores a proxy that came with the registration, as putProxy would. */
    void put(Caller caller, String id, String pemChain);

    /** A stored delegation. */
    record Ref(int row, Instant expiresAt) {}
}
