package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The parts of a signed token; RFC 7515 section 3.1. There is one text for each token: no padding, no spare bits.
 *
 * @param header a JSON object
 * @param claims a JSON object
 * @param signed the bytes that are signed
 * @param signature not empty
 */
record CompactForm(JsonNode header, JsonNode claims, byte[] signed, byte[] signature) {
    /** No token of a grid has half of it. */
    static final int MAX_LENGTH = 16 * 1024;

    private static final int PARTS = 3;
    private static final int PARTS_ENCRYPTED = 5;

    static CompactForm parse(String compact) throws TokenRefusal {
        if (compact.length() > MAX_LENGTH) {
            throw TokenRefusal.invalid("token", "is longer than " + MAX_LENGTH + " characters");
        }
        String[] parts = compact.split("\\.", -1);
        if (parts.length == PARTS_ENCRYPTED) {
            throw TokenRefusal.invalid("token", "is encrypted; only signed ones are accepted");
        }
        if (parts.length != PARTS) {
            throw TokenRefusal.invalid("token", "is not a signed JWT of three parts");
        }
        byte[] signature = decode("signature", parts[2]);
        if (signature.length == 0) {
            throw TokenRefusal.invalid("signature", "is missing");
        }
        return new CompactForm(
                json("header", parts[0]),
                json("payload", parts[1]),
                compact.substring(0, compact.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII),
                signature);
    }

    private static JsonNode json(String name, String part) throws TokenRefusal {
        try {
            return StrictJson.object(decode(name, part));
        } catch (IllegalArgumentException e) {
            throw TokenRefusal.invalid(name, e.getMessage());
        }
    }

    private static byte[] decode(String name, String part) throws TokenRefusal {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(part);
        } catch (IllegalArgumentException e) {
            throw TokenRefusal.invalid(name, "is not base64url");
        }
        // The decoder takes padding and ignores spare bits.
        if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) {
            throw TokenRefusal.invalid(name, "is not base64url in its only form: no padding, no spare bits");
        }
        return bytes;
    }
}
