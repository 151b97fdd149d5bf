package org.gelato.ce.ws.config;

import java.time.Duration;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.service.JobInserts;
import org.gelato.ce.core.sweep.PurgePolicy;

/**
 * How long jobs and leases live.
 *
 * @param purgePolicy which jobs are purged by themselves
 * @param purgeInterval how often the policy is applied
 * @param maxLeaseTime longest time a lease runs from the moment it is set
 * @param leaseSweepInterval how often expired leases are sought, and jobs without lease are cancelled again
 * @param turns who takes turns where registrations wait for each other
 * @param maxTextPerUser bytes of job descriptions that one user may have stored
 */
public record JobsConfig(
        PurgePolicy purgePolicy,
        @Key(min = "1 s", max = "1 day") Duration purgeInterval,
        @Key(min = "1 s", max = "365 days") Duration maxLeaseTime,
        @Key(min = "1 s", max = "1 day") Duration leaseSweepInterval,
        @Key JobInserts.Turns turns,
        @Key(min = "1 MiB", max = "1 TiB") long maxTextPerUser) {}
