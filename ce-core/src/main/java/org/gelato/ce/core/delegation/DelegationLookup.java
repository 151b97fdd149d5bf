package org.gelato.ce.core.delegation;

import java.util.Collection;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;

/** Finds the delegations a registration names. Thread-safe. */
public interface DelegationLookup {
    /**
     * One statement whatever the number of ids.
     *
     * @return the caller's delegations by the id as it was given, expired ones included; unknown ids are absent
     */
    Map<String, DelegationRef> find(Caller caller, Collection<String> ids);
}
