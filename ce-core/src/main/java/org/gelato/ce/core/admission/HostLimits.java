package org.gelato.ce.core.admission;

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
        int load1, int load5, int load15, int memory, int swap, int freeDescriptors, int disk, int ftpConnections) {
    /** No limit at all. */
    public static final HostLimits NONE = new HostLimits(-1, -1, -1, -1, -1, -1, -1, -1);
}
