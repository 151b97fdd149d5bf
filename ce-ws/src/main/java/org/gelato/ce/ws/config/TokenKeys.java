package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenProfile;
import org.gelato.ce.ws.token.TokenSettings;

/** Reads which bearer tokens are accepted. */
final class TokenKeys {
    private static final String BLOCK = "gelato.tokens.";
    private static final String ISSUERS = BLOCK + "issuers";
    private static final Set<String> KEYS = Set.of("issuer", "keys", "vo", "profile", "audiences", "algorithms");
    private static final Pattern VO = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");
    private static final int MOST_ISSUERS = 100;

    private TokenKeys() {}

    /**
     * @param home of the CE
     * @param host canonical name
     */
    static TokenSettings read(ConfigReader r, Path home, String host, int port) {
        Set<String> audiences = new LinkedHashSet<>(List.of("https://" + host, "https://" + host + ":" + port));
        audiences.addAll(r.texts(BLOCK + "audiences"));
        if (audiences.contains("")) {
            r.refuse(BLOCK + "audiences", "a list of texts that are not empty");
        }
        return new TokenSettings(
                issuers(r, home),
                audiences,
                r.flag(BLOCK + "any-audience"),
                r.duration(BLOCK + "refresh", Duration.ofHours(1), Duration.ofHours(6)),
                r.duration(BLOCK + "keep-keys", Duration.ofDays(1), Duration.ofDays(4)),
                r.duration(BLOCK + "fetch-timeout", Duration.ofSeconds(1), Duration.ofMinutes(1)),
                home.resolve("token-keys"));
    }

    private static List<TokenIssuer> issuers(ConfigReader r, Path home) {
        List<? extends ConfigObject> all = r.objects(ISSUERS);
        if (all.size() > MOST_ISSUERS) {
            r.refuse(ISSUERS, "a list of at most " + MOST_ISSUERS + " issuers");
        }
        List<TokenIssuer> issuers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigObject object : all) {
            try {
                TokenIssuer issuer = issuer(object, home);
                if (!names.add(issuer.issuer())) {
                    throw new IllegalArgumentException("the issuer is there twice");
                }
                issuers.add(issuer);
            } catch (ConfigException | IllegalArgumentException e) {
                r.problem(ISSUERS + KeyNames.line(object) + ": " + e.getMessage());
            }
        }
        return issuers;
    }

    private static TokenIssuer issuer(ConfigObject object, Path home) {
        for (String key : object.keySet()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException("there is no key " + key + " of an issuer; there are "
                        + String.join(", ", KEYS.stream().sorted().toList()));
            }
        }
        Config c = object.toConfig();
        String keys = text(c, "keys", "discover");
        String vo = text(c, "vo", "");
        if (!vo.isEmpty() && !VO.matcher(vo).matches()) {
            throw new IllegalArgumentException("vo is not the name of a VO");
        }
        return new TokenIssuer(
                text(c, "issuer", ""),
                keys.equals("discover")
                        ? null
                        : home.resolve(keys).toAbsolutePath().normalize(),
                vo.isEmpty() ? null : vo,
                profile(text(c, "profile", "wlcg")),
                Set.copyOf(texts(c, "audiences", List.of())),
                Set.copyOf(texts(c, "algorithms", List.of("RS256", "ES256"))));
    }

    private static TokenProfile profile(String name) {
        for (TokenProfile profile : TokenProfile.values()) {
            if (profile.name().toLowerCase(Locale.ROOT).equals(name)) {
                return profile;
            }
        }
        throw new IllegalArgumentException("profile is one of wlcg, scitokens, egi, any");
    }

    private static String text(Config c, String key, String otherwise) {
        return c.hasPath(key) ? c.getString(key) : otherwise;
    }

    private static List<String> texts(Config c, String key, List<String> otherwise) {
        return c.hasPath(key) ? c.getStringList(key) : otherwise;
    }
}
