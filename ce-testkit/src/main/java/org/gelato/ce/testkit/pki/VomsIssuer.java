package org.gelato.ce.testkit.pki;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.AttributeCertificateHolder;
import org.bouncycastle.cert.AttributeCertificateIssuer;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2AttributeCertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.italiangrid.voms.asn1.VOMSConstants;

/**
 * Signs VOMS attribute certificates, as a VOMS server does, without being one. They are those of the server written in C++,
 * which its library reads, and not those of voms-api-java's generator, which only itself reads: it leaves out the tag of
 * {@code policyAuthority} (RFC 5755, 4.4).
 *
 * @param credential of the issuing host
 * @param vo the one VO it says it speaks for
 * @param host name in the attribute certificate; the {@code .lsc} file is named after it
 */
public record VomsIssuer(GridCredential credential, String vo, String host) {
    private static final int PORT = 15000;

    /** How the holder is named. */
    enum Holder {
        /** By the subject of its certificate, and the serial number: what VOMS servers do by default. */
        BY_SUBJECT,
        /** By issuer and serial number of its certificate, as RFC 5755 says: VOMS's option {@code newformat}. */
        BY_ISSUER
    }

    AttributeCertificate sign(
            X509Certificate holder, Holder form, List<String> fqans, Instant notBefore, Instant notAfter) {
        return sign(holder, form, fqans, notBefore, notAfter, false);
    }

    /** @param targets for some hosts only, as voms-proxy-fake and VOMS's library write it: the list of hosts is empty */
    AttributeCertificate sign(
            X509Certificate holder,
            Holder form,
            List<String> fqans,
            Instant notBefore,
            Instant notAfter,
            boolean targets) {
        X509Certificate own = credential.certificate();
        X500Principal named =
                form == Holder.BY_SUBJECT ? holder.getSubjectX500Principal() : holder.getIssuerX500Principal();
        X509v2AttributeCertificateBuilder b = new X509v2AttributeCertificateBuilder(
                new AttributeCertificateHolder(name(named), holder.getSerialNumber()),
                new AttributeCertificateIssuer(name(own.getSubjectX500Principal())),
                CertificateAuthority.newSerial(),
                Date.from(notBefore),
                Date.from(notAfter));
        b.addAttribute(VOMSConstants.VOMS_FQANS_OID, attributes(fqans));
        try {
            JcaX509CertificateHolder certificate = new JcaX509CertificateHolder(own);
            // A sequence of chains, and a chain is a sequence.
            b.addExtension(
                    VOMSConstants.VOMS_CERTS_OID,
                    false,
                    new DERSequence(new DERSequence(certificate.toASN1Structure())));
            if (targets) {
                b.addExtension(Extension.targetInformation, true, new DERSequence(new DERSequence()));
            }
            b.addExtension(Extension.noRevAvail, false, DERNull.INSTANCE);
            SubjectKeyIdentifier key = SubjectKeyIdentifier.fromExtensions(certificate.getExtensions());
            b.addExtension(Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(key.getKeyIdentifier()));
            String signature = credential.key().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
            return b.build(new JcaContentSignerBuilder(signature).build(credential.key()))
                    .toASN1Structure();
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    private ASN1Encodable attributes(List<String> fqans) {
        GeneralName authority = new GeneralName(GeneralName.uniformResourceIdentifier, vo + "://" + host + ":" + PORT);
        ASN1Encodable[] values = fqans.stream()
                .map(f -> new DEROctetString(f.getBytes(StandardCharsets.UTF_8)))
                .toArray(ASN1Encodable[]::new);
        return new DERSequence(
                new ASN1Encodable[] {new DERTaggedObject(false, 0, new GeneralNames(authority)), new DERSequence(values)
                });
    }

    private static X500Name name(X500Principal principal) {
        return X500Name.getInstance(principal.getEncoded());
    }

    /** Makes this issuer known: {@code <vomsdir>/<vo>/<host>.lsc} with its subject and its authority's. */
    void writeLsc(Path vomsdir) {
        X509Certificate own = credential.certificate();
        String text = PlainName.slash(own.getSubjectX500Principal()) + "\n"
                + PlainName.slash(own.getIssuerX500Principal()) + "\n";
        PemFile.writePublic(vomsdir.resolve(vo).resolve(host + ".lsc"), text);
    }
}
