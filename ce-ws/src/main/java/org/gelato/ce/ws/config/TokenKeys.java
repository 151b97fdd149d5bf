package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenProfile;
import org.gelato.ce.ws.token.TokenSettings;

/** Reads which bearer tokens are accepted. */
final class TokenKeys {
    private static final String AUDIENCES = "gelato.tokens.audiences";
    private static final Duration REFRESH = Duration.ofHours(6);
    private static final Duration KEEP_KEYS = Duration.ofDays(2);
    private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ISSUERS = 100;
    private static final Map<String, ?> DEFAULTS =
            Map.of("keys", "discover", "profile", "wlcg", "algorithms", List.of("RS256", "ES256"));

    private TokenKeys() {}

    private record Issuer(
            @Key(optional = true) String issuer,
            @Key String keys,

            @Key(form = "[A-Za-z0-9][A-Za-z0-9._-]{0,254}", accepted = "the name of a VO", optional = true)
            String vo,

            @Key TokenProfile profile,
            @Key(optional = true) List<String> audiences,
            @Key List<String> algorithms) {
        TokenIssuer in(Path home) {
            return new TokenIssuer(
                    issuer,
                    keys.equals("discover")
                            ? null
                            : home.resolve(keys).toAbsolutePath().normalize(),
                    vo.isEmpty() ? null : vo,
                    profile,
                    Set.copyOf(audiences),
                    Set.copyOf(algorithms));
        }
    }

    /**
     * @param home of the CE
     * @param host canonical name
     */
    static TokenSettings read(Binder r, Path home, String host, int port) {
        Set<String> audiences = new LinkedHashSet<>(List.of("https://" + host, "https://" + host + ":" + port));
        audiences.addAll(r.texts(AUDIENCES));
        if (audiences.contains("")) {
            r.refuse(AUDIENCES, "a list of texts that are not empty");
        }
        return r.read(
                "gelato.tokens",
                TokenSettings.class,
                issuers(r, home),
                audiences,
                REFRESH,
                KEEP_KEYS,
                FETCH_TIMEOUT,
                home.resolve("token-keys"));
    }

    private static List<TokenIssuer> issuers(Binder r, Path home) {
        Set<String> names = new HashSet<>();
        return r.sections("gelato.tokens.issuers", MAX_ISSUERS, Issuer.class, DEFAULTS, section -> {
            TokenIssuer issuer = section.in(home);
            if (!names.add(issuer.issuer())) {
                throw new IllegalArgumentException("the issuer is there twice");
            }
            return issuer;
        });
    }
}
