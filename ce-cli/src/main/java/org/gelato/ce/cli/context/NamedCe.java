package org.gelato.ce.cli.context;

import java.util.Optional;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.Protocol;

/**
 * A CE to which the user's file gives a name, or one without a name.
 *
 * @param name null for none
 * @param queue as in names of resources: {@code cream-LRMS-QUEUE}; null for none
 * @param protocol {@link Protocol#AUTO} where the file says nothing
 */
public record NamedCe(String name, Endpoint endpoint, String queue, Protocol protocol) {
    /** A CE that the file does not know. */
    static NamedCe unknown(Endpoint endpoint) {
        return new NamedCe(null, endpoint, null, Protocol.AUTO);
    }

    /** Whether this is the CE of an address, however it is spoken to. */
    public boolean isAt(Endpoint address) {
        return endpoint.host().equals(address.host()) && endpoint.port() == address.port();
    }

    /** Where jobs go when nothing else is said. */
    public Optional<String> defaultQueue() {
        return Optional.ofNullable(queue);
    }
}
