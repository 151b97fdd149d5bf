package org.gelato.ce.ws.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import eu.emi.security.authn.x509.CrlCheckingMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.gelato.ce.core.fixture.TestClock;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.token.IssuerServer;
import org.gelato.ce.testkit.token.TestIssuer;
import org.gelato.ce.testkit.token.TokenKey;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.IssuerTrust;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of an issuer over HTTPS, whose certificate is of a grid CA, and from a file. */
class IssuerKeysTest {
    private static final String CE = "https://ce.example.org";
    private static final String METADATA = "/.well-known/openid-configuration";
    private static final String KEYS = "/jwk";
    private static final TokenKey FIRST = TokenKey.ec("first");
    private static final TokenKey SECOND = TokenKey.ec("second");

    @TempDir
    private static Path site;

    private static GridPki pki;
    private static GridTrust trust;

    @TempDir
    private Path home;

    private final TestClock clock = new TestClock(Instant.ofEpochSecond(1_760_000_000));
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private IssuerServer server;
    private TestIssuer issuer;
    private TokenVerifier verifier;

    @BeforeAll
    static void openTrust() {
        pki = GridPki.open(site.resolve("grid"), "localhost");
        trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.IF_VALID, Duration.ofMinutes(10)),
                site.resolve("trust"));
    }

    @AfterAll
    static void closeTrust() {
        trust.close();
    }

    @BeforeEach
    void openServer() throws IOException {
        server = new IssuerServer(pki.host());
        issuer = new TestIssuer(server.url() + "/", clock, FIRST);
        server.serve(issuer);
    }

    @AfterEach
    void closeAll() {
        if (verifier != null) {
            verifier.close();
        }
        server.close();
    }

    private void start(TestIssuer of, Path file, Duration fetchTimeout) {
        start(of, file, fetchTimeout, TokenProfile.WLCG);
    }

    private void start(TestIssuer of, Path file, Duration fetchTimeout, TokenProfile profile) {
        if (verifier != null) {
            verifier.close();
        }
        TokenIssuer configured = new TokenIssuer(of.name(), file, null, profile, Set.of(), Set.of("RS256", "ES256"));
        verifier = new TokenVerifier(
                settings(List.of(configured), fetchTimeout), IssuerTrust.context(trust.validator()), clock, meters);
    }

    private TokenSettings settings(List<TokenIssuer> issuers, Duration fetchTimeout) {
        return new TokenSettings(
                issuers,
                Set.of(CE),
                false,
                Duration.ofHours(6),
                Duration.ofDays(2),
                fetchTimeout,
                home.resolve("token-keys"));
    }

    private void start() {
        start(issuer, null, Duration.ofSeconds(60));
    }

    private TokenRefusal refusal(String compact) {
        TokenRefusal e = catchThrowableOfType(TokenRefusal.class, () -> verifier.verify(compact));
        assertThat(e).as("refused").isNotNull();
        return e;
    }

    private String token(TokenKey key) {
        return issuer.token(key, "ann", CE)
                .claim("exp", clock.instant().getEpochSecond() + 1_000_000)
                .sign();
    }

    private void awaitFetches(int count) {
        await().atMost(Duration.ofMinutes(2)).until(() -> server.count(METADATA) >= count && settled());
    }

    private boolean settled() {
        return Files.exists(home.resolve("token-keys")) || !verifier.problems().isEmpty();
    }

    @Test
    void keysAreDiscoveredOnceForManyTokens() throws TokenRefusal {
        start();
        for (int i = 0; i < 20; i++) {
            assertThat(verifier.verify(issuer.token("user" + i, CE).sign()).subject())
                    .isEqualTo("user" + i);
        }
        assertThat(server.count(METADATA)).isEqualTo(1);
        assertThat(server.count(KEYS)).isEqualTo(1);
        assertThat(meters.get("ce.token.keys.age").gauge().value()).isZero();
    }

    @Test
    void whereThereIsNoOpenidConfigurationThatOfRfc8414Counts() throws TokenRefusal {
        TestIssuer other = new TestIssuer(server.url() + "/auth/vo", clock, FIRST);
        server.page(
                "/.well-known/oauth-authorization-server/auth/vo",
                IssuerServer.json(IssuerServer.metadata(other.name(), server.url() + KEYS)));
        start(other, null, Duration.ofSeconds(60));
        assertThat(verifier.verify(other.token("ann", CE).sign()).subject()).isEqualTo("ann");
        assertThat(server.count("/auth/vo" + METADATA)).isEqualTo(1);
    }

    @Test
    void anUnknownKeyIsLookedForAndAKeyThatIsGoneIsRevoked() throws TokenRefusal {
        start();
        String old = token(FIRST);
        verifier.verify(old);
        issuer.replaceKeys(SECOND);
        clock.advance(Duration.ofMinutes(2));
        verifier.verify(old);
        assertThat(verifier.signatures()).as("known already").isEqualTo(1);

        assertThat(verifier.verify(token(SECOND)).subject()).isEqualTo("ann");

        assertThat(server.count(KEYS)).isEqualTo(2);
        assertThat(refusal(old).claim()).as("also where it was verified before").isEqualTo("kid");
    }

    /** The signature alone shows which key it is of. */
    @Test
    void aTokenWithoutKeyIdIsOfANewKeyAfterOneFetchAMinute() throws TokenRefusal {
        start(issuer, null, Duration.ofSeconds(60), TokenProfile.EGI);
        verifier.verify(anonymous(FIRST));
        issuer.replaceKeys(SECOND);
        assertThat(refusal(anonymous(SECOND)).claim())
                .as("too early to look again")
                .isEqualTo("signature");
        assertThat(server.count(KEYS)).isEqualTo(1);
        clock.advance(Duration.ofMinutes(2));

        assertThat(verifier.verify(anonymous(SECOND)).subject()).isEqualTo("ann");

        clock.advance(Duration.ofMinutes(2));
        for (int i = 0; i < 1000; i++) {
            assertThat(refusal(anonymous(FIRST)).claim()).isEqualTo("signature");
        }
        assertThat(server.count(KEYS)).isEqualTo(3);
    }

    private String anonymous(TokenKey key) {
        return issuer.token(key, "ann", CE)
                .claim("exp", clock.instant().getEpochSecond() + 1_000_000)
                .header("kid", null)
                .sign();
    }

    @Test
    void aThousandUnknownKeysCostOneFetchAMinute() throws TokenRefusal {
        start();
        verifier.verify(token(FIRST));
        clock.advance(Duration.ofMinutes(2));
        for (int i = 0; i < 1000; i++) {
            TokenKey unknown = new TokenKey("kid" + i, "ES256", SECOND.pair());
            assertThat(refusal(token(unknown)).claim()).isEqualTo("kid");
        }
        assertThat(server.count(KEYS)).isEqualTo(2);
    }

    @Test
    void keysAreFetchedAgainInTheBackgroundAndTheSameOnesLeaveTokensVerified() throws TokenRefusal {
        start();
        String known = token(FIRST);
        verifier.verify(known);
        verifier.tick();
        assertThat(server.count(KEYS)).isEqualTo(1);
        clock.advance(Duration.ofHours(6));
        verifier.tick();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> meters.get("ce.token.keys.age").gauge().value() == 0);
        assertThat(server.count(KEYS)).isEqualTo(2);
        verifier.verify(known);
        assertThat(verifier.signatures()).isEqualTo(1);
    }

    @Test
    void anIssuerThatIsDownForADayIsBelievedAlsoAfterARestart() throws TokenRefusal {
        start();
        verifier.verify(token(FIRST));
        await().until(() -> copies() == 1);
        server.close();
        clock.advance(Duration.ofDays(1));
        start();
        assertThat(verifier.verify(token(FIRST)).subject()).isEqualTo("ann");
        await().atMost(Duration.ofMinutes(2)).until(() -> verifier.problems().containsKey(issuer.name()));
        clock.advance(Duration.ofDays(1).plusSeconds(1));
        TokenRefusal e = refusal(token(FIRST));
        assertThat(e.kind().status()).isEqualTo(503);
        assertThat(BearerChallenge.retryAfter(e)).contains(60);
    }

    private long copies() {
        try (Stream<Path> files = Files.list(home.resolve("token-keys"))) {
            return files.filter(f -> f.toString().endsWith(".json")).count();
        } catch (IOException e) {
            return 0;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "another issuer",
                "slash lost",
                "keys over http",
                "redirect to http",
                "redirect in a circle",
                "a head without end",
                "endless metadata",
                "endless keys",
                "too many keys",
                "no key",
                "not JSON",
                "a member twice",
                "truncated",
                "deep",
                "RSA of 16384 bits",
                "RSA with exponent 1",
                "a private key",
                "a point off the curve",
                "status 500"
            })
    void whatIsNoKeySetOfTheIssuerGivesNoKeys(String fault) {
        String keys = server.url() + KEYS;
        String name = issuer.name();
        switch (fault) {
            case "another issuer" ->
                server.page(METADATA, IssuerServer.json(IssuerServer.metadata("https://evil.example.org/", keys)));
            case "slash lost" ->
                server.page(
                        METADATA, IssuerServer.json(IssuerServer.metadata(name.substring(0, name.length() - 1), keys)));
            case "keys over http" ->
                server.page(METADATA, IssuerServer.json(IssuerServer.metadata(name, keys.replace("https:", "http:"))));
            case "redirect to http" -> server.page(KEYS, IssuerServer.redirect(keys.replace("https:", "http:")));
            case "redirect in a circle" -> server.page(KEYS, IssuerServer.redirect(keys));
            case "truncated" ->
                server.page(
                        KEYS,
                        IssuerServer.json(
                                issuer.jwks().substring(0, issuer.jwks().length() - 1)));
            case "deep" -> server.page(KEYS, IssuerServer.json("{\"keys\":" + "[".repeat(200_000)));
            case "RSA of 16384 bits" -> serve(Map.of("kty", "RSA", "n", "_".repeat(2731), "e", "AQAB"));
            case "RSA with exponent 1" -> serve(Map.of("kty", "RSA", "n", "_".repeat(342), "e", "AQ"));
            case "a private key" -> serve(Map.of("d", "AQAB"));
            case "a point off the curve" -> serve(Map.of("y", FIRST.jwk().get("x")));
            case "a head without end" -> server.page(KEYS, IssuerKeysTest::longHead);
            case "endless metadata" -> server.page(METADATA, IssuerKeysTest::endless);
            case "endless keys" -> server.page(KEYS, IssuerKeysTest::endless);
            case "too many keys" ->
                server.page(
                        KEYS,
                        IssuerServer.json(
                                TestIssuer.jwks(Stream.generate(FIRST::jwk).limit(101))));
            case "no key" -> server.page(KEYS, IssuerServer.json("{\"keys\":[]}"));
            case "not JSON" -> server.page(KEYS, IssuerServer.json("keys"));
            case "a member twice" ->
                server.page(
                        KEYS, IssuerServer.json("{\"keys\":[]," + issuer.jwks().substring(1)));
            default -> server.page(METADATA, exchange -> exchange.sendResponseHeaders(500, -1));
        }
        start();
        assertThat(refusal(token(FIRST)).kind()).isEqualTo(TokenRefusal.Kind.KEYS_UNAVAILABLE);
        assertThat(verifier.problems()).containsKey(name);
        assertThat(meters.get("ce.token.key.fetches.failed").functionCounter().count())
                .isOne();
    }

    /** The first key with other members. */
    private void serve(Map<String, Object> members) {
        Map<String, Object> jwk = new HashMap<>(FIRST.jwk());
        jwk.putAll(members);
        server.page(KEYS, IssuerServer.json(TestIssuer.jwks(Stream.of(jwk))));
    }

    private static void endless(HttpExchange exchange) throws IOException {
        byte[] spaces = new byte[65_536];
        Arrays.fill(spaces, (byte) ' ');
        exchange.sendResponseHeaders(200, 0);
        while (true) {
            exchange.getResponseBody().write(spaces);
        }
    }

    /** A thousand times what an honest one has. */
    private static void longHead(HttpExchange exchange) throws IOException {
        for (int i = 0; i < 100; i++) {
            exchange.getResponseHeaders().set("X-" + i, "x".repeat(10_000));
        }
        exchange.sendResponseHeaders(200, -1);
    }

    @Test
    void aFetchThatFindsNoThreadOrMeetsAnErrorIsRepeated() {
        List<Error> errors = new ArrayList<>(
                List.of(new OutOfMemoryError("unable to create native thread"), new StackOverflowError()));
        List<String> fetched = new ArrayList<>();
        DiscoveredKeys keys = new DiscoveredKeys(
                "https://issuer.example.org",
                name -> {
                    fetched.add(name);
                    throw errors.remove(0);
                },
                work -> {
                    if (errors.size() == 2) {
                        throw errors.remove(0);
                    }
                    work.run();
                },
                new Semaphore(1),
                settings(List.of(), Duration.ofSeconds(1)),
                clock);
        assertThat(keys.failures()).isEqualTo(1);
        clock.advance(Duration.ofMinutes(2));
        keys.tick();
        assertThat(fetched).hasSize(1);
        assertThat(keys.failures()).isEqualTo(2);
        clock.advance(Duration.ofMinutes(2));
        errors.add(new StackOverflowError());
        keys.tick();
        assertThat(fetched).hasSize(2);
    }

    @Test
    void requestsThatWaitForManySlowIssuersHoldFewThreadsTogether() throws Exception {
        int issuers = 5;
        int requests = 10;
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Semaphore places = new Semaphore(DiscoveredKeys.MAX_WAITING);
            List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < issuers; i++) {
                DiscoveredKeys slow = new DiscoveredKeys(
                        "https://issuer" + i + ".example.org",
                        name -> {
                            end.await();
                            throw new IOException("late");
                        },
                        threads,
                        places,
                        settings(List.of(), Duration.ofSeconds(60)),
                        clock);
                for (int n = 0; n < requests; n++) {
                    waiting.add(CompletableFuture.supplyAsync(() -> refused(slow), threads));
                }
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() ->
                            waiting.stream().filter(CompletableFuture::isDone).count()
                                    == issuers * requests - DiscoveredKeys.MAX_WAITING);
            assertThat(places.availablePermits()).isZero();
            end.countDown();
            assertThat(waiting).allMatch(CompletableFuture::join);
            assertThat(places.availablePermits()).isEqualTo(DiscoveredKeys.MAX_WAITING);
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean refused(DiscoveredKeys keys) {
        try {
            keys.keysFor("unknown");
            return false;
        } catch (TokenRefusal e) {
            return e.kind() == TokenRefusal.Kind.KEYS_UNAVAILABLE;
        }
    }

    @Test
    void aSlowIssuerHoldsUpNoRequestForLongerThanAFetchMayTake() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        server.page(METADATA, exchange -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            start(issuer, null, Duration.ofSeconds(1));
            assertThat(refusal(token(FIRST)).kind()).isEqualTo(TokenRefusal.Kind.KEYS_UNAVAILABLE);
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> verifier.problems().containsKey(issuer.name()));
            assertThat(refusal(token(FIRST)).kind()).isEqualTo(TokenRefusal.Kind.KEYS_UNAVAILABLE);
            assertThat(server.count(METADATA)).isEqualTo(1);
        } finally {
            end.countDown();
        }
    }

    @Test
    void aKeySetThatDripsIsGivenUpAfterTheTimeOfAFetchAndItsConnectionClosed() {
        CountDownLatch closed = new CountDownLatch(1);
        server.page(KEYS, exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write(' ');
                    exchange.getResponseBody().flush();
                    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                }
            } catch (IOException e) {
                closed.countDown();
            }
        });
        start(issuer, null, Duration.ofSeconds(1));
        // The first connection of a JVM may take a second by itself.
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            clock.advance(Duration.ofMinutes(1));
            verifier.tick();
            return verifier.problems().getOrDefault(issuer.name(), "").contains(KEYS + " took longer than 1 s");
        });
        assertThat(refusal(token(FIRST)).kind()).isEqualTo(TokenRefusal.Kind.KEYS_UNAVAILABLE);
        await().atMost(Duration.ofMinutes(2)).until(() -> closed.getCount() == 0);
    }

    @Test
    void anotherKeyUnderTheSameNameRevokesWhatTheOldOneSigned() throws TokenRefusal {
        start();
        String old = token(FIRST);
        verifier.verify(old);
        TokenKey namesake = new TokenKey(FIRST.id(), FIRST.algorithm(), SECOND.pair());
        issuer.replaceKeys(namesake);
        assertThat(refusal(token(namesake)).claim()).isEqualTo("signature");
        clock.advance(Duration.ofHours(6));
        verifier.tick();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> server.count(KEYS) == 2
                        && meters.get("ce.token.keys.age").gauge().value() == 0);
        assertThat(verifier.verify(token(namesake)).subject()).isEqualTo("ann");
        assertThat(refusal(old).claim()).isEqualTo("signature");
    }

    @Test
    void anIssuerThatComesBackAfterADayIsAskedAgainWithinAMinute() throws TokenRefusal {
        start();
        verifier.verify(token(FIRST));
        server.page(METADATA, exchange -> exchange.sendResponseHeaders(500, -1));
        clock.advance(Duration.ofHours(6));
        for (int hour = 6; hour < 30; hour++) {
            int before = server.count(METADATA);
            verifier.tick();
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> server.count(METADATA) > before
                            && verifier.problems().containsKey(issuer.name()));
            assertThat(verifier.verify(token(FIRST)).subject()).isEqualTo("ann");
            clock.advance(Duration.ofHours(1));
        }
        issuer.replaceKeys(SECOND);
        server.serve(issuer);
        verifier.tick();
        await().atMost(Duration.ofMinutes(2)).until(() -> verifier.problems().isEmpty());
        assertThat(verifier.verify(token(SECOND)).subject()).isEqualTo("ann");
        assertThat(refusal(token(FIRST)).claim()).isEqualTo("kid");
    }

    @Test
    void aServerThatNoAuthorityKnowsIsNotBelieved() throws IOException {
        try (IssuerServer strange = new IssuerServer(pki.stranger("localhost"))) {
            TestIssuer other = new TestIssuer(strange.url(), clock, FIRST);
            strange.serve(other);
            start(other, null, Duration.ofSeconds(60));
            assertThat(refusal(other.token("ann", CE).sign()).kind()).isEqualTo(TokenRefusal.Kind.KEYS_UNAVAILABLE);
            assertThat(strange.count(METADATA)).isZero();
        }
    }

    @Test
    void aServerOfAnotherNameIsNotBelieved() throws IOException {
        try (IssuerServer other = new IssuerServer(pki.user("Not localhost"))) {
            TestIssuer own = new TestIssuer(other.url(), clock, FIRST);
            other.serve(own);
            start(own, null, Duration.ofSeconds(60));
            assertThat(refusal(own.token("ann", CE).sign()).kind()).isEqualTo(TokenRefusal.Kind.KEYS_UNAVAILABLE);
            assertThat(other.count(METADATA)).isZero();
        }
    }

    @Test
    void aChangedFileIsReadAgainAndABrokenOneLeavesWhatWasRead() throws Exception {
        Path file = issuer.writeJwks(home.resolve("keys.json"));
        start(issuer, file, Duration.ofSeconds(60));
        String old = token(FIRST);
        verifier.verify(old);
        Files.writeString(file, "{");
        verifier.tick();
        verifier.verify(token(FIRST));
        assertThat(verifier.problems()).containsKey(issuer.name());
        issuer.replaceKeys(SECOND);
        issuer.writeJwks(file);
        verifier.tick();
        verifier.verify(token(SECOND));
        assertThat(refusal(old).claim()).isEqualTo("kid");
        assertThat(verifier.problems()).isEmpty();
        assertThat(server.count(METADATA)).isZero();
    }

    /** Another account of the host could make tokens of anybody. */
    @Test
    void keysInAFileThatEverybodyMayWriteDoNotCount() throws Exception {
        Path file = issuer.writeJwks(home.resolve("keys.json"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        start(issuer, file, Duration.ofSeconds(60));
        assertThat(refusal(token(FIRST)).kind()).isEqualTo(TokenRefusal.Kind.KEYS_UNAVAILABLE);
        assertThat(verifier.problems().get(issuer.name())).contains("can be written by everybody");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        verifier.tick();
        verifier.verify(token(FIRST));
        assertThat(verifier.problems()).isEmpty();
    }

    @Test
    void noIssuerIsAskedThatIsNotConfigured() {
        start();
        awaitFetches(1);
        TestIssuer other = new TestIssuer(server.url() + "/other", clock, FIRST);
        assertThat(refusal(other.token("ann", CE).sign()).claim()).isEqualTo("iss");
        assertThat(server.count("/other" + METADATA)).isZero();
    }
}
