package org.gelato.ce.cli.wire;

import java.time.Instant;
import java.util.List;

/**
 * A job of any user, as administrators see it; texts are as on the wire.
 *
 * @param id local id
 * @param dn of its owner, RFC 2253
 * @param fqan null for none
 * @param vo null for none
 * @param since when its state began
 * @param running null before it ran
 * @param ended null before its end
 * @param lrmsJobId null before it is in the batch system
 * @param workerNode null before it is known
 * @param exitCode null when not known
 */
public record SiteJob(
        String id,
        String dn,
        String fqan,
        String vo,
        String account,
        String state,
        Instant since,
        Instant registered,
        Instant running,
        Instant ended,
        String lrms,
        String queue,
        String lrmsJobId,
        String workerNode,
        String exitCode) {

    /**
     * Which jobs; null for any, and all criteria hold.
     *
     * @param dn in slash form or RFC 2253
     * @param states wire names; never null, empty for any
     * @param registeredBefore exclusive
     * @param job local id; the other criteria do not count then
     * @param batchId as the batch system writes it, or its part before the first dot
     * @param at a moment between registration and end
     */
    public record Filter(
            String dn,
            String vo,
            String account,
            List<String> states,
            String queue,
            Instant registeredBefore,
            String job,
            String batchId,
            Instant at) {}
}
