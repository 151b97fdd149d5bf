package org.gelato.ce.core.delegation;

import java.security.cert.X509Certificate;
import java.util.List;

/** Port: reads and validates the VOMS attribute certificates of a chain. Thread-safe. */
@FunctionalInterface
public interface AttributeReader {
    /**
     * @param chain leaf first, validated already
     * @return what was found; {@link Attributes#NONE} for a chain without attribute certificates
     */
    Attributes read(X509Certificate[] chain);

    /**
     * Attributes of a chain.
     *
     * @param vo VO of the first attribute certificate; null without one
     * @param fqans its FQANs in order, as they stand in the certificate
     * @param issuer its issuer, RFC 2253; null without one
     * @param errors why attribute certificates of the chain are not accepted; empty when all are
     */
    record Attributes(String vo, List<String> fqans, String issuer, List<String> errors) {
        /** A chain without attribute certificates. */
        public static final Attributes NONE = new Attributes(null, List.of(), null, List.of());

        public Attributes {
            fqans = List.copyOf(fqans);
            errors = List.copyOf(errors);
        }
    }
}
