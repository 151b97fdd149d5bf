package org.gelato.ce.testkit.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.PolicyInformation;
import org.bouncycastle.asn1.x509.PolicyQualifierInfo;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;

/**
 * What stands in a certificate beside key and issuer. The forms of people, hosts and authorities are those of the authorities
 * that grids trust (IGTF's certificate profile, OGF GFD.225): policies of the profile and the authority's own with the address of
 * its statement, where its certificate, its CRL and its OCSP responder are, alternative names, key usage and purposes. Nobody
 * answers at these addresses. Not for several threads.
 */
public final class CertificateForm {
    /** The IGTF's profile of classic authorities with secured infrastructure. */
    public static final String CLASSIC = "1.2.840.113612.5.2.2.1";

    /** Any policy (RFC 5280, 4.2.1.4). */
    public static final String ANY_POLICY = "2.5.29.32.0";

    /** A policy of the authority, in the arc for examples of RFC 5612. */
    private static final String OWN_POLICY = "1.3.6.1.4.1.32473.1.1.1";

    private static final String ADDRESS = "http://ca.gelato.test/";

    private X500Name subject;
    private final List<GeneralName> names = new ArrayList<>();
    private List<String> policies = List.of(CLASSIC, OWN_POLICY);
    private boolean criticalPolicies;
    private boolean authority;
    private int usage = KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.dataEncipherment;
    private List<KeyPurposeId> purposes = List.of();
    private ASN1Encodable nameConstraints;
    private String address = ADDRESS;

    private CertificateForm(X500Name subject) {
        this.subject = subject;
    }

    /** @param dn subject in slash form; an attribute's value may hold no slash but those of {@code Robot: x} and addresses */
    public static CertificateForm person(String dn) {
        return new CertificateForm(name(dn))
                .purposes(KeyPurposeId.id_kp_clientAuth, KeyPurposeId.id_kp_emailProtection)
                .name(GeneralName.rfc822Name, "somebody@gelato.test");
    }

    /** @param dn subject in slash form */
    public static CertificateForm host(String dn) {
        return new CertificateForm(name(dn)).purposes(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth);
    }

    /** @param dn subject in slash form */
    public static CertificateForm authority(String dn) {
        CertificateForm form = new CertificateForm(name(dn)).usage(KeyUsage.keyCertSign | KeyUsage.cRLSign);
        form.authority = true;
        return form;
    }

    /** One more common name at the end of the subject, with its ASN.1 type. */
    public CertificateForm commonName(ASN1Encodable value) {
        X500NameBuilder more = new X500NameBuilder(BCStyle.INSTANCE);
        for (RDN part : subject.getRDNs()) {
            more.addMultiValuedRDN(part.getTypesAndValues());
        }
        subject = more.addRDN(BCStyle.CN, value).build();
        return this;
    }

    /** A subject alternative name, by the tags of {@link GeneralName}. */
    public CertificateForm name(int tag, String value) {
        names.add(new GeneralName(tag, value));
        return this;
    }

    /** Other policies, by object identifier; none for no such extension. */
    public CertificateForm policies(String... oids) {
        policies = List.of(oids);
        return this;
    }

    public CertificateForm criticalPolicies() {
        criticalPolicies = true;
        return this;
    }

    /** Other purposes; none for no such extension. */
    public CertificateForm purposes(KeyPurposeId... others) {
        purposes = List.of(others);
        return this;
    }

    /** Other key usage, the bits of {@link KeyUsage}; 0 for no such extension. */
    public CertificateForm usage(int bits) {
        usage = bits;
        return this;
    }

    /** Basic constraints say that it is an authority's. */
    public CertificateForm markedAsAuthority() {
        authority = true;
        return this;
    }

    /** Only subjects below a name, in slash form, may be in certificates below this one. */
    public CertificateForm namesBelow(String dn) {
        nameConstraints =
                new NameConstraints(new GeneralSubtree[] {new GeneralSubtree(new GeneralName(name(dn)))}, null);
        return this;
    }

    /** Another place of the authority's certificate, CRL and OCSP responder; a URL with a slash at its end. */
    public CertificateForm servedAt(String url) {
        address = url;
        return this;
    }

    X500Name subject() {
        return subject;
    }

    void writeTo(X509v3CertificateBuilder b, boolean root) throws CertIOException {
        b.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        if (usage != 0) {
            b.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
        }
        if (!purposes.isEmpty()) {
            b.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes.toArray(new KeyPurposeId[0])));
        }
        if (!names.isEmpty()) {
            b.addExtension(
                    Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(new GeneralName[0])));
        }
        if (nameConstraints != null) {
            b.addExtension(Extension.nameConstraints, true, nameConstraints);
        }
        if (!policies.isEmpty()) {
            b.addExtension(Extension.certificatePolicies, criticalPolicies, policies());
        }
        if (!root) {
            b.addExtension(Extension.cRLDistributionPoints, false, revocationLists());
            b.addExtension(
                    Extension.authorityInfoAccess, false, new AuthorityInformationAccess(new AccessDescription[] {
                        new AccessDescription(AccessDescription.id_ad_caIssuers, address("ca.crt")),
                        new AccessDescription(AccessDescription.id_ad_ocsp, address("ocsp"))
                    }));
        }
    }

    private DERSequence policies() {
        return new DERSequence(policies.stream()
                .map(oid -> new PolicyInformation(
                        new ASN1ObjectIdentifier(oid),
                        oid.equals(OWN_POLICY) ? new DERSequence(new PolicyQualifierInfo(address + "policy")) : null))
                .toArray(ASN1Encodable[]::new));
    }

    private CRLDistPoint revocationLists() {
        return new CRLDistPoint(new DistributionPoint[] {
            new DistributionPoint(new DistributionPointName(new GeneralNames(address("ca.crl"))), null, null)
        });
    }

    private GeneralName address(String path) {
        return new GeneralName(GeneralName.uniformResourceIdentifier, address + path);
    }

    /** A key pair on a named curve, for instance {@code secp256r1}. */
    public static KeyPair curve(String name) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(name));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An RSA key pair. */
    public static KeyPair rsa(int bits) {
        return CertificateAuthority.newKeys(bits);
    }

    /** A name in slash form; a new part begins where a slash is followed by the name of an attribute. */
    private static X500Name name(String dn) {
        X500NameBuilder b = new X500NameBuilder(BCStyle.INSTANCE);
        for (String part : dn.substring(1).split("/(?=[A-Za-z]+=)")) {
            int equals = part.indexOf('=');
            b.addRDN(BCStyle.INSTANCE.attrNameToOID(part.substring(0, equals)), part.substring(equals + 1));
        }
        return b.build();
    }
}
