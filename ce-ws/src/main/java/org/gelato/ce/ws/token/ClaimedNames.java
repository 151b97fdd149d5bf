package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;

/**
 * Whose token one says it is, verified or not: for logs. Each text is printable ASCII of at most 255 characters.
 *
 * @param issuer null when the token has none, or none that can be read
 * @param subject likewise
 * @param jti likewise
 * @param fingerprint SHA-256 of the token in hex; null when there is no token
 */
public record ClaimedNames(String issuer, String subject, String jti, String fingerprint) {
    static final ClaimedNames NONE = new ClaimedNames(null, null, null, null);

    private static final int MAX = 255;

    static ClaimedNames of(JsonNode claims, String fingerprint) {
        return new ClaimedNames(text(claims, "iss"), text(claims, "sub"), text(claims, "jti"), fingerprint);
    }

    /** {@code iss=ISSUER sub=SUBJECT jti=NUMBER}, without what is not there; empty when nothing is. */
    public String text() {
        StringJoiner text = new StringJoiner(" ");
        add(text, "iss", issuer);
        add(text, "sub", subject);
        add(text, "jti", jti);
        return text.toString();
    }

    private static void add(StringJoiner text, String name, String value) {
        if (value != null) {
            text.add(name + "=" + value);
        }
    }

    private static String text(JsonNode claims, String name) {
        JsonNode value = claims.get(name);
        if (value == null || !value.isTextual()) {
            return null;
        }
        String text = value.textValue();
        return (text.length() <= MAX ? text : text.substring(0, MAX)).replaceAll("[^ -~]", "?");
    }
}
