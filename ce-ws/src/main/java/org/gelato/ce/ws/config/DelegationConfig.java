package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.config.Key;
import org.gelato.ce.core.delegation.Delegations;

/**
 * Delegated proxies and tokens.
 *
 * @param keyFile key that encrypts private keys at rest; made when absent
 * @param keyPool key pairs made ahead
 * @param keyReuse how long new delegations of an owner share a key; zero for never
 * @param quota of each user
 */
public record DelegationConfig(
        @Key Path keyFile,
        @Key(min = "1", max = "10000") int keyPool,
        @Key(min = "0", max = "1 h") Duration keyReuse,
        @Key(Key.BESIDE) Delegations.Quota quota) {}
