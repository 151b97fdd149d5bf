package org.gelato.ce.testkit.pki;

import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * The two written forms of the names that this grid gives: one attribute in each part, of ASCII. The product's own class
 * for names is not used, so that its tests do not measure it by itself.
 */
final class PlainName {
    private PlainName() {}

    /** {@code CN=a,O=b}. */
    static String rfc2253(X500Principal name) {
        return name.getName(X500Principal.RFC2253);
    }

    /** {@code /O=b/CN=a}. */
    static String slash(X500Principal name) {
        StringBuilder text = new StringBuilder();
        for (RDN rdn : X500Name.getInstance(name.getEncoded()).getRDNs()) {
            AttributeTypeAndValue only = rdn.getFirst();
            text.append('/')
                    .append(
                            only.getType().equals(BCStyle.E)
                                    ? "emailAddress"
                                    : BCStyle.INSTANCE.oidToDisplayName(only.getType()))
                    .append('=')
                    .append(((ASN1String) only.getValue()).getString());
        }
        return text.toString();
    }
}
