package org.gelato.ce.core.base;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests by SHA-256 (FIPS 180-4). */
public final class Sha256 {
    private Sha256() {}

    /** A digest to which bytes are added piece by piece; for one thread. */
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The 32 bytes of the digest. */
    public static byte[] of(byte[] content) {
        return begin().digest(content);
    }

    /** The 32 bytes of the digest of a text's UTF-8. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The digest of a text's UTF-8 in 64 small hexadecimal digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }
}
