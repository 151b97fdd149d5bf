package org.gelato.ce.testkit.token;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A token in the making; whatever is set here goes into it, right or wrong. For one thread. */
public final class TokenBuilder {
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    private final TokenKey key;
    private final Map<String, Object> header = new LinkedHashMap<>();
    private final Map<String, Object> claims = new LinkedHashMap<>();
    private String rawHeader;
    private String rawClaims;
    private UnaryOperator<byte[]> signing;

    TokenBuilder(TokenKey key) {
        this.key = key;
        this.signing = key::sign;
        header("alg", key.algorithm()).header("kid", key.id()).header("typ", "JWT");
    }

    /** Sets a member of the header; null removes it. */
    public TokenBuilder header(String name, Object value) {
        return set(header, name, value);
    }

    /** Sets a claim: text, number, boolean, map, collection, or {@link #raw}; null removes it. */
    public TokenBuilder claim(String name, Object value) {
        return set(claims, name, value);
    }

    private TokenBuilder set(Map<String, Object> object, String name, Object value) {
        if (value == null) {
            object.remove(name);
        } else {
            object.put(name, value);
        }
        return this;
    }

    /** A value that is written as it is. */
    public static Object raw(String json) {
        return new Object() {
            @Override
            public String toString() {
                return json;
            }
        };
    }

    /** Takes this text, of characters up to U+00FF for bytes, in place of the header. */
    public TokenBuilder rawHeader(String text) {
        rawHeader = text;
        return this;
    }

    /** Likewise for the claims. */
    public TokenBuilder rawClaims(String text) {
        rawClaims = text;
        return this;
    }

    /** Signs in another way. */
    public TokenBuilder signedBy(UnaryOperator<byte[]> other) {
        signing = other;
        return this;
    }

    public String sign() {
        String signed = part(rawHeader, header) + "." + part(rawClaims, claims);
        return signed + "." + BASE64URL.encodeToString(signing.apply(signed.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String part(String raw, Map<String, Object> object) {
        return BASE64URL.encodeToString(
                raw == null
                        ? JsonText.of(object).getBytes(StandardCharsets.UTF_8)
                        : raw.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The key that signs unless {@link #signedBy} says otherwise. */
    public TokenKey key() {
        return key;
    }
}
