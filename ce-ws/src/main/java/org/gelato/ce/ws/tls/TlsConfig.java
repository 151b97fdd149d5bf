package org.gelato.ce.ws.tls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * The TLS side of the CE's port.
 *
 * @param hostCertificate PEM: host certificate, then intermediate CAs if there are any
 * @param hostKey PEM, RSA or EC, not encrypted
 * @param trust the CE's trust anchors
 */
public record TlsConfig(Path hostCertificate, Path hostKey, TrustConfig trust) {
    /** @throws IllegalArgumentException naming the key and the value when a file can't be read */
    public TlsConfig {
        readableFile("gelato.tls.host-certificate", hostCertificate);
        readableFile("gelato.tls.host-key", hostKey);
    }

    /**
     * Reads the keys {@code host-certificate} and {@code host-key}, and those of {@link TrustConfig#parse}.
     *
     * @param values text of a key, null when it is not set
     */
    public static TlsConfig parse(Function<String, String> values) {
        return new TlsConfig(
                TrustConfig.path(values, "host-certificate", "/etc/grid-security/hostcert.pem"),
                TrustConfig.path(values, "host-key", "/etc/grid-security/hostkey.pem"),
                TrustConfig.parse(values));
    }

    private static void readableFile(String key, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException(key + ": " + file + " is not a readable file");
        }
    }
}
