package org.gelato.ce.ws.token;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.gelato.ce.core.delegation.DelegatedToken;

/**
 * A token that is handed on to other services, which verify it: its form is checked, its signature is not, for its issuer need not
 * be one that this CE knows. Nothing it claims is proved. Stateless.
 */
public final class UnverifiedToken {
    private static final String SCHEME = "Bearer ";

    private UnverifiedToken() {}

    /**
     * Reads the value of a header.
     *
     * @param value a compact JWT, of at most 16 KiB, with or without {@code Bearer} before it
     * @throws TokenRefusal when it is no signed JWT or has no valid {@code exp}
     */
    public static DelegatedToken of(String value) throws TokenRefusal {
        String text = value.strip();
        if (text.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            text = text.substring(SCHEME.length()).strip();
        }
        ClaimReader claims = new ClaimReader(CompactForm.parse(text).claims());
        return new DelegatedToken(text, claims.required("exp", claims.time("exp")));
    }

    /** The claims, JSON, of {@code header.payload} or a whole token. */
    public static String claims(String compact) {
        return new String(Base64.getUrlDecoder().decode(compact.split("\\.")[1]), StandardCharsets.UTF_8);
    }
}
