package org.gelato.ce.ws.token;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An issuer whose tokens are accepted.
 *
 * @param issuer its {@code iss}, byte for byte
 * @param keyFile its keys as a JWK set; null: they are discovered at the issuer
 * @param vo the VO of its tokens; null: that of their groups
 * @param profile which rules its tokens follow
 * @param audiences accepted beside those of {@link TokenSettings}
 * @param algorithms of signatures, some of {@link #ALGORITHMS}
 */
public record TokenIssuer(
        String issuer, Path keyFile, String vo, TokenProfile profile, Set<String> audiences, Set<String> algorithms) {
    /** Every algorithm there is; a secret shared with the issuer (HMAC) is none of them. */
    public static final List<String> ALGORITHMS = List.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512");

    /** No comma: an owner's name is issuer, comma, subject. */
    private static final Pattern ISSUER = Pattern.compile("https://[A-Za-z0-9._~:/%@!$&'()*+;=\\[\\]-]{1,1000}");

    private static final int MAX_PORT = 65_535;

    /** @throws IllegalArgumentException naming what is wrong */
    public TokenIssuer {
        audiences = Set.copyOf(audiences);
        algorithms = Set.copyOf(algorithms);
        if (!isIssuer(issuer)) {
            throw new IllegalArgumentException(
                    "an issuer is an https URL without user, query and fragment, exactly as in its tokens");
        }
        if (algorithms.isEmpty() || !ALGORITHMS.containsAll(algorithms)) {
            throw new IllegalArgumentException("algorithms are some of " + String.join(", ", ALGORITHMS));
        }
    }

    private static boolean isIssuer(String text) {
        if (!ISSUER.matcher(text).matches()) {
            return false;
        }
        try {
            URI uri = new URI(text);
            return uri.getHost() != null && uri.getRawUserInfo() == null && uri.getPort() <= MAX_PORT;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
