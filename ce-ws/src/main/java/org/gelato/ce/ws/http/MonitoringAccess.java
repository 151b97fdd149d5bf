package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * Who may see the inside of the CE, which names files, hosts and CAs: this host, the site's monitoring networks, and
 * administrators. Thread-safe.
 */
public final class MonitoringAccess {
    /** Explains what a site has to do. */
    static final String REFUSAL =
            "metrics are shown to this host, to the networks of gelato.monitoring.networks, and to"
                    + " administrators by their certificate, or by a bearer token that permits compute.read";

    private final List<AddressRange> networks;
    private final CallerResolver callers;

    public MonitoringAccess(List<AddressRange> networks, CallerResolver callers) {
        this.networks = List.copyOf(networks);
        this.callers = callers;
    }

    boolean allows(HttpServletRequest request) {
        String remote = request.getRemoteAddr();
        // Who connects to an address of this host from this host comes from that address, as a rule.
        return remote.equals(request.getLocalAddr()) || isNear(remote) || isAdministrator(request);
    }

    private boolean isNear(String remote) {
        try {
            // What a container gives is an address, maybe with the zone of a link-local one, and never a name.
            InetAddress address = InetAddress.getByName(remote.replaceFirst("%.*", ""));
            return address.isLoopbackAddress() || networks.stream().anyMatch(n -> n.contains(address));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private boolean isAdministrator(HttpServletRequest request) {
        try {
            Caller caller = callers.resolve(request);
            return caller.admin() && caller.identity().permits(Permission.READ);
        } catch (ServiceException e) {
            return false;
        }
    }
}
