package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.LocalPeers;
import org.gelato.ce.ws.web.RequiredScopes;

/**
 * Who may see the inside of the CE, which names files, hosts and CAs: accounts of this host that are trusted ({@link LocalPeers}), the
 * site's monitoring networks, administrators, and readers by their names. The jobs of all users, which name people, are for the same but
 * the networks. Thread-safe.
 */
public final class MonitoringAccess {
    /** Explains what a site has to do. */
    static final String REFUSAL =
            "metrics are shown on this host to root, to the CE's own account and to gelato.monitoring.accounts, to the networks"
                    + " of gelato.monitoring.networks, and to administrators and those of gelato.monitoring.readers by their"
                    + " certificate, or by a bearer token that permits compute.read";

    /** The same for jobs. */
    public static final String JOBS_REFUSAL =
            "jobs of all users are shown on this host to root, to the CE's own account and to gelato.monitoring.accounts, and"
                    + " to administrators and those of gelato.monitoring.readers by their certificate, or by a bearer token"
                    + " that permits compute.read";

    private final List<AddressRange> networks;
    private final CallerResolver callers;
    private final Predicate<Identity> readers;
    private final LocalPeers peers;

    /** Without readers by name and further accounts. */
    public MonitoringAccess(List<AddressRange> networks, CallerResolver callers) {
        this(networks, callers, identity -> false, List.of());
    }

    /**
     * @param callers who calls, where readers need no mapping
     * @param readers who may see everything without being an administrator
     * @param accounts numbers of local accounts that may see everything, beside root and the CE's own
     */
    public MonitoringAccess(
            List<AddressRange> networks,
            CallerResolver callers,
            Predicate<Identity> readers,
            Collection<Integer> accounts) {
        this.readers = readers;
        this.peers = new LocalPeers(accounts);
        this.networks = List.copyOf(networks);
        this.callers = callers;
    }

    boolean allows(HttpServletRequest request) {
        return isOfNetworks(request.getRemoteAddr()) || allowsJobs(request);
    }

    /** Whether a request may see the jobs of all users. */
    public boolean allowsJobs(HttpServletRequest request) {
        return peers.trusts(request) || isReader(request);
    }

    private boolean isOfNetworks(String remote) {
        InetAddress address = LocalPeers.address(remote);
        return address != null && networks.stream().anyMatch(n -> n.contains(address));
    }

    private boolean isReader(HttpServletRequest request) {
        try {
            Caller caller = callers.resolve(request);
            return (caller.admin() || readers.test(caller.identity()))
                    && RequiredScopes.permits(caller, RequiredScopes.Protocol.MONITORING, request.getMethod());
        } catch (ServiceException e) {
            return false;
        }
    }
}
