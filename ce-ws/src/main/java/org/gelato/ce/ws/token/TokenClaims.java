package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.TokenGroup;

/** Judges the claims of a token; docs/developer/protocol/tokens.md, Kinds. */
final class TokenClaims {
    /** Of the issuer's clock, for {@code nbf} and {@code iat}; an end is an end. */
    static final Duration SKEW = Duration.ofSeconds(60);

    /** Values of {@code aud} that mean every service: of WLCG, and of SciTokens. */
    static final Set<String> ANY_AUDIENCE = Set.of("https://wlcg.cern.ch/jwt/v1/any", "ANY");

    private static final Pattern WLCG_1 = Pattern.compile("1\\.[0-9]{1,9}");
    private static final Pattern SCITOKENS_2 = Pattern.compile("scitokens?:2\\.[0-9]{1,9}");
    private static final String WLCG_VERSION = "wlcg.ver";
    private static final String WLCG_GROUPS = "wlcg.groups";

    private final ClaimReader claims;
    private final TokenIssuer issuer;
    private final TokenSettings settings;
    private final Instant now;

    private TokenClaims(ClaimReader claims, TokenIssuer issuer, TokenSettings settings, Instant now) {
        this.claims = claims;
        this.issuer = issuer;
        this.settings = settings;
        this.now = now;
    }

    /** What the claims say, if the signature is the issuer's. */
    static AccessToken judge(
            JsonNode claims, TokenIssuer issuer, TokenSettings settings, Instant now, String fingerprint)
            throws TokenRefusal {
        return new TokenClaims(new ClaimReader(claims), issuer, settings, now).judge(fingerprint);
    }

    private AccessToken judge(String fingerprint) throws TokenRefusal {
        boolean wlcg = version();
        accessToken();
        Instant expires = claims.required("exp", claims.time("exp"));
        if (!now.isBefore(expires)) {
            throw TokenRefusal.invalid("exp", "the token has ended: get a new one");
        }
        Instant issued = begun("iat", expires);
        begun("nbf", expires);
        String jti = claims.name("jti");
        if (wlcg) {
            claims.required("iat", issued);
            claims.required("jti", jti);
        }
        Set<String> audiences = audiences();
        TokenScopes scopes =
                TokenScopes.parse(claims.text("scope"), issuer.profile().sciTokens());
        return new AccessToken(
                issuer,
                claims.required("sub", claims.name("sub")),
                jti,
                audiences,
                scopes.permitted(),
                scopes.ignored(),
                scopes.anyCapability(),
                groups(),
                expires,
                issued,
                fingerprint);
    }

    /** Whether the rules of WLCG hold for the token. */
    private boolean version() throws TokenRefusal {
        TokenProfile profile = issuer.profile();
        boolean wlcg = profile == TokenProfile.WLCG || (profile == TokenProfile.ANY && claims.has(WLCG_VERSION));
        if (wlcg
                && !WLCG_1.matcher(claims.required(WLCG_VERSION, claims.text(WLCG_VERSION)))
                        .matches()) {
            throw TokenRefusal.invalid(WLCG_VERSION, "is no version 1 of the WLCG profile");
        }
        boolean sciTokens = profile == TokenProfile.SCITOKENS || (profile == TokenProfile.ANY && claims.has("ver"));
        if (sciTokens
                && !SCITOKENS_2
                        .matcher(claims.required("ver", claims.text("ver")))
                        .matches()) {
            throw TokenRefusal.invalid("ver", "is no version 2 of SciTokens");
        }
        return wlcg;
    }

    /** ID tokens and refresh tokens are signed by the same key. */
    private void accessToken() throws TokenRefusal {
        for (String hash : List.of("at_hash", "c_hash", "s_hash")) {
            if (claims.has(hash)) {
                throw TokenRefusal.invalid(hash, "this is an ID token: send an access token");
            }
        }
        String type = claims.text("typ");
        if (type != null && !Set.of("bearer", "jwt", "at+jwt").contains(type.toLowerCase(Locale.ROOT))) {
            throw TokenRefusal.invalid("typ", "this is no access token");
        }
    }

    private Instant begun(String name, Instant expires) throws TokenRefusal {
        Instant begin = claims.time(name);
        if (begin != null && begin.isAfter(now.plus(SKEW))) {
            throw TokenRefusal.invalid(
                    name,
                    "is in the future, " + begin.truncatedTo(ChronoUnit.SECONDS) + ", and the clock of this CE shows "
                            + now.truncatedTo(ChronoUnit.SECONDS) + ": compare the clocks of issuer and CE");
        }
        if (begin != null && begin.isAfter(expires)) {
            throw TokenRefusal.invalid(name, "is after exp");
        }
        return begin;
    }

    private Set<String> audiences() throws TokenRefusal {
        if (!claims.has("aud") && issuer.profile() == TokenProfile.EGI && settings.anyAudience()) {
            return Set.of();
        }
        Set<String> audiences = new HashSet<>(claims.textOrTexts("aud"));
        boolean accepted = audiences.stream()
                .anyMatch(a -> settings.audiences().contains(a)
                        || issuer.audiences().contains(a)
                        || (settings.anyAudience() && ANY_AUDIENCE.contains(a)));
        if (!accepted) {
            throw TokenRefusal.invalid(
                    "aud",
                    (claims.has("aud") ? "is another service: " : "is missing: ")
                            + "request a token for "
                            + settings.audiences().stream().sorted().findFirst().orElse("this CE"));
        }
        return audiences;
    }

    private List<TokenGroup> groups() throws TokenRefusal {
        Set<TokenGroup> groups = new LinkedHashSet<>();
        if (issuer.profile().wlcg()) {
            for (String text : claims.texts(WLCG_GROUPS)) {
                groups.add(TokenGroup.wlcg(text)
                        .orElseThrow(() -> TokenRefusal.invalid(WLCG_GROUPS, "has an element that is not /vo/group")));
            }
        }
        if (issuer.profile().entitlements()) {
            for (String name : List.of("eduperson_entitlement", "entitlements")) {
                for (String text : claims.textOrTexts(name)) {
                    TokenGroup.entitlement(text).ifPresent(groups::add);
                }
            }
        }
        return List.copyOf(groups);
    }
}
