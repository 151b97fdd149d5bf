package org.gelato.ce.core.delegation;

import java.time.Instant;
import org.gelato.ce.core.identity.Caller;

/**
 * The delegation service (docs/protocol/delegation-wire.md). Every refusal is a {@link
 * org.gelato.ce.core.fault.ServiceException.DelegationRefused} with the text clients match on. Thread-safe.
 */
public interface Delegations {
    /**
     * Starts a new delegation.
     *
     * @param id the client's text; null or empty means a hash of DN and FQANs
     * @return the certificate request, PEM
     */
    String getProxyReq(Caller caller, String id);

    /** Starts a new delegation under an id the server makes. */
    NewProxyReq getNewProxyReq(Caller caller);

    /** Starts a renewal of an existing delegation; returns the certificate request, PEM. */
    String renewProxyReq(Caller caller, String id);

    /** Ends a new delegation or a renewal: checks the chain, stores it, writes the proxy file. */
    void putProxy(Caller caller, String id, String pemChain);

    /** notAfter of the delegated proxy. */
    Instant getTerminationTime(Caller caller, String id);

    /** Removes the delegation and its proxy file, and cancels its jobs. */
    void destroy(Caller caller, String id);

    /** Request and id of a delegation the server named. */
    record NewProxyReq(String proxyRequest, String delegationId) {}
}
