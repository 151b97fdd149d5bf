package org.gelato.ce.cli.credential;

import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.impl.CertificateUtils.Encoding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as PEM text. */
final class PemChain {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN (?<type>[A-Z0-9 ]+)-----[^-]+-----END \\k<type>-----", Pattern.DOTALL);

    private PemChain() {}

    /** All certificates of a file that may also hold a key, in their order. */
    static X509Certificate[] certificates(byte[] pem) throws IOException {
        StringBuilder certificates = new StringBuilder();
        Matcher m = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
        while (m.find()) {
            if (m.group("type").equals("CERTIFICATE")) {
                certificates.append(m.group()).append('\n');
            }
        }
        if (certificates.length() == 0) {
            throw new IOException("it holds no certificate");
        }
        return CertificateUtils.loadCertificateChain(
                new ByteArrayInputStream(certificates.toString().getBytes(StandardCharsets.ISO_8859_1)), Encoding.PEM);
    }

    /** The unencrypted key of a file that may also hold certificates. */
    static PrivateKey key(InputStream pem) throws IOException {
        Matcher m = BLOCK.matcher(new String(pem.readAllBytes(), StandardCharsets.ISO_8859_1));
        while (m.find()) {
            if (m.group("type").endsWith("PRIVATE KEY")) {
                byte[] block = (m.group() + "\n").getBytes(StandardCharsets.ISO_8859_1);
                return CertificateUtils.loadPrivateKey(new ByteArrayInputStream(block), Encoding.PEM, null);
            }
        }
        throw new IOException("it holds no private key");
    }

    /** The chain as text, first certificate first. */
    static String text(X509Certificate[] chain) throws IOException {
        ByteArrayOutputStream pem = new ByteArrayOutputStream();
        for (X509Certificate certificate : chain) {
            CertificateUtils.saveCertificate(pem, certificate, Encoding.PEM);
        }
        return pem.toString(StandardCharsets.US_ASCII);
    }
}
