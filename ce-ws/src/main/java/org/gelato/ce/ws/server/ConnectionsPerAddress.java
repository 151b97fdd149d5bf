package org.gelato.ce.ws.server;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Limits the connections without client certificate of one remote address. At the limit a new one takes the place of the address's
 * oldest one that still shakes hands or has no request, and is refused where there is none. Connections with a certificate do not count,
 * so users behind one address are not held back by it.
 */
record ConnectionsPerAddress(int most) {
    boolean isReached(InetAddress address, Collection<TrackedConnection> all) {
        return of(address, all).filter(c -> !c.isCertified()).count() >= most;
    }

    /** The one that has to go for a new one; empty when each does something useful. */
    Optional<TrackedConnection> replaceable(InetAddress address, Collection<TrackedConnection> all) {
        return of(address, all)
                .filter(c -> c.isInHandshake() || (!c.isCertified() && c.waitsForRequest()))
                .min(Comparator.comparingLong(TrackedConnection::opened));
    }

    private static Stream<TrackedConnection> of(InetAddress address, Collection<TrackedConnection> all) {
        return all.stream().filter(c -> c.address().equals(address) && c.isOpen());
    }
}
