package org.gelato.ce.ws.config;

import java.time.Duration;
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
 * @param maxText bytes of job descriptions that one user may have stored
 */
public record JobsConfig(
        PurgePolicy purgePolicy,
        Duration purgeInterval,
        Duration maxLeaseTime,
        Duration leaseSweepInterval,
        JobInserts.Turns turns,
        long maxText) {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    static JobsConfig read(ConfigReader r) {
        return new JobsConfig(
                r.parsed("gelato.jobs.purge-policy", PurgePolicy::parse),
                r.duration("gelato.jobs.purge-interval", SECOND, DAY),
                r.duration("gelato.jobs.max-lease-time", SECOND, Duration.ofDays(365)),
                r.duration("gelato.jobs.lease-sweep-interval", SECOND, DAY),
                r.choice("gelato.jobs.turns", JobInserts.Turns.class),
                r.bytes("gelato.jobs.max-text-per-user", 1L << 20, 1L << 40));
    }
}
