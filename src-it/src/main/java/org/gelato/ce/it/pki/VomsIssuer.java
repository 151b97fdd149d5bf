package org.gelato.ce.it.pki;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.gelato.ce.core.identity.DnForms;
import org.italiangrid.voms.asn1.VOMSACGenerator;

/**
 * Signs VOMS attribute certificates, as a VOMS server does, without being one.
 *
 * @param credential of the issuing host
 * @param vo the one VO it says it speaks for
 * @param host name in the attribute certificate; the {@code .lsc} file is named after it
 */
public record VomsIssuer(GridCredential credential, String vo, String host) {
    private static final int PORT = 15000;

    AttributeCertificate sign(X509Certificate holder, List<String> fqans, Instant notBefore, Instant notAfter) {
        return new VOMSACGenerator(credential.x509())
                .generateVOMSAttributeCertificate(
                        fqans,
                        List.of(),
                        List.of(),
                        holder,
                        CertificateAuthority.newSerial(),
                        Date.from(notBefore),
                        Date.from(notAfter),
                        vo,
                        host,
                        PORT)
                .toASN1Structure();
    }

    /** Makes this issuer known: {@code <vomsdir>/<vo>/<host>.lsc} with its subject and its authority's. */
    void writeLsc(Path vomsdir) {
        X509Certificate own = credential.certificate();
        String text = DnForms.slash(DnForms.rfc2253(own.getSubjectX500Principal())) + "\n"
                + DnForms.slash(DnForms.rfc2253(own.getIssuerX500Principal())) + "\n";
        PemFile.writePublic(vomsdir.resolve(vo).resolve(host + ".lsc"), text);
    }
}
