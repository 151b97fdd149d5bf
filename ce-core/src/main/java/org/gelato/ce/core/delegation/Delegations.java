package org.gelato.ce.core.delegation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.identity.Caller;

/**
 * The delegation service (docs/developer/protocol/delegation-wire.md). Every refusal is a {@link
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

    /** {@link #getNewProxyReq} with a request that names nobody: it was signed ahead, so that this costs one statement. */
    NewProxyReq newUnnamedReq(Caller caller);

    /** {@link #renewProxyReq} with a request that names nobody. */
    String renewUnnamedReq(Caller caller, String id);

    /** Ends a new delegation or a renewal: checks the chain, stores it, writes the proxy file. */
    void putProxy(Caller caller, String id, String pemChain);

    /** notAfter of the delegated proxy. */
    Instant getTerminationTime(Caller caller, String id);

    /** Removes the delegation and its proxy file, and cancels its jobs. */
    void destroy(Caller caller, String id);

    /** Request and id of a delegation the server named. */
    record NewProxyReq(String proxyRequest, String delegationId) {}

    /**
     * Delegates a bearer token under an id the server makes. The signature is not verified: the token is for other services.
     *
     * @return the id
     */
    String putToken(Caller caller, DelegatedToken token);

    /** Replaces a delegated token, whichever ends later; jobs get it as they get renewed proxies. */
    void renewToken(Caller caller, String id, DelegatedToken token);

    /** What is delegated under an id; empty when nothing is. */
    Optional<DelegationKind> kind(Caller caller, String id);

    /**
     * A delegated token without its signature, so that it is of no use: {@code header.payload}, both base64url.
     *
     * @throws org.gelato.ce.core.fault.ServiceException.DelegationRefused when none is delegated under the id
     */
    String unsignedToken(Caller caller, String id);

    /**
     * What is delegated by the caller under its account, by id: exactly what {@link #chain} and {@link #unsignedToken} return, ended
     * ones until they are removed.
     *
     * @return at most {@value #MAX_LISTED}
     */
    List<Listed> list(Caller caller);

    /** The chain of a delegated proxy, PEM, as the client sent it and without its private key. */
    String chain(Caller caller, String id);

    /**
     * Removes a delegation that no job needs any more, with its file.
     *
     * @return false when jobs that have not ended need it; nothing is changed then
     */
    boolean release(Caller caller, String id);

    /** The most delegations that {@link #list} returns; no token is taken beside as many. */
    int MAX_LISTED = 10_000;

    /** A stored delegation: its id, what it is, and when that ends. */
    record Listed(String id, DelegationKind kind, Instant expiresAt) {}

    /**
     * How many delegations a user may have stored, whatever the FQANs and accounts: proxies and tokens.
     *
     * @param most delegations
     * @param bytes of all of them in the database
     */
    record Quota(
            int most,

            @Key(value = "max-bytes-per-user", min = "1 MiB", max = "1 TiB")
            long bytes) {
        /** From here on unused delegations are removed, down to half of the quota. */
        private static final double TIGHT = 0.75;

        /** A quota that nothing exceeds. */
        public static final Quota NONE = new Quota(Integer.MAX_VALUE, Long.MAX_VALUE);

        /** What a user has stored. */
        record Used(long stored, long bytes) {}

        /** Whether there is room for so many bytes more. */
        boolean hasRoom(Used used, long more) {
            return used.stored() < most && used.bytes() + more <= bytes;
        }

        long tightStored() {
            return (long) (TIGHT * most);
        }

        long tightBytes() {
            return (long) (TIGHT * bytes);
        }

        /** How many delegations of usual size are to go, so that half of the quota is left. */
        int surplus(Used used) {
            double ofNumber = used.stored() - most / 2.0;
            double ofBytes = used.bytes() == 0 ? 0 : used.stored() * (1 - bytes / 2.0 / used.bytes());
            return (int) Math.ceil(Math.max(0, Math.max(ofNumber, ofBytes)));
        }

        /** Why there is no room, and what to do. */
        String refusal(Used used, long more) {
            return used.stored() + " delegations of this user with " + used.bytes() + " bytes are stored, at most "
                    + most + " with "
                    + bytes + " bytes are allowed, and this one has " + more
                    + "; destroy those that no job needs, or wait: unused ones are removed after an hour";
        }
    }
}
