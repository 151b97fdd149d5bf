package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.bouncycastle.asn1.x509.Extension;
import org.italiangrid.voms.asn1.VOMSACUtils;

/**
 * The hosts that attribute certificates of a chain are for (RFC 5755, 4.3.2). The VOMS library compares those that it can read with
 * this host's name. VOMS's own programs write a list without hosts, at which the library fails or which it takes for none.
 */
final class Targets {
    private Targets() {}

    /** Whether one of the attribute certificates that the library reads is for some hosts and does not say which. */
    static boolean unreadable(X509Certificate[] chain) {
        try {
            for (X509Certificate certificate : chain) {
                List<AttributeCertificate> all =
                        ProxyUtils.isProxy(certificate) ? VOMSACUtils.getACsFromCertificate(certificate) : List.of();
                if (!all.isEmpty()) {
                    return unreadable(all);
                }
            }
            return false;
        } catch (IOException | RuntimeException e) {
            // Said by the library, which stumbles over it too.
            return false;
        }
    }

    private static boolean unreadable(List<AttributeCertificate> all) {
        return all.stream()
                .map(a -> a.getAcinfo().getExtensions())
                .filter(Objects::nonNull)
                .map(e -> e.getExtension(Extension.targetInformation))
                .filter(Objects::nonNull)
                .anyMatch(e -> !named(e));
    }

    private static boolean named(Extension extension) {
        try {
            ASN1Sequence lists = ASN1Sequence.getInstance(extension.getParsedValue());
            return lists.size() > 0
                    && ASN1Sequence.getInstance(lists.getObjectAt(0)).size() > 0;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
