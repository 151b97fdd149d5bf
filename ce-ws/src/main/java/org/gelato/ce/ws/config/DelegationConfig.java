package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.delegation.Delegations;

/**
 * Delegated proxies and tokens.
 *
 * @param keyFile key that encrypts private keys at rest; made when absent
 * @param keyPool key pairs made ahead
 * @param keyReuse how long new delegations of an owner share a key; zero for never
 * @param quota of each user
 */
public record DelegationConfig(Path keyFile, int keyPool, Duration keyReuse, Delegations.Quota quota) {
    static DelegationConfig read(ConfigReader r) {
        return new DelegationConfig(
                r.path("gelato.delegation.key-file"),
                r.number("gelato.delegation.key-pool", 1, 10_000),
                r.duration("gelato.delegation.key-reuse", Duration.ZERO, Duration.ofHours(1)),
                new Delegations.Quota(
                        r.number("gelato.delegation.max-per-user", 1, 1_000_000),
                        r.bytes("gelato.delegation.max-bytes-per-user", 1L << 20, 1L << 40)));
    }
}
