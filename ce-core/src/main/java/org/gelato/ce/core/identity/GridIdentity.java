package org.gelato.ce.core.identity;

import java.time.Instant;
import java.util.List;

/**
 * Who is at the other end of a TLS connection, after validation of the proxy chain and its attribute certificates.
 *
 * @param dn end-entity subject, RFC 2253, most specific part first; never null
 * @param fqans valid VOMS FQANs in the order of the certificate, {@code /Role=NULL} and {@code /Capability=NULL} cut;
 *     empty for a plain certificate
 * @param vo VO of the first attribute certificate; null without one
 * @param limited whether the chain holds a limited proxy
 * @param notAfter earliest end of any certificate or attribute certificate used
 * @param vomsErrors why attribute certificates of the chain were not accepted; empty when all were
 */
public record GridIdentity(
        String dn, List<String> fqans, String vo, boolean limited, Instant notAfter, List<String> vomsErrors)
        implements Identity {
    public GridIdentity {
        fqans = List.copyOf(fqans);
        vomsErrors = List.copyOf(vomsErrors);
    }

    @Override
    public Kind kind() {
        return Kind.X509;
    }

    @Override
    public String subject() {
        return dn;
    }

    @Override
    public String group() {
        return primaryFqan();
    }

    /** The first FQAN, or the empty string. Owner of a job = DN and this (docs/developer/protocol/behaviour.md section 3). */
    public String primaryFqan() {
        return fqans.isEmpty() ? "" : fqans.get(0);
    }
}
