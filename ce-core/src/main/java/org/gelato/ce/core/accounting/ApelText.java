package org.gelato.ce.core.accounting;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.gelato.ce.core.base.Sha256;

/**
 * Values as APEL takes them (docs/developer/protocol/accounting.md section 1): printable ASCII without {@code %%}, at most as long as its columns.
 * What is none of this would make the receiver drop the whole message. Other bytes become {@code \xHH}, as OpenSSL writes them.
 */
final class ApelText {
    static final int LONGEST = 255;
    private static final int HASH = 8;

    private ApelText() {}

    /** A value for the BLAH log, which has no escape for quotes. */
    static String quoted(String text) {
        return value(text).replace("\"", "\\x22");
    }

    /** A value of a message; null for null and empty. */
    static String value(String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        StringBuilder out = new StringBuilder(text.length());
        byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            boolean percent = b == '%' && i > 0 && bytes[i - 1] == '%';
            if (b < ' ' || b > '~' || percent) {
                out.append("\\x").append(HexFormat.of().withUpperCase().toHexDigits((byte) b));
            } else {
                out.append((char) b);
            }
        }
        return out.length() <= LONGEST ? out.toString() : cut(out.toString());
    }

    /** Different long texts stay different. */
    private static String cut(String text) {
        byte[] hash = Sha256.of(text.getBytes(StandardCharsets.US_ASCII));
        String end = "#" + HexFormat.of().formatHex(hash).substring(0, HASH);
        return text.substring(0, LONGEST - end.length()) + end;
    }
}
