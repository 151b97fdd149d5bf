package org.gelato.ce.cli.credential;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Certificates and keys as PEM text. */
final class PemChain {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \\1-----", Pattern.DOTALL);

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private PemChain() {}

    /** All certificates of a file that may also hold a key, in their order. Java reads them: a short command needs no library for that. */
    static X509Certificate[] certificates(byte[] pem) throws IOException {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (String block : blocks(pem, "CERTIFICATE")) {
                chain.add((X509Certificate) factory.generateCertificate(stream(block)));
            }
        } catch (CertificateException e) {
            throw new IOException("a certificate in it can't be read: " + e.getMessage(), e);
        }
        if (chain.isEmpty()) {
            throw new IOException("it holds no certificate");
        }
        return chain.toArray(new X509Certificate[0]);
    }

    /** The first key of a file that may also hold certificates: of RSA, or of an elliptic curve. */
    static PrivateKey key(byte[] pem) throws IOException {
        List<String> blocks = blocks(pem, "PRIVATE KEY");
        if (blocks.isEmpty()) {
            throw new IOException("it holds no private key");
        }
        try (PEMParser parser = new PEMParser(new StringReader(blocks.get(0)))) {
            Object read = parser.readObject();
            PrivateKeyInfo info = read instanceof PEMKeyPair pair ? pair.getPrivateKeyInfo() : null;
            info = read instanceof PrivateKeyInfo pkcs8 ? pkcs8 : info;
            if (info == null) {
                throw new IOException("its key has a password, or is of no kind known here");
            }
            // By its own name for them the library makes keys that fit no certificate of Java's.
            PrivateKey key = new JcaPEMKeyConverter()
                    .setAlgorithmMapping(X9ObjectIdentifiers.id_ecPublicKey, "EC")
                    .getPrivateKey(info);
            if (!key.getAlgorithm().equals("RSA") && !key.getAlgorithm().equals("EC")) {
                throw new IOException("its key is of the kind " + key.getAlgorithm()
                        + ": one of RSA or of an elliptic curve is needed");
            }
            return key;
        }
    }

    private static List<String> blocks(byte[] pem, String ending) {
        return BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1))
                .results()
                .filter(block -> block.group(1).endsWith(ending))
                .map(block -> block.group() + "\n")
                .toList();
    }

    private static InputStream stream(String block) {
        return new ByteArrayInputStream(block.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The chain as text, first certificate first. */
    static String text(List<X509Certificate> chain) throws CertificateEncodingException {
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : chain) {
            pem.append("-----BEGIN CERTIFICATE-----\n")
                    .append(LINES.encodeToString(certificate.getEncoded()))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        return pem.toString();
    }
}
