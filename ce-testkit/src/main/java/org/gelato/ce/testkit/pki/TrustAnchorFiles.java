package org.gelato.ce.testkit.pki;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * An authority's files in a directory of trust anchors: certificate, CRL and signing policy, each under the
 * hash of OpenSSL 1.0 and later and under the hash of older ones.
 */
final class TrustAnchorFiles {
    private final Path directory;
    private final X509Certificate authority;

    TrustAnchorFiles(Path directory, X509Certificate authority) {
        this.directory = directory;
        this.authority = authority;
    }

    /** @param namespace what the authority may sign: a subject in slash form, {@code *} at its end for any text; null for no policy */
    void writeAnchor(String namespace) {
        String slash = PlainName.slash(authority.getSubjectX500Principal());
        String policy = """
                access_id_CA      X509    '%s'
                pos_rights        globus  CA:sign
                cond_subjects     globus  '"%s"'
                """.formatted(slash, namespace);
        for (String hash : hashes()) {
            PemFile.writePublic(directory.resolve(hash + ".0"), PemFile.encode(List.of(authority)));
            if (namespace != null) {
                PemFile.writePublic(directory.resolve(hash + ".signing_policy"), policy);
            }
        }
    }

    /** Its certificate alone. */
    void removeAnchor() {
        try {
            for (String hash : hashes()) {
                Files.deleteIfExists(directory.resolve(hash + ".0"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void writeRevocationList(X509CRL crl) {
        for (String hash : hashes()) {
            PemFile.writePublic(directory.resolve(hash + ".r0"), PemFile.encode(List.of(crl)));
        }
    }

    Path revocationList() {
        return directory.resolve(hashes().get(0) + ".r0");
    }

    private List<String> hashes() {
        X500Principal subject = authority.getSubjectX500Principal();
        return List.of(
                OpensslTruststoreHelper.getOpenSSLCAHash(subject, true),
                OpensslTruststoreHelper.getOpenSSLCAHash(subject, false));
    }
}
