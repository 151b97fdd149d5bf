package org.gelato.ce.ws.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.gelato.ce.testkit.token.TokenBuilder.raw;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.TestClock;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.testkit.token.TestIssuer;
import org.gelato.ce.testkit.token.TokenBuilder;
import org.gelato.ce.testkit.token.TokenKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be wrong with a token: its algorithm, key, form, claims and issuer. */
class TokenVerifierTest {
    private static final String CE = "https://ce.example.org";
    private static final String WLCG = "https://iam.example.org/";
    private static final String SCITOKENS = "https://scitokens.example.org";
    private static final String EGI = "https://egi.example.org/auth/realms/egi";
    private static final TestClock CLOCK = new TestClock(Instant.ofEpochSecond(1_760_000_000));

    @SuppressWarnings("TimeInStaticInitializer") // of a clock that stands
    private static final long NOW = CLOCK.instant().getEpochSecond();

    private static final TestIssuer ISSUER = TestIssuer.create(WLCG, CLOCK);
    private static final TokenKey RSA = ISSUER.key(0);
    private static final TokenKey EC = ISSUER.key(1);
    private static final TokenKey WEAK = TokenKey.rsa("weak", 1024);
    private static final TokenKey WIDE = TokenKey.ec("wide", "ES384", "secp384r1");
    private static final TokenKey ENCRYPTION = new TokenKey("enc", "RS256", RSA.pair());
    private static final TokenKey FIRST_TWIN = new TokenKey("twin", "RS256", RSA.pair());
    private static final TokenKey SECOND_TWIN = TokenKey.rsa("twin", 2048);

    @TempDir
    private static Path directory;

    private static TokenVerifier verifier;
    private static TokenVerifier anyAudience;

    @BeforeAll
    static void open() throws Exception {
        verifier = verifier(false);
        anyAudience = verifier(true);
    }

    @AfterAll
    static void close() {
        verifier.close();
        anyAudience.close();
    }

    private static TokenVerifier verifier(boolean any) throws Exception {
        Map<String, Object> enc = new HashMap<>(ENCRYPTION.jwk());
        enc.put("use", "enc");
        Map<String, Object> secret = Map.of("kty", "oct", "kid", "secret", "k", "c2VjcmV0", "alg", "HS256");
        Path keys = Files.writeString(
                directory.resolve("keys.json"),
                TestIssuer.jwks(Stream.of(
                        RSA.jwk(),
                        EC.jwk(),
                        WEAK.jwk(),
                        WIDE.jwk(),
                        enc,
                        secret,
                        FIRST_TWIN.jwk(),
                        SECOND_TWIN.jwk())));
        List<TokenIssuer> issuers = new ArrayList<>();
        Map.of(WLCG, TokenProfile.WLCG, SCITOKENS, TokenProfile.SCITOKENS, EGI, TokenProfile.EGI)
                .forEach((name, profile) -> issuers.add(new TokenIssuer(
                        name, keys, null, profile, Set.of("client-7"), Set.of("RS256", "ES256", "ES384"))));
        return new TokenVerifier(
                new TokenSettings(
                        issuers,
                        Set.of(CE, CE + ":8443"),
                        any,
                        Duration.ofHours(6),
                        Duration.ofDays(2),
                        Duration.ofSeconds(5),
                        directory.resolve("copies")),
                SSLContext.getDefault(),
                CLOCK,
                new SimpleMeterRegistry());
    }

    private static Arguments row(String claim, String what, UnaryOperator<TokenBuilder> change) {
        return arguments(claim, what, change);
    }

    static Stream<Arguments> refused() {
        List<Arguments> rows = new ArrayList<>(List.of(
                row("signature", "of another key", t -> t.signedBy(b -> SECOND_TWIN.sign(b, "SHA256withRSA"))),
                row("alg", "EC key with RS256", t -> t.header("kid", "ec1")),
                row(
                        "alg",
                        "ES256 with a key of another curve",
                        t -> t.header("alg", "ES256").header("kid", "wide")),
                row("alg", "not the key's alg", t -> t.header("alg", "ES256")),
                row("kid", "key for encryption", t -> t.header("kid", "enc")),
                row("kid", "a secret", t -> t.header("kid", "secret")),
                row(
                        "kid",
                        "RSA of 1024 bits",
                        t -> t.header("kid", "weak").signedBy(b -> WEAK.sign(b, "SHA256withRSA"))),
                row("kid", "two keys with one kid", t -> t.header("kid", "twin")),
                row("kid", "absent", t -> t.header("kid", null)),
                row("kid", "a number", t -> t.header("kid", 1)),
                row("kid", "of 10 kB", t -> t.header("kid", "k".repeat(10_000))),
                row("kid", "a path", t -> t.header("kid", "../x")),
                row("crit", "crit", t -> t.header("crit", List.of("exp"))),
                row("b64", "b64", t -> t.header("b64", false)),
                row("zip", "zip", t -> t.header("zip", "DEF")),
                row("enc", "enc", t -> t.header("enc", "A128GCM")),
                row("typ", "of another kind", t -> t.header("typ", "dpop+jwt")),
                row("token", "more than 16 kB", t -> t.claim("more", "x".repeat(16_384))),
                row("payload", "deep", t -> t.claim("deep", raw("[".repeat(2000) + "]".repeat(2000)))),
                row("payload", "a member twice", t -> t.claim("exp", raw("1,\"exp\":2"))),
                row("payload", "a member twice, escaped", t -> t.claim("x", raw("1,\"\\u0069ss\":\"a\""))),
                row("payload", "not UTF-8", t -> t.rawClaims("{\"sub\":\"\u00ff\"}")),
                row("payload", "more than one object", t -> t.rawClaims("{}{}")),
                row("payload", "an array", t -> t.rawClaims("[]")),
                row("payload", "nothing", t -> t.rawClaims("")),
                row("header", "a member twice", t -> t.rawHeader("{\"alg\":\"RS256\",\"alg\":\"none\"}")),
                row(
                        "header",
                        "a member twice, escaped",
                        t -> t.rawHeader("{\"alg\":\"RS256\",\"\\u0061lg\":\"none\"}")),
                row("exp", "absent", t -> t.claim("exp", null)),
                row("exp", "a text", t -> t.claim("exp", "" + (NOW + 60))),
                row("exp", "now: without skew", t -> t.claim("exp", NOW)),
                row("exp", "a fraction, cut", t -> t.claim("exp", raw(NOW + ".9"))),
                row("exp", "negative", t -> t.claim("exp", -1)),
                row("exp", "2^63", t -> t.claim("exp", raw("9223372036854775808"))),
                row("exp", "1e400", t -> t.claim("exp", raw("1e400"))),
                row("exp", "1e999999999", t -> t.claim("exp", raw("1e999999999"))),
                row("exp", "null", t -> t.claim("exp", raw("null"))),
                row("nbf", "after exp", t -> t.claim("nbf", NOW + 30).claim("exp", NOW + 20)),
                row("nbf", "in the future", t -> t.claim("nbf", NOW + 61)),
                row("iat", "in the future", t -> t.claim("iat", NOW + 61)),
                row("iat", "absent", t -> t.claim("iat", null)),
                row("jti", "absent", t -> t.claim("jti", null)),
                row("sub", "absent", t -> t.claim("sub", null)),
                row("sub", "empty", t -> t.claim("sub", "")),
                row("sub", "with a newline", t -> t.claim("sub", "a\nb")),
                row("sub", "not ASCII", t -> t.claim("sub", "j\u00fcrgen")),
                row("sub", "256 characters", t -> t.claim("sub", "s".repeat(256))),
                row("wlcg.ver", "absent", t -> t.claim("wlcg.ver", null)),
                row("wlcg.ver", "a number", t -> t.claim("wlcg.ver", raw("1.0"))),
                row("wlcg.ver", "2.0", t -> t.claim("wlcg.ver", "2.0")),
                row("scope", "an array", t -> t.claim("scope", List.of("compute.read"))),
                row("scope", "with tabs", t -> t.claim("scope", "compute.read\tcompute.create")),
                row("wlcg.groups", "one text", t -> t.claim("wlcg.groups", "/cms")),
                row("wlcg.groups", "no path", t -> t.claim("wlcg.groups", List.of("/cms", "cms/x"))),
                row("wlcg.groups", "doubled slash", t -> t.claim("wlcg.groups", List.of("/cms//x"))),
                row("at_hash", "an ID token", t -> t.claim("at_hash", "x")),
                row("typ", "a refresh token", t -> t.claim("typ", "Refresh")),
                row("aud", "an ID token's", t -> t.claim("aud", "my-client").claim("nonce", "n")),
                row("aud", "any of WLCG", t -> t.claim("aud", "https://wlcg.cern.ch/jwt/v1/any"))));
        for (String alg : List.of("none", "None", "HS256", "RS512", "PS256", "EdDSA", "")) {
            rows.add(row("alg", alg, t -> t.header("alg", alg)));
        }
        rows.add(row("alg", "absent", t -> t.header("alg", null)));
        rows.add(row("alg", "array", t -> t.header("alg", List.of("RS256"))));
        byte[] der = RSA.pair().getPublic().getEncoded();
        byte[] jwk = RSA.jwk().get("n").toString().getBytes(StandardCharsets.UTF_8);
        byte[] pem = ("-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                        + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
        for (byte[] key : List.of(der, pem, jwk)) {
            rows.add(row(
                    "alg",
                    "HS256 by the public key",
                    t -> t.header("alg", "HS256").signedBy(b -> hmac(key, b))));
        }
        for (Object aud : List.of(
                "",
                List.of(),
                List.of(1),
                Map.of("a", 1),
                7,
                CE + "/",
                "https://CE.example.org",
                CE + ".evil",
                CE + ":443",
                List.of(CE, 1),
                "https://ce.example.or")) {
            rows.add(row("aud", "aud " + aud, t -> t.claim("aud", aud)));
        }
        rows.add(row("aud", "absent", t -> t.claim("aud", null)));
        for (String iss : List.of(
                "http://iam.example.org/",
                "https://IAM.example.org/",
                "https://iam.example.org",
                "https://iam.example.org//",
                "https://iam.example.org:443/",
                "https://u@iam.example.org/",
                "https://iam.example.org/?a",
                "https://iam.example.org/#a",
                "https://1am.example.org/",
                "https://localhost/",
                "")) {
            rows.add(row("iss", "iss " + iss, t -> t.claim("iss", iss)));
        }
        rows.add(row("iss", "absent", t -> t.claim("iss", null)));
        rows.add(row("iss", "array", t -> t.claim("iss", List.of(WLCG))));
        return rows.stream();
    }

    private static byte[] hmac(byte[] key, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TokenBuilder token() {
        return ISSUER.token("5f0c", CE);
    }

    private static TokenRefusal refusal(String compact) {
        TokenRefusal e = catchThrowableOfType(TokenRefusal.class, () -> verifier.verify(compact));
        assertThat(e).as("refused").isNotNull();
        return e;
    }

    @Test
    void aTokenOfTheFutureIsRefusedWithBothTimes() {
        assertThat(refusal(token().claim("nbf", NOW + 600).sign()).getMessage())
                .contains(
                        Instant.ofEpochSecond(NOW + 600).toString(),
                        Instant.ofEpochSecond(NOW).toString());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("refused")
    void aBadTokenIsRefusedByTheClaimThatFailed(String claim, String what, UnaryOperator<TokenBuilder> change) {
        String compact = change.apply(token()).sign();

        TokenRefusal e = refusal(compact);

        assertThat(e.claim()).isEqualTo(claim);
        assertThat(e.kind()).isEqualTo(TokenRefusal.Kind.INVALID_TOKEN);
        assertThat(BearerChallenge.of(e).orElseThrow())
                .matches("Bearer realm=\"ce\", error=\"invalid_token\", error_description=\"[ !#-\\[\\]-~]+\"")
                .doesNotContain("5f0c");
        assertThat(e.names().fingerprint()).hasSize(64);
    }

    static Stream<Arguments> otherTexts() {
        String good = token().sign();
        String[] parts = good.split("\\.");
        String spare = good.substring(0, good.length() - 1) + next(good.charAt(good.length() - 1));
        return Stream.of(
                arguments("token", ""),
                arguments("token", "a.b"),
                arguments("token", good + ".a.b"),
                arguments("token", good + "."),
                arguments("signature", parts[0] + "." + parts[1] + "."),
                arguments("signature", good + "=="),
                arguments("signature", good + " "),
                arguments("signature", spare),
                arguments("header", " " + good),
                arguments("header", parts[0] + "\0." + parts[1] + "." + parts[2]),
                arguments("payload", parts[0] + "." + parts[1] + "+/." + parts[2]));
    }

    /** RSA 2048 leaves four spare bits in the last character. */
    private static char next(char last) {
        return (char) (last + 1);
    }

    @ParameterizedTest
    @MethodSource("otherTexts")
    void aTokenHasOneTextOnly(String part, String compact) {
        assertThat(refusal(compact).claim()).isEqualTo(part);
    }

    @Test
    void signaturesOfCurvesAreTwoNumbersOfFixedLengthThatAreNot0() throws TokenRefusal {
        TokenBuilder token = ISSUER.token(EC, "5f0c", CE);
        assertThat(verifier.verify(token.sign()).subject()).isEqualTo("5f0c");
        assertThat(refusal(token.signedBy(b -> new byte[64]).sign()).claim()).isEqualTo("signature");
        assertThat(refusal(token.signedBy(b -> EC.sign(b, "SHA256withECDSA")).sign())
                        .claim())
                .isEqualTo("signature");
    }

    static Stream<Consumer<TokenBuilder>> accepted() {
        return Stream.of(
                t -> t.claim("aud", List.of("https://other.example.org", CE + ":8443")),
                t -> t.claim("aud", "client-7"),
                t -> t.header("typ", null),
                t -> t.header("typ", "at+JWT"),
                t -> t.claim("nbf", null),
                t -> t.claim("nbf", NOW + 60).claim("iat", NOW + 60),
                t -> t.claim("exp", NOW + 1),
                t -> t.claim("exp", 1L << 31),
                t -> t.claim("exp", raw(NOW + 5 + ".5")),
                t -> t.claim("wlcg.ver", "1.7"),
                t -> t.claim("unknown", Map.of("a", List.of(1))),
                t -> t.claim("sub", "s".repeat(255)),
                t -> t.header("jku", "https://evil.example.org/")
                        .header("x5u", "https://evil.example.org/")
                        .header("x5c", List.of("AAAA"))
                        .header("jwk", EC.jwk()));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void whatTheProfilePermitsIsAccepted(Consumer<TokenBuilder> change) throws TokenRefusal {
        TokenBuilder token = token();
        change.accept(token);
        assertThat(verifier.verify(token.sign()).issuer().issuer()).isEqualTo(WLCG);
    }

    @Test
    void aTokenSaysWhoWhatAndUntilWhen() throws TokenRefusal {
        AccessToken token = verifier.verify(token().claim("wlcg.groups", List.of("/cms/pilots", "/cms"))
                .claim("scope", "compute.read storage.read:/x compute.create:/x Compute.Cancel")
                .claim("jti", "a1")
                .sign());

        assertThat(token.capabilities()).containsExactly(Permission.READ);
        assertThat(token.anyCapability()).isTrue();
        assertThat(token.groups()).extracting(TokenGroup::toString).containsExactly("/cms/pilots", "/cms");
        assertThat(token.jti()).isEqualTo("a1");
        assertThat(token.expires()).isEqualTo(CLOCK.instant().plusSeconds(3600));
        assertThat(token.identity().vo()).isEqualTo("cms");
        assertThat(token.identity().permits(Permission.READ)).isTrue();
        assertThat(token.identity().permits(Permission.CREATE)).isFalse();
        assertThat(token.names().text()).isEqualTo("iss=" + WLCG + " sub=" + token.subject() + " jti=a1");
    }

    @Test
    void scopesWithAPathOrInAnotherCaseAreNamedInTheRefusal() throws TokenRefusal {
        String longest = "compute.read:/" + "x".repeat(100);
        AccessToken token = verifier.verify(
                token().claim("scope", "compute.cancel storage.read:/x compute.create:/x Compute.Modify " + longest)
                        .sign());
        Caller caller = new Caller(token.identity(), "nobody", false);
        caller.require(Permission.CANCEL);
        assertThatThrownBy(() -> caller.require(Permission.CREATE))
                .isInstanceOfSatisfying(
                        ServiceException.NotAuthorized.class,
                        e -> assertThat(e.scope()).isEqualTo("compute.create"))
                .hasMessage("this operation needs a token with the scope compute.create; of this token do not count:"
                        + " compute.create:/x, Compute.Modify, " + longest.substring(0, 40)
                        + "... (a scope has no path here, and letter case counts)");
    }

    /** The profile has it rejected by who grants storage, which a CE does not. */
    @Test
    void aScopeOfStorageWithoutAPathIsACapabilityOfAnotherService() throws TokenRefusal {
        AccessToken token = verifier.verify(
                token().claim("scope", "storage.read compute.create").sign());
        assertThat(token.capabilities()).containsExactly(Permission.CREATE);
        assertThat(verifier.verify(token().claim("scope", "storage.read").sign())
                        .identity()
                        .permits(Permission.READ))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(Permission.class)
    void groupsCountOnlyWithoutAnyCapability(Permission scope) throws TokenRefusal {
        for (String none : Arrays.asList("openid Compute.Create", null)) {
            AccessToken token = verifier.verify(token().claim("scope", none).sign());
            assertThat(token.identity().permits(scope)).as(none).isTrue();
        }
        AccessToken storage =
                verifier.verify(token().claim("scope", "storage.read:/").sign());
        assertThat(storage.identity().permits(scope)).isFalse();
    }

    @Test
    void sciTokensMapTheWordsOfCondor() throws TokenRefusal {
        TokenBuilder token = token().claim("iss", SCITOKENS)
                .claim("wlcg.ver", null)
                .claim("ver", "scitokens:2.0")
                .claim("jti", null)
                .claim("iat", null);
        assertThat(verifier.verify(token.claim("scope", "condor:/READ").sign()).capabilities())
                .containsExactly(Permission.READ);
        assertThat(verifier.verify(token.claim("scope", "condor:/WRITE").sign()).capabilities())
                .containsExactlyInAnyOrder(Permission.CREATE, Permission.MODIFY, Permission.CANCEL);
        assertThat(verifier.verify(token.claim("scope", "condor:/READX").sign()).anyCapability())
                .isTrue();
        assertThat(refusal(token.claim("ver", "scitoken:3.0").sign()).claim()).isEqualTo("ver");
        assertThat(verifier.verify(token().claim("scope", "condor:/READ").sign())
                        .capabilities())
                .as("of a WLCG issuer")
                .isEmpty();
    }

    @Test
    void entitlementsOfEgiAreGroupsAndOthersAreLeftOut() throws TokenRefusal {
        AccessToken token = verifier.verify(token().claim("iss", EGI)
                .claim("wlcg.ver", null)
                .claim("scope", "openid")
                .claim("wlcg.groups", List.of("/forged"))
                .claim(
                        "eduperson_entitlement",
                        List.of(
                                "urn:mace:egi.eu:group:vo.example.eu:role=member#aai.egi.eu",
                                "urn:mace:dir:entitlement:common-lib-terms",
                                "https://example.org/x"))
                .claim("entitlements", List.of("URN:MACE:egi.eu:group:registry:vo%2eother.eu"))
                .sign());
        assertThat(token.groups())
                .extracting(TokenGroup::toString)
                .containsExactly(
                        "urn:mace:egi.eu:group:vo.example.eu:role=member#aai.egi.eu",
                        "urn:mace:egi.eu:group:registry:vo.other.eu");
        assertThat(token.groups()).extracting(TokenGroup::vo).containsExactly("vo.example.eu", "vo.other.eu");
    }

    @Test
    void anyAudienceCountsOnlyByConfiguration() throws TokenRefusal {
        String any = token().claim("aud", "https://wlcg.cern.ch/jwt/v1/any").sign();
        assertThat(anyAudience.verify(any).subject()).isEqualTo("5f0c");
        String none = token().claim("iss", EGI).claim("aud", null).sign();
        assertThat(anyAudience.verify(none).audiences()).isEmpty();
        assertThat(refusal(none).claim()).isEqualTo("aud");
        TokenRefusal other = catchThrowableOfType(
                TokenRefusal.class,
                () -> anyAudience.verify(
                        token().claim("aud", "https://other.example.org").sign()));
        assertThat(other.claim()).isEqualTo("aud");
    }

    @Test
    void aTokenSeenBeforeCostsNoSignatureAndEndsAllTheSame() throws Exception {
        try (TokenVerifier own = verifier(false)) {
            String compact =
                    token().claim("exp", CLOCK.instant().getEpochSecond() + 100).sign();
            for (int i = 0; i < 1000; i++) {
                own.verify(compact);
            }
            assertThat(own.signatures()).isEqualTo(1);
            CLOCK.advance(Duration.ofSeconds(100));
            assertThat(catchThrowableOfType(TokenRefusal.class, () -> own.verify(compact))
                            .claim())
                    .isEqualTo("exp");
        } finally {
            CLOCK.advance(Duration.ofSeconds(-100));
        }
    }

    @Test
    void ownersNeverCollide() throws TokenRefusal {
        List<String> subjects = List.of("a", "a,b", "a/b", "CN=a,O=People", "/DC=test/CN=a", " a", "a ");
        List<String> owners = new ArrayList<>();
        for (String subject : subjects) {
            owners.add(verifier.verify(token().claim("sub", subject).sign())
                    .identity()
                    .subject());
        }
        assertThat(owners).doesNotHaveDuplicates().allMatch(o -> o.startsWith("https://iam.example.org/,"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer", "Bearer ", "bearer a b", "Bearer a, Bearer b", "Bearer =", "BEARER a\u00e9"})
    void aMalformedHeaderIsRefused(String header) {
        TokenRefusal e = catchThrowableOfType(TokenRefusal.class, () -> BearerHeader.token(List.of(header)));
        assertThat(e.kind()).isEqualTo(TokenRefusal.Kind.INVALID_REQUEST);
        assertThat(BearerChallenge.of(e).orElseThrow()).contains("error=\"invalid_request\"");
    }

    @Test
    void theTokenIsFoundInItsHeaderAlone() throws TokenRefusal {
        assertThat(BearerHeader.token(List.of("bEaReR a.b-c~=="))).contains("a.b-c~==");
        assertThat(BearerHeader.token(List.of("Basic abc"))).isEmpty();
        assertThat(BearerHeader.token(List.of("Bearerish abc"))).isEmpty();
        assertThat(BearerHeader.token(List.of())).isEmpty();
        assertThat(catchThrowableOfType(TokenRefusal.class, () -> BearerHeader.token(List.of("Bearer a", "Basic b")))
                        .kind()
                        .status())
                .isEqualTo(400);
        assertThat(BearerChallenge.withoutCredentials()).isEqualTo("Bearer realm=\"ce\"");
    }

    @Test
    void rulesCompareParsedParts() {
        TokenGroup member = TokenGroup.parse("urn:mace:egi.eu:group:vo:role=member#aai.egi.eu");
        assertThat(TokenGroup.parse("urn:mace:egi.eu:group:vo").covers(member)).isTrue();
        assertThat(TokenGroup.parse("URN:Mace:egi.eu:group:vo:role=member").covers(member))
                .isTrue();
        for (String other : List.of(
                "/vo",
                "urn:mace:egi.eu:group:v",
                "urn:mace:evil.eu:group:vo",
                "urn:mace:egi.eu:group:VO",
                "urn:mace:egi.eu:group:vo:role=memb",
                "urn:mace:egi.eu:group:vo#other",
                "urn:mace:egi.eu:group:vo:sub")) {
            assertThat(TokenGroup.parse(other).covers(member)).as(other).isFalse();
        }
        assertThat(TokenGroup.parse("/cms").covers(TokenGroup.parse("/cms/pilots")))
                .isFalse();
        assertThat(TokenGroup.parse("/cms/pilots").covers(TokenGroup.parse("/cms")))
                .isFalse();
    }
}
