package org.gelato.ce.ws.config;

import java.nio.file.Path;

/**
 * Delegated proxies.
 *
 * @param keyFile key that encrypts private keys at rest; made when absent
 * @param keyPool key pairs made ahead
 */
public record DelegationConfig(Path keyFile, int keyPool) {
    static DelegationConfig read(ConfigReader r) {
        return new DelegationConfig(
                r.path("gelato.delegation.key-file"), r.number("gelato.delegation.key-pool", 1, 10_000));
    }
}
