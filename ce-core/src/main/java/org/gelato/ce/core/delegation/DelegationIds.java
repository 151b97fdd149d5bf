package org.gelato.ce.core.delegation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;

/** Delegation ids: what a client may send, what stands for none, and the file name made of one. Pure. */
final class DelegationIds {
    /** Code points, as the column counts them. */
    static final int MAX_LENGTH = 255;

    private static final int MAX_NAME = 200;
    private static final int RANDOM_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private DelegationIds() {}

    /**
     * The id a call means (docs/developer/protocol/delegation-wire.md sections 1 and 3).
     *
     * @param given the client's text; null or blank means the hash of DN and FQANs
     * @throws DelegationRefused when the text can't be an id
     */
    static String resolve(Identity identity, String given) {
        return given == null || given.isBlank() ? ofIdentity(identity) : given(given);
    }

    /** The same for a text that is not blank, of a caller with any credential. */
    static String given(String given) {
        String id = given.strip();
        int length = id.codePointCount(0, id.length());
        if (length > MAX_LENGTH) {
            throw new DelegationRefused(
                    "delegation id too long: " + length + " characters, at most " + MAX_LENGTH + " are accepted");
        }
        id.codePoints().filter(DelegationIds::unfit).findFirst().ifPresent(c -> {
            throw new DelegationRefused(
                    "delegation id holds the control character U+%04X, which is not accepted".formatted(c));
        });
        return id;
    }

    /** Whether a text could be the id of a stored delegation. */
    static boolean acceptable(String id) {
        return !id.isEmpty()
                && id.codePointCount(0, id.length()) <= MAX_LENGTH
                && id.codePoints().noneMatch(DelegationIds::unfit);
    }

    /** SHA-1, hex, of the normalised DN and all FQANs, or of a token's subject and group. */
    static String ofIdentity(Identity identity) {
        String attributes = identity instanceof GridIdentity x509 ? String.join("", x509.fqans()) : identity.group();
        return hex("SHA-1", normalised(identity.subject()) + attributes);
    }

    /** An id the server makes, which nobody guesses. */
    static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Every character outside {@code [A-Za-z0-9_]} as {@code _}. */
    static String normalised(String text) {
        return text.replaceAll("[^A-Za-z0-9_]", "_");
    }

    /**
     * Name of the proxy file. Different ids of one owner get different names, though normalising may make them equal;
     * the name fits any file system, though the id may be longer.
     *
     * @param suffix 14 digits of this database
     */
    static String fileName(String id, String suffix) {
        String name = normalised(id);
        if (name.equals(id) && name.length() <= MAX_NAME) {
            return name + "_" + suffix;
        }
        String shortened = name.substring(0, Math.min(name.length(), MAX_NAME));
        return shortened + "_" + Sha256.hex(id).substring(0, 12) + "_" + suffix;
    }

    private static boolean unfit(int c) {
        return Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
    }

    private static String hex(String algorithm, String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
