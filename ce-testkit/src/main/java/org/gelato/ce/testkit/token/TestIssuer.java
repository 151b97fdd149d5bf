package org.gelato.ce.testkit.token;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** An issuer of WLCG tokens. Thread-safe; its keys may be replaced at any time. */
public final class TestIssuer {
    private static final Duration LIFETIME = Duration.ofHours(1);

    private final String name;
    private final Clock clock;
    private volatile List<TokenKey> keys;

    /** @param name its {@code iss} */
    public TestIssuer(String name, Clock clock, TokenKey... keys) {
        this.name = name;
        this.clock = clock;
        this.keys = List.of(keys);
    }

    /** With one key of RSA and one of EC; tokens are signed by the first. */
    public static TestIssuer create(String name, Clock clock) {
        return new TestIssuer(name, clock, TokenKey.rsa("rsa1", 2048), TokenKey.ec("ec1"));
    }

    public String name() {
        return name;
    }

    /** The key at a place, from 0. */
    public TokenKey key(int index) {
        return keys.get(index);
    }

    /** Publishes these keys from now on, and signs by the first of them. */
    public void replaceKeys(TokenKey... others) {
        keys = List.of(others);
    }

    /** A token for a job service: all four scopes of compute, valid for an hour. */
    public TokenBuilder token(String subject, String audience) {
        return token(keys.get(0), subject, audience);
    }

    /** The same signed by a key of one's choice. */
    public TokenBuilder token(TokenKey key, String subject, String audience) {
        long now = clock.instant().getEpochSecond();
        return new TokenBuilder(key)
                .claim("wlcg.ver", "1.0")
                .claim("iss", name)
                .claim("sub", subject)
                .claim("aud", audience)
                .claim("iat", now)
                .claim("nbf", now)
                .claim("exp", now + LIFETIME.toSeconds())
                .claim("jti", UUID.randomUUID().toString())
                .claim("scope", "compute.read compute.create compute.modify compute.cancel");
    }

    /** The public keys as a JWK set. */
    public String jwks() {
        return jwks(keys.stream().map(TokenKey::jwk));
    }

    /** A set of whatever keys. */
    public static String jwks(Stream<Map<String, Object>> jwks) {
        return JsonText.of(Map.of("keys", jwks.toList()));
    }

    /** Writes {@link #jwks}, whole or not at all. */
    public Path writeJwks(Path file) {
        try {
            Path fresh = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), jwks());
            return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
