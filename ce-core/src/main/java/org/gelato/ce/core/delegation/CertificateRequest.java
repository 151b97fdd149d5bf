package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.impl.X500NameUtils;
import java.io.IOException;
import java.security.KeyPair;
import java.security.SecureRandom;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Certificate requests of docs/developer/protocol/delegation-wire.md section 4. Pure but for the random CN. */
final class CertificateRequest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private CertificateRequest() {}

    /**
     * A PKCS#10 request, PEM, SHA-256. Subject: the end-entity's and one more CN, as in the proxy to be; clients use the
     * key alone.
     *
     * @param dn end-entity subject, RFC 2253; empty where it is not known: then one CN alone
     * @throws IllegalArgumentException when the DN does not parse
     */
    static String pem(String dn, KeyPair key) {
        try {
            X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
            if (!dn.isEmpty()) {
                X500Name endEntity =
                        X500Name.getInstance(X500NameUtils.getX500Principal(dn).getEncoded());
                for (var rdn : endEntity.getRDNs()) {
                    subject.addMultiValuedRDN(rdn.getTypesAndValues());
                }
            }
            subject.addRDN(BCStyle.CN, Integer.toString(RANDOM.nextInt(Integer.MAX_VALUE)));
            return pem(subject.build(), key);
        } catch (IOException e) {
            throw new IllegalArgumentException("no subject can be made of the DN " + dn, e);
        }
    }

    /** A PKCS#10 request with an empty subject, as A-REX has it (docs/developer/protocol/arc-rest.md); PEM, SHA-256. */
    static String pem(KeyPair key) {
        return pem(new X500Name(new RDN[0]), key);
    }

    private static String pem(X500Name subject, KeyPair key) {
        try {
            return Pem.block(
                    "CERTIFICATE REQUEST",
                    new JcaPKCS10CertificationRequestBuilder(subject, key.getPublic())
                            .build(new JcaContentSignerBuilder("SHA256withRSA").build(key.getPrivate()))
                            .getEncoded());
        } catch (IOException e) {
            throw new IllegalStateException("a request with a parsed subject can be encoded", e);
        } catch (OperatorCreationException e) {
            throw new IllegalStateException("every Java platform signs with SHA256withRSA", e);
        }
    }
}
