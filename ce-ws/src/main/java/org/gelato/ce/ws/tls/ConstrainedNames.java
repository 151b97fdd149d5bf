package org.gelato.ce.ws.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.identity.DnForms;

/**
 * Constraints of CAs on names below them (RFC 5280, 4.2.1.10). The validating library ends a path at the first CA that is trusted
 * and reads no constraints there, and a CA below another one lies in the directory too. So chains of users whose CAs have any
 * constraints are validated by the JDK as well.
 */
final class ConstrainedNames {
    private static final String NAME_CONSTRAINTS = "2.5.29.30";
    private static final int LONGEST = 30;
    private static final String REFUSED = "a CA of the chain constrains names, and the chain is not within: ";

    private ConstrainedNames() {}

    /**
     * Why a chain that is valid but for this is not accepted; empty when no CA constrains names, or all are within.
     *
     * @param chain what was validated, the trusted CA last
     */
    static Optional<String> refusal(List<X509Certificate> chain, X509Certificate[] authorities) {
        int user = EndEntity.position(chain.toArray(X509Certificate[]::new));
        List<X509Certificate> path = new ArrayList<>(chain.subList(user, chain.size()));
        for (Optional<X509Certificate> next = issuer(path, authorities);
                next.isPresent() && path.size() < LONGEST;
                next = issuer(path, authorities)) {
            path.add(next.get());
        }
        if (path.stream().skip(1).allMatch(c -> c.getExtensionValue(NAME_CONSTRAINTS) == null)) {
            return Optional.empty();
        }
        X509Certificate root = path.remove(path.size() - 1);
        try {
            // The JDK takes no constraints of a trust anchor.
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
            parameters.setRevocationEnabled(false);
            CertPath whole = CertificateFactory.getInstance("X.509").generateCertPath(path);
            CertPathValidator.getInstance("PKIX").validate(whole, parameters);
            X509CertSelector within = new X509CertSelector();
            within.setNameConstraints(octets(root.getExtensionValue(NAME_CONSTRAINTS)));
            return path.stream()
                    .filter(c -> !within.match(c))
                    .findFirst()
                    .map(c -> REFUSED + DnForms.rfc2253(c.getSubjectX500Principal()));
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            return Optional.of(REFUSED + e.getMessage());
        }
    }

    private static Optional<X509Certificate> issuer(List<X509Certificate> path, X509Certificate[] authorities) {
        if (path.isEmpty()) {
            return Optional.empty();
        }
        X509Certificate last = path.get(path.size() - 1);
        return last.getIssuerX500Principal().equals(last.getSubjectX500Principal())
                ? Optional.empty()
                : Arrays.stream(authorities)
                        .filter(a -> a.getSubjectX500Principal().equals(last.getIssuerX500Principal()))
                        .filter(a -> !path.contains(a) && PathValidator.signed(a, last))
                        .findFirst();
    }

    /** What an OCTET STRING holds; null for null. */
    private static byte[] octets(byte[] der) {
        if (der == null) {
            return null;
        }
        int length = der[1] & 0xff;
        return Arrays.copyOfRange(der, length < 0x80 ? 2 : 2 + (length & 0x7f), der.length);
    }
}
