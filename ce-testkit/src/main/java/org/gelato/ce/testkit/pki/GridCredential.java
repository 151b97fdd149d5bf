package org.gelato.ce.testkit.pki;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * A private key with its certificate chain, own certificate first, without the CA.
 *
 * @param key never shown
 * @param chain at least one certificate
 */
public record GridCredential(PrivateKey key, List<X509Certificate> chain) {
    public GridCredential {
        chain = List.copyOf(chain);
    }

    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** Subject of the first certificate, RFC 2253. */
    public String subject() {
        return PlainName.rfc2253(certificate().getSubjectX500Principal());
    }

    /** As the libraries for proxies and TLS want it. */
    public X509Credential x509() {
        try {
            return new KeyAndCertCredential(key, chain.toArray(new X509Certificate[0]));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Certificate, key, rest of the chain: the order all grid tools read. */
    public String pem() {
        List<Object> objects = new ArrayList<>(chain);
        objects.add(1, key);
        return PemFile.encode(objects);
    }

    /** The chain alone, for putProxy and for host certificate files. */
    public String chainPem() {
        return PemFile.encode(chain);
    }

    /** Writes {@link #pem} with mode 0600, whole or not at all. */
    public Path write(Path file) {
        PemFile.writePrivate(file, pem());
        return file;
    }

    /** Reads what {@link #write} wrote, or any PEM file with certificates and an unencrypted key in any order. */
    public static GridCredential read(Path file) {
        return parse(PemFile.read(file));
    }

    static GridCredential parse(String pem) {
        List<X509Certificate> chain = new ArrayList<>();
        PrivateKey key = null;
        try {
            for (Object o : PemFile.decode(pem)) {
                if (o instanceof X509CertificateHolder c) {
                    chain.add(new JcaX509CertificateConverter().getCertificate(c));
                } else if (o instanceof PEMKeyPair pair) {
                    key = new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
                } else if (o instanceof PrivateKeyInfo info) {
                    key = new JcaPEMKeyConverter().getPrivateKey(info);
                }
            }
        } catch (GeneralSecurityException | PEMException e) {
            throw new IllegalArgumentException("unusable key or certificate: " + e.getMessage(), e);
        }
        if (key == null || chain.isEmpty()) {
            throw new IllegalArgumentException("PEM text without " + (key == null ? "private key" : "certificate"));
        }
        return new GridCredential(key, chain);
    }

    @Override
    public String toString() {
        return "GridCredential[" + subject() + "]";
    }
}
