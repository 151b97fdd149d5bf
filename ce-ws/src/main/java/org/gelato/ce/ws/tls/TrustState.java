package org.gelato.ce.ws.tls;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * What the trust anchors and VOMS servers in force decide now. CAs are named in slash form.
 *
 * @param refused CAs of which no certificate is accepted, and why
 * @param limited CAs whose certificates are accepted only with one of these distribution points of CRLs
 * @param withoutList CAs without a CRL
 * @param files that can't be used and have no older version in force, or are of a VOMS server, and why
 */
public record TrustState(
        Map<String, String> refused, Map<String, String> limited, Set<String> withoutList, Map<Path, String> files) {}
