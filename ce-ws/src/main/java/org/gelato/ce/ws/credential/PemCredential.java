package org.gelato.ce.ws.credential;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * A certificate with the CAs above it and its key, from PEM texts in any form that openssl writes: PKCS#8 or traditional, with the parameters
 * of a curve before the key, with the attributes of an export, with text around, certificates in any order. What else a text holds is left
 * out. Messages say what is wrong with a text, without its name. Immutable; its key is secret.
 */
public final class PemCredential {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \\1-----", Pattern.DOTALL);
    private static final String KEY = "PRIVATE KEY";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});
    private static final String ALIAS = "host";
    private static final byte[] PROBE = {1, 2, 3};

    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final String chainPem;
    private final String keyPem;

    private PemCredential(List<X509Certificate> chain, PrivateKey key, String keyPem) throws CertificateException {
        this.chain = List.copyOf(chain);
        this.key = key;
        this.chainPem = pem(chain);
        this.keyPem = keyPem;
    }

    /**
     * Reads a certificate and its key.
     *
     * @throws IOException when one of the texts cannot be used, or the key belongs to none of the certificates
     */
    public static PemCredential read(byte[] certificates, byte[] key) throws IOException {
        List<X509Certificate> all = certificates(certificates);
        PrivateKey secret = key(key);
        try {
            for (X509Certificate one : all) {
                if (match(secret, one)) {
                    return new PemCredential(
                            chain(one, all), secret, blocks(key, KEY).get(0));
                }
            }
        } catch (CertificateException e) {
            throw new IOException("a certificate cannot be encoded: " + e.getMessage(), e);
        }
        throw new IOException("the key belongs to none of the certificates");
    }

    /** From a certificate upwards, as far as the issuers are there. */
    private static List<X509Certificate> chain(X509Certificate leaf, List<X509Certificate> all) {
        List<X509Certificate> chain = new ArrayList<>(List.of(leaf));
        Optional<X509Certificate> next = Optional.of(leaf);
        while (next.isPresent()) {
            X509Certificate last = next.get();
            next = all.stream()
                    .filter(one -> !chain.contains(one) && isSignedBy(last, one))
                    .findFirst();
            next.ifPresent(chain::add);
        }
        return chain;
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate issuer) {
        if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
            return false;
        }
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The certificate of the key first, then the CAs above it that were there. */
    public List<X509Certificate> chain() {
        return chain;
    }

    /** The chain as PEM, without anything else. */
    String chainPem() {
        return chainPem;
    }

    /** The key as PEM in the form that it had, without anything else. Secret. */
    String keyPem() {
        return keyPem;
    }

    private static String pem(List<X509Certificate> chain) throws CertificateException {
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : chain) {
            pem.append("-----BEGIN CERTIFICATE-----\n")
                    .append(LINES.encodeToString(certificate.getEncoded()))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        return pem.toString();
    }

    /** A store in memory that holds the credential alone. */
    KeyStore keyStore(char[] password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry(ALIAS, key, password, chain.toArray(new X509Certificate[0]));
        return store;
    }

    /**
     * All certificates of a text, in their order.
     *
     * @throws IOException when there is none, or one cannot be read
     */
    public static List<X509Certificate> certificates(byte[] pem) throws IOException {
        List<X509Certificate> all = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (String block : blocks(pem, "CERTIFICATE")) {
                all.add((X509Certificate) factory.generateCertificate(
                        new ByteArrayInputStream(block.getBytes(StandardCharsets.ISO_8859_1))));
            }
        } catch (CertificateException e) {
            throw new IOException("a certificate cannot be read: " + e.getMessage(), e);
        }
        if (all.isEmpty()) {
            throw new IOException("no certificate in PEM form is there");
        }
        return all;
    }

    /** Whether a text holds a private key, in whatever form. */
    public static boolean holdsKey(byte[] pem) {
        return !blocks(pem, KEY).isEmpty();
    }

    /**
     * The first private key of a text.
     *
     * @throws IOException when there is none, it has a password, or it is of another kind than RSA and elliptic curves
     */
    public static PrivateKey key(byte[] pem) throws IOException {
        List<String> blocks = blocks(pem, KEY);
        if (blocks.isEmpty()) {
            throw new IOException("no private key in PEM form is there");
        }
        PrivateKey key;
        try (PEMParser parser = new PEMParser(new StringReader(blocks.get(0)))) {
            Object read = parser.readObject();
            PrivateKeyInfo info = read instanceof PEMKeyPair pair ? pair.getPrivateKeyInfo() : null;
            info = read instanceof PrivateKeyInfo pkcs8 ? pkcs8 : info;
            if (info == null) {
                throw new IOException("the private key has a password, or is of no kind known here");
            }
            // By its own name for them the library makes keys that fit no certificate of Java's.
            key = new JcaPEMKeyConverter()
                    .setAlgorithmMapping(X9ObjectIdentifiers.id_ecPublicKey, "EC")
                    .getPrivateKey(info);
        } catch (RuntimeException e) {
            throw new IOException("the private key cannot be read: " + e.getMessage(), e);
        }
        if (!key.getAlgorithm().equals("RSA") && !key.getAlgorithm().equals("EC")) {
            throw new IOException("the private key is of the kind " + key.getAlgorithm()
                    + ": one of RSA or of an elliptic curve is needed");
        }
        return key;
    }

    private static List<String> blocks(byte[] pem, String ending) {
        return BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1))
                .results()
                .filter(block -> block.group(1).endsWith(ending))
                .map(block -> block.group() + "\n")
                .toList();
    }

    /** Whether what the key signs is what the certificate's key verifies. */
    private static boolean match(PrivateKey key, X509Certificate certificate) {
        String kind = key.getAlgorithm();
        if (!kind.equals(certificate.getPublicKey().getAlgorithm())) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(kind.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
