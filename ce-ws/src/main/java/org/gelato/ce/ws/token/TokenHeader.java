package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the header of a token says about its signature. Keys in it, or places of keys ({@code jwk}, {@code jku}, {@code x5c},
 * {@code x5u}), are never read: keys are the configured issuer's.
 *
 * @param algorithm one of the issuer's
 * @param keyId null for none
 */
record TokenHeader(String algorithm, String keyId) {
    private static final Pattern KEY_ID = Pattern.compile("[ -~]{1,255}");
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/jwt", "application/at+jwt");
    /** Each changes what the signature or the payload means. */
    private static final Set<String> REFUSED = Set.of("crit", "b64", "zip", "enc");

    static TokenHeader read(JsonNode header, TokenIssuer issuer) throws TokenRefusal {
        for (String name : REFUSED) {
            if (header.has(name)) {
                throw TokenRefusal.invalid(name, "this member of the header is not supported");
            }
        }
        JsonNode algorithm = header.get("alg");
        if (algorithm == null || !algorithm.isTextual() || !issuer.algorithms().contains(algorithm.textValue())) {
            throw TokenRefusal.invalid(
                    "alg",
                    "the algorithm is not one of those accepted from this issuer: "
                            + String.join(
                                    ", ", issuer.algorithms().stream().sorted().toList()));
        }
        JsonNode type = header.get("typ");
        if (type != null
                && !(type.isTextual() && TYPES.contains(type.textValue().toLowerCase(Locale.ROOT)))) {
            throw TokenRefusal.invalid("typ", "is neither JWT nor at+jwt");
        }
        return new TokenHeader(algorithm.textValue(), keyId(header.get("kid"), issuer));
    }

    private static String keyId(JsonNode kid, TokenIssuer issuer) throws TokenRefusal {
        if (kid == null) {
            if (issuer.profile() == TokenProfile.WLCG) {
                throw TokenRefusal.invalid("kid", "is missing; the WLCG profile demands it");
            }
            return null;
        }
        if (!kid.isTextual() || !KEY_ID.matcher(kid.textValue()).matches()) {
            throw TokenRefusal.invalid("kid", "is not a text of 1 to 255 printable characters");
        }
        return kid.textValue();
    }
}
