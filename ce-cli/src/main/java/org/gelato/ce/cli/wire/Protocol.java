package org.gelato.ce.cli.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a CE is spoken to. A job has the same id in both protocols. */
public enum Protocol {
    /** The one that the CE's address names, else the one that the user's credential is for. */
    AUTO,
    /** SOAP with a proxy (docs/developer/protocol/cream2-wire.md). */
    CREAM2,
    /** ARC REST with a proxy, a bearer token or both (docs/developer/protocol/arc-rest.md). */
    ARCREST;

    /**
     * Reads a name, in small or capital letters.
     *
     * @throws IllegalArgumentException naming the ones there are
     */
    public static Protocol parse(String name) {
        return Arrays.stream(values())
                .filter(p -> p.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is no protocol: one of "
                        + Arrays.stream(values()).map(Protocol::toString).collect(Collectors.joining(", "))));
    }

    /** The protocol of a service's path; {@link #AUTO} for a path that is of neither. */
    static Protocol ofPath(String path) {
        if (path.matches("/+arex(/.*)?")) {
            return ARCREST;
        }
        return path.matches("/+ce-cream(/.*)?") ? CREAM2 : AUTO;
    }

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
