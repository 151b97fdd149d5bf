package org.gelato.ce.it.compatibility;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.gelato.ce.testkit.pki.GridCredential;

/** Answers a certificate request with a chain no honest client would make. */
final class ForgedChain {
    private static final String PROXY_CERT_INFO = "1.3.6.1.5.5.7.1.14";
    private static final String INHERIT_ALL = "1.3.6.1.5.5.7.21.1";

    private final GridCredential signer;
    private final String request;
    private Instant begin = Instant.now().minus(Duration.ofMinutes(5));
    private boolean plain;

    ForgedChain(GridCredential signer, String request) {
        this.signer = signer;
        this.request = request;
    }

    /** Valid from then on, for a day. */
    ForgedChain begin(Instant time) {
        begin = time;
        return this;
    }

    /** Without the extension that makes a certificate a proxy. */
    ForgedChain plain() {
        plain = true;
        return this;
    }

    /** PEM: the new certificate, then the signer's chain. */
    String pem() {
        try (PEMParser parser = new PEMParser(new StringReader(request))) {
            SubjectPublicKeyInfo key = ((PKCS10CertificationRequest) parser.readObject()).getSubjectPublicKeyInfo();
            StringWriter text = new StringWriter();
            try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
                writer.writeObject(certificate(key));
            }
            return text + signer.chainPem();
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509Certificate certificate(SubjectPublicKeyInfo key)
            throws IOException, GeneralSecurityException, OperatorCreationException {
        BigInteger serial = BigInteger.valueOf(System.nanoTime());
        X500Name parent = X500Name.getInstance(
                signer.certificate().getSubjectX500Principal().getEncoded());
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        for (var rdn : parent.getRDNs()) {
            subject.addMultiValuedRDN(rdn.getTypesAndValues());
        }
        subject.addRDN(BCStyle.CN, serial.toString());
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                parent, serial, Date.from(begin), Date.from(begin.plus(Duration.ofHours(2))), subject.build(), key);
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        if (!plain) {
            ASN1EncodableVector info = new ASN1EncodableVector();
            info.add(new DERSequence(new ASN1ObjectIdentifier(INHERIT_ALL)));
            builder.addExtension(new ASN1ObjectIdentifier(PROXY_CERT_INFO), true, new DERSequence(info));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(signer.key())));
    }
}
