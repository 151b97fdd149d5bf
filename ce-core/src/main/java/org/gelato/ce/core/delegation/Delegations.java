package org.gelato.ce.core.delegation;

import java.time.Instant;
import java.util.List;
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

    /**
     * The delegated proxies of the caller under its account, by age: exactly those that {@link #chain} returns, ended ones
     * until they are removed.
     *
     * @return at most {@value #MOST_LISTED}
     */
    List<Listed> list(Caller caller);

    /** The delegated chain, PEM, as the client sent it and without its private key. */
    String chain(Caller caller, String id);

    /**
     * Removes a delegation that no job needs any more, with its proxy file.
     *
     * @return false when jobs that have not ended need it; nothing is changed then
     */
    boolean release(Caller caller, String id);

    /** The most delegations that {@link #list} returns. */
    int MOST_LISTED = 10_000;

    /** A stored delegation: its id and the end of its proxy. */
    record Listed(String id, Instant expiresAt) {}
}
