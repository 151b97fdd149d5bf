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
 * @param lrmsJobId null before it is in the batch system
 * @param workerNode null before it is known
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
        String lrms,
        String queue,
        String lrmsJobId,
        String workerNode) {

    /**
     * Which jobs; null for any, and all criteria hold.
     *
     * @param dn in slash form or RFC 2253
     * @param states wire names; never null, empty for any
     * @param registeredBefore exclusive
     */
    public record Filter(
            String dn, String vo, String account, List<String> states, String queue, Instant registeredBefore) {}
}
