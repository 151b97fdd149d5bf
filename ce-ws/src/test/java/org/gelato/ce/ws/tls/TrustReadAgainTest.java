package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of a trust file counts in the end, also where it could not be read when it was seen first. */
class TrustReadAgainTest {
    @TempDir
    Path directory;

    @Test
    void aReadingThatFailedIsTriedAgain() {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        AtomicInteger readings = new AtomicInteger();
        try (GridTrust trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1)),
                directory.resolve("trust"),
                (from, namespaces, params, listed) -> {
                    if (readings.incrementAndGet() == 2) {
                        throw new IllegalStateException("too many open files");
                    }
                    return new PathValidator(from, namespaces, params, listed);
                })) {
            pki.revoke(pki.user("Mallory"));
            trust.reloadIfChanged();
            assertThat(trust.version()).isZero();
            trust.reloadIfChanged();
            assertThat(trust.version()).isEqualTo(1);
            trust.reloadIfChanged();
            assertThat(readings).hasValue(3);
        }
    }

    @Test
    void aFileThatFoundNoRoomIsTriedAgain() throws IOException {
        Path source = Files.createDirectory(directory.resolve("source"));
        Path place = Files.createDirectory(directory.resolve("place"));
        LastGoodCopy copy = new LastGoodCopy(source, 1, name -> true, (name, file) -> true, place);
        Path obstacle = Files.createDirectories(place.resolve("good/ca.pem/full"));
        Path file = Files.writeString(source.resolve("ca.pem"), "text");
        assertThat(copy.refresh()).isFalse();
        assertThat(copy.broken()).containsOnlyKeys(file);
        Files.delete(obstacle);
        Files.delete(obstacle.getParent());
        assertThat(copy.refresh()).isTrue();
        assertThat(copy.broken()).isEmpty();
        assertThat(copy.directory().resolve("ca.pem")).hasContent("text");
        assertThat(copy.refresh()).isFalse();
    }
}
