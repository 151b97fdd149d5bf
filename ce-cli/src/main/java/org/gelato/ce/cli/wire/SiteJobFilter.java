package org.gelato.ce.cli.wire;

import java.time.Instant;
import java.util.List;

/**
 * Which jobs of all users; null for any, and all criteria hold.
 *
 * @param dn in slash form or RFC 2253
 * @param states wire names; never null, empty for any
 * @param registeredBefore exclusive
 * @param job local id; the other criteria do not count then
 * @param batchId as the batch system writes it, or its part before the first dot
 * @param at a moment between registration and end
 */
public record SiteJobFilter(
        String dn,
        String vo,
        String account,
        List<String> states,
        String queue,
        Instant registeredBefore,
        String job,
        String batchId,
        Instant at) {}
