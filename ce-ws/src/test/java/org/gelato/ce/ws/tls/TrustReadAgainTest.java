package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.fixture.TestClock;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.tls.directory.LastGoodCopy;
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
                },
                Clock.systemUTC())) {
            pki.revoke(pki.user("Mallory"));
            trust.reloadIfChanged();
            assertThat(trust.version()).isZero();
            trust.reloadIfChanged();
            assertThat(trust.version()).isEqualTo(1);
            trust.reloadIfChanged();
            assertThat(readings).hasValue(3);
        }
    }

    /** Certificates of clients that are not authorized are parsed there, and an Error would end the readings for ever. */
    @Test
    void aReadingThatMetAnErrorIsTriedAgain() {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        AtomicInteger readings = new AtomicInteger();
        try (GridTrust trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofSeconds(1)),
                directory.resolve("trust"),
                (from, namespaces, params, listed) -> {
                    if (readings.incrementAndGet() == 2) {
                        throw new StackOverflowError();
                    }
                    return new PathValidator(from, namespaces, params, listed);
                },
                Clock.systemUTC())) {
            pki.revoke(pki.user("Mallory"));
            await().atMost(Duration.ofMinutes(2)).until(() -> trust.version() > 0);
            assertThat(readings).hasValueGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void theJudgementOfAClockThatWasSetBackIsMadeAnew() {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        TestClock clock = new TestClock(Instant.now());
        Duration refresh = Duration.ofHours(1);
        try (GridTrust trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, refresh),
                directory.resolve("trust"),
                PathValidator::new,
                clock)) {
            TrustState first = trust.state();
            clock.advance(refresh.minusMillis(1));
            assertThat(trust.state()).isSameAs(first);
            clock.advance(refresh.multipliedBy(-2));
            assertThat(trust.judged()).as("by whom nobody waits").isSameAs(first);
            assertThat(trust.state()).isNotSameAs(first).isSameAs(trust.judged());
        }
    }

    @Test
    void aFileThatOverflowsTheStackIsLeftOutAlone() throws IOException {
        Path source = Files.createDirectory(directory.resolve("source"));
        Path hostile = Files.writeString(source.resolve("1.pem"), "text");
        Files.writeString(source.resolve("2.pem"), "text");
        LastGoodCopy copy = new LastGoodCopy(
                source,
                1,
                name -> true,
                (name, file) -> {
                    if (name.startsWith("1.pem")) {
                        throw new StackOverflowError();
                    }
                    return true;
                },
                Files.createDirectory(directory.resolve("place")));
        assertThat(copy.leftOut()).containsOnlyKeys(hostile);
        assertThat(copy.directory().resolve("2.pem")).exists();
        Files.delete(hostile);
        copy.refresh();
        assertThat(copy.broken()).isEmpty();
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
