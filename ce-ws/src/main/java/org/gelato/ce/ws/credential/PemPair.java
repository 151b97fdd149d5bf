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
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * A certificate chain and its key from PEM texts in any form that openssl writes: PKCS#8 or traditional, with the parameters of a curve before
 * the key, with the attributes of an export, with text around. What else a file holds is left out. Messages say what is wrong with a text, without
 * its name.
 *
 * @param chain the host's certificate first
 */
public record PemPair(List<X509Certificate> chain, PrivateKey key) {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \\1-----", Pattern.DOTALL);
    private static final String ALIAS = "host";
    private static final byte[] PROBE = {1, 2, 3};

    public PemPair {
        chain = List.copyOf(chain);
    }

    /**
     * Reads a pair.
     *
     * @throws IOException when one of the texts cannot be used, or the key is not that of the first certificate
     */
    public static PemPair read(byte[] certificates, byte[] key) throws IOException {
        PemPair pair = new PemPair(certificates(certificates), key(key));
        if (!pair.matches()) {
            throw new IOException("the key is not that of the first certificate");
        }
        return pair;
    }

    /**
     * All certificates of a text, in their order.
     *
     * @throws IOException when there is none, or one cannot be read
     */
    public static List<X509Certificate> certificates(byte[] pem) throws IOException {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (String block : blocks(pem, "CERTIFICATE")) {
                chain.add((X509Certificate) factory.generateCertificate(
                        new ByteArrayInputStream(block.getBytes(StandardCharsets.ISO_8859_1))));
            }
        } catch (CertificateException e) {
            throw new IOException("a certificate cannot be read: " + e.getMessage(), e);
        }
        if (chain.isEmpty()) {
            throw new IOException("no certificate in PEM form is there");
        }
        return chain;
    }

    /**
     * The first private key of a text.
     *
     * @throws IOException when there is none, it has a password, or it is of another kind than RSA and elliptic curves
     */
    public static PrivateKey key(byte[] pem) throws IOException {
        for (String block : blocks(pem, "PRIVATE KEY")) {
            try (PEMParser parser = new PEMParser(new StringReader(block))) {
                Object key = parser.readObject();
                PrivateKeyInfo info = key instanceof PEMKeyPair pair ? pair.getPrivateKeyInfo() : null;
                info = key instanceof PrivateKeyInfo pkcs8 ? pkcs8 : info;
                if (info == null) {
                    throw new IOException("the private key has a password, or is of no kind known here");
                }
                // By its own name for them the library makes keys that fit no certificate of Java's.
                return new JcaPEMKeyConverter()
                        .setAlgorithmMapping(X9ObjectIdentifiers.id_ecPublicKey, "EC")
                        .getPrivateKey(info);
            } catch (RuntimeException e) {
                throw new IOException("the private key cannot be read: " + e.getMessage(), e);
            }
        }
        throw new IOException("no private key in PEM form is there");
    }

    private static List<String> blocks(byte[] pem, String ending) {
        return BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1))
                .results()
                .filter(block -> block.group(1).endsWith(ending))
                .map(block -> block.group() + "\n")
                .toList();
    }

    /** Whether what the key signs is what the certificate's key verifies. */
    public boolean matches() {
        String own = key.getAlgorithm();
        if (!own.equals(chain.get(0).getPublicKey().getAlgorithm())) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(own.equals("EC") ? "SHA256withECDSA" : "SHA256with" + own);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(chain.get(0).getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** A store in memory that holds the pair alone. */
    KeyStore keyStore(char[] password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry(ALIAS, key, password, chain.toArray(new X509Certificate[0]));
        return store;
    }
}
