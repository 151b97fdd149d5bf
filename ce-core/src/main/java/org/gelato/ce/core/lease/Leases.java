package org.gelato.ce.core.lease;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.identity.Caller;

/**
 * What callers can do with leases (docs/developer/protocol/cream2-wire.md section 7). A lease belongs to its owner, administrators
 * included; one that ran out reads as unknown, whether it has been swept or not. Thread-safe.
 */
public interface Leases {
    /**
     * Makes or renews a lease. Jobs it had when it ran out, and that have not ended, have it again.
     *
     * @param until cut to the longest time a lease may run
     * @return with the time granted
     * @throws org.gelato.ce.core.fault.ServiceException INVALID_ARGUMENT without id or time, or for an id that is too long
     * @throws org.gelato.ce.core.fault.ServiceException LEASE_REFUSED for a time in the past, or when the owner has too many
     */
    Lease set(Caller caller, String id, Instant until);

    /**
     * A lease of the caller.
     *
     * @throws org.gelato.ce.core.fault.ServiceException INVALID_ARGUMENT without id
     * @throws org.gelato.ce.core.fault.ServiceException LEASE_REFUSED for an unknown one
     */
    Lease get(Caller caller, String id);

    /** All leases of the caller, by id. */
    List<Lease> list(Caller caller);

    /**
     * Removes a lease; its jobs go on without.
     *
     * @throws org.gelato.ce.core.fault.ServiceException INVALID_ARGUMENT without id
     * @throws org.gelato.ce.core.fault.ServiceException LEASE_REFUSED for an unknown one
     */
    void delete(Caller caller, String id);
}
