package org.gelato.ce.perf.load;

import java.util.Locale;

/** What the clients of a scenario speak. */
public enum LoadProtocol {
    /** SOAP, as the command line's usual client. */
    CREAM2,
    /** ARC REST, as HTCondor. */
    ARCREST;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
