package org.gelato.ce.it.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.token.TestIssuer;

/**
 * The demo's issuer of bearer tokens (docs/admin/tokens.md). The CE has its public keys in a file, as nobody answers at its address; the
 * private ones are gone with the demo's process.
 */
final class DemoIssuer {
    static final String NAME = "https://issuer.demo.example/";
    private static final String SUBJECT = "demo-user";
    /** As long as a proxy's usual life, so that a CE that is kept can be tried for a day's work. */
    private static final Duration LIFETIME = Duration.ofHours(12);

    private final TestIssuer issuer;
    private final Clock clock;

    DemoIssuer(Clock clock) {
        this.issuer = TestIssuer.create(NAME, clock);
        this.clock = clock;
    }

    /**
     * Writes the public keys.
     *
     * @return one entry of {@code gelato.tokens.issuers}, which names that file
     */
    Map<String, String> trust(Path keys) {
        issuer.writeJwks(keys);
        return Map.of("issuer", NAME, "vo", GridPki.VO, "keys", keys.toString());
    }

    /** The line of a grid-mapfile that maps those who may submit. */
    static String mapping(LocalAccount account) {
        return "\"" + NAME + " scope=compute.create\" " + account.name() + "\n";
    }

    /**
     * Writes a token that permits everything with jobs, readable for this user alone from its first byte.
     *
     * @param audience the CE it is for
     * @return when it ends
     */
    Instant write(Path file, String audience) throws IOException {
        Instant end = clock.instant().plus(LIFETIME).truncatedTo(ChronoUnit.SECONDS);
        String token = issuer.token(SUBJECT, audience)
                .claim("exp", end.getEpochSecond())
                .sign();
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, List.of(token));
        return end;
    }
}
