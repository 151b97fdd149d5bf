package org.gelato.ce.ws.push;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.gelato.ce.ws.credential.TrustedFile;

/**
 * The header {@code Gelato-Signature: t=SECONDS,v1=HEX} of a delivery: HMAC-SHA256 by the receiver's secret over SECONDS, a dot and
 * the body. The time is part of it, so that a receiver can refuse a delivery that somebody repeats later.
 */
final class Signature {
    static final String HEADER = "Gelato-Signature";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MIN_SECRET = 16;
    private static final int MAX_SECRET_FILE = 4096;

    private Signature() {}

    /** @throws IOException when the file has no usable secret; its text never contains it */
    static byte[] secret(Path file) throws IOException {
        TrustedFile.check(file);
        if (Files.size(file) > MAX_SECRET_FILE) {
            throw new IOException(file + " is larger than " + MAX_SECRET_FILE + " bytes");
        }
        String line = Files.readString(file, StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        if (line.length() < MIN_SECRET) {
            throw new IOException("the first line of " + file + " has fewer than " + MIN_SECRET + " characters");
        }
        return line.getBytes(StandardCharsets.UTF_8);
    }

    static String of(byte[] secret, long seconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
            return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }
}
