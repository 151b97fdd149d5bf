package org.gelato.ce.core.delegation;

import java.security.cert.X509Certificate;
import java.util.Optional;

/** Port: validates a certificate chain against the trust anchors, their CRLs and namespaces. Thread-safe. */
@FunctionalInterface
public interface ChainValidator {
    /**
     * @param chain leaf first, not empty
     * @return why the chain is not trusted; empty when it is
     */
    Optional<String> validate(X509Certificate[] chain);
}
