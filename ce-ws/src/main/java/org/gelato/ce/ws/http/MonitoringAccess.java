package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Predicate;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.RequiredScopes;

/**
 * Who may see the inside of the CE, which names files, hosts and CAs: this host, the site's monitoring networks, administrators, and
 * readers by their names. The jobs of all users, which name people, are for the same but the networks. Thread-safe.
 */
public final class MonitoringAccess {
    /** Explains what a site has to do. */
    static final String REFUSAL =
            "metrics are shown to this host, to the networks of gelato.monitoring.networks, and to administrators"
                    + " and those of gelato.monitoring.readers by their certificate, or by a bearer token that permits compute.read";

    /** The same for jobs. */
    public static final String JOBS_REFUSAL =
            "jobs of all users are shown to this host, and to administrators and those of gelato.monitoring.readers by"
                    + " their certificate, or by a bearer token that permits compute.read";

    private final List<AddressRange> networks;
    private final CallerResolver callers;
    private final Predicate<Identity> readers;

    /** Without readers by name. */
    public MonitoringAccess(List<AddressRange> networks, CallerResolver callers) {
        this(networks, callers, identity -> false);
    }

    /**
     * @param callers who calls, where readers need no mapping
     * @param readers who may see everything without being an administrator
     */
    public MonitoringAccess(List<AddressRange> networks, CallerResolver callers, Predicate<Identity> readers) {
        this.readers = readers;
        this.networks = List.copyOf(networks);
        this.callers = callers;
    }

    boolean allows(HttpServletRequest request) {
        return isHere(request) || isOfNetworks(request.getRemoteAddr()) || isReader(request);
    }

    /** Whether a request may see the jobs of all users. */
    public boolean allowsJobs(HttpServletRequest request) {
        return isHere(request) || isReader(request);
    }

    private static boolean isHere(HttpServletRequest request) {
        String remote = request.getRemoteAddr();
        // Who connects to an address of this host from this host comes from that address, as a rule.
        return remote.equals(request.getLocalAddr()) || is(remote, InetAddress::isLoopbackAddress);
    }

    private boolean isOfNetworks(String remote) {
        return is(remote, address -> networks.stream().anyMatch(n -> n.contains(address)));
    }

    private static boolean is(String remote, Predicate<InetAddress> condition) {
        try {
            // What a container gives is an address, maybe with the zone of a link-local one, and never a name.
            return condition.test(InetAddress.getByName(remote.replaceFirst("%.*", "")));
        } catch (UnknownHostException e) {
            return false;
        }
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
