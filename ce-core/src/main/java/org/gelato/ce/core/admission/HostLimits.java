package org.gelato.ce.core.admission;

import org.gelato.ce.core.base.Key;

/**
 * Limits of this host (docs/developer/protocol/behaviour.md section 7); -1 switches one off.
 *
 * @param load1 average load of the last minute
 * @param load5 average load of the last five minutes; counts while the load rises
 * @param load15 average load of the last fifteen minutes; counts while the load rises
 * @param memory percent in use
 * @param swap percent in use
 * @param freeDescriptors of the whole system; fewer are too few
 * @param disk percent in use
 * @param ftpConnections to the GridFTP port
 */
public record HostLimits(
        @Key(value = "load-1-minute", min = "-1", max = "1000000000")
        int load1,

        @Key(value = "load-5-minutes", min = "-1", max = "1000000000")
        int load5,

        @Key(value = "load-15-minutes", min = "-1", max = "1000000000")
        int load15,

        @Key(min = "-1", max = "100") int memory,
        @Key(min = "-1", max = "100") int swap,
        @Key(min = "-1", max = "1000000000") int freeDescriptors,
        @Key(min = "-1", max = "100") int disk,

        @Key(value = "gridftp-connections", min = "-1", max = "1000000000")
        int ftpConnections) {
    /** No limit at all. */
    public static final HostLimits NONE = new HostLimits(-1, -1, -1, -1, -1, -1, -1, -1);
}
