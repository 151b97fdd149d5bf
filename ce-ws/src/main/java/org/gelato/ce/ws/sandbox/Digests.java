package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.ws.web.Refusal;

/**
 * Checksums of requests and responses: {@code Repr-Digest}, {@code Content-Digest} and {@code Want-Repr-Digest} of RFC 9530 and
 * the {@code Digest} of RFC 3230 before them. Only SHA-256 is used; others are left out as both allow.
 *
 * @param whole what the whole file must have; null when absent
 * @param content what this request's body must have; null when absent
 */
record Digests(byte[] whole, byte[] content) {
    private static final Pattern MEMBER =
            Pattern.compile("(?:^|[,\\s])sha-256\\s*=\\s*([^,\\s]*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern PREFERENCE =
            Pattern.compile("(?:^|[,\\s])sha-256\\s*=\\s*([0-9]+)", Pattern.CASE_INSENSITIVE);
    private static final int BYTES = 32;

    /**
     * Reads the headers of an upload.
     *
     * @throws Refusal 400 for a checksum that is none
     */
    static Digests of(HttpServletRequest request) {
        byte[] whole = read(request, "Repr-Digest", true);
        return new Digests(
                whole == null ? read(request, "Digest", false) : whole, read(request, "Content-Digest", true));
    }

    /** Whether the client requests the checksum of what it gets. */
    static boolean wanted(HttpServletRequest request) {
        String header = request.getHeader("Want-Repr-Digest");
        Matcher m = PREFERENCE.matcher(header == null ? "" : header);
        return m.find() && !m.group(1).matches("0+");
    }

    /** The header's value for a checksum. */
    static String header(byte[] sha256) {
        return "sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
    }

    private static byte[] read(HttpServletRequest request, String name, boolean colons) {
        String header = request.getHeader(name);
        Matcher m = MEMBER.matcher(header == null ? "" : header);
        if (!m.find()) {
            return null;
        }
        String text = m.group(1);
        boolean framed = text.length() > 2 && text.startsWith(":") && text.endsWith(":");
        try {
            byte[] digest = Base64.getDecoder().decode(framed ? text.substring(1, text.length() - 1) : text);
            if (framed == colons && digest.length == BYTES) {
                return digest;
            }
        } catch (IllegalArgumentException e) {
            // refused below, as a digest of another length is
        }
        throw new Refusal(400, name.toLowerCase(Locale.ROOT) + " holds no sha-256 of " + BYTES + " bytes in base64");
    }
}
