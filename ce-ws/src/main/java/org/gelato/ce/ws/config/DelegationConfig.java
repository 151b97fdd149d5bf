package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.delegation.Delegations;

/**
 * Delegated proxies and tokens.
 *
 * @param keyFile key that encrypts private keys at rest; made when absent
 * @param keyPool key pairs made ahead
 * @param quota of each user
 */
public record DelegationConfig(
        @Key Path keyFile,
        @Key(min = "1", max = "10000") int keyPool,
        @Key(Key.BESIDE) Delegations.Quota quota) {
    /** How long new delegations of an owner share a key. */
    public static final Duration KEY_REUSE = Duration.ofMinutes(10);

    /** Delegations that one user may have stored; at that number {@code max-bytes-per-user} is near, too. */
    static final int MAX_PER_USER = 20_000;
}
