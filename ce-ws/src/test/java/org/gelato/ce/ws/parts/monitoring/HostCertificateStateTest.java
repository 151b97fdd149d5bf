package org.gelato.ce.ws.parts.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.http.HealthCheck.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class HostCertificateStateTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(HostCertificateState.class);

    @TempDir
    static Path grid;

    private static GridPki pki;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Instant now = Instant.now();
    private final InstantSource source = () -> now;
    private final Clock clock = source.withZone(ZoneOffset.UTC);

    @BeforeAll
    static void make() {
        pki = GridPki.open(grid, "ce.example.org");
    }

    @BeforeEach
    void attach() {
        log.start();
        LOGGER.addAppender(log);
    }

    @AfterEach
    void detach() {
        LOGGER.detachAppender(log);
    }

    @Test
    void aCertificateDegradesTheCeInItsLastWeekAndMakesItNotReadyAfterItsEnd() {
        HostCertificateState state = state("ce.example.org");
        Instant end = state.end();
        assertThat(seen(state)).isEqualTo(new Outcome(true, "ends at " + end));

        now = end.minus(Duration.ofDays(7)).plusSeconds(1);
        assertThat(seen(state))
                .isEqualTo(Outcome.degraded("the host certificate ends at " + end + ", in less than 7 days"));
        assertThat(usable()).isEqualTo(1);
        assertThat(errors()).hasSize(1);

        now = end;
        assertThat(seen(state))
                .isEqualTo(new Outcome(
                        false, "the host certificate ended at " + end + ", so that every client refuses this CE"));
        seen(state);
        assertThat(usable()).isZero();
        assertThat(meters.get("ce.host.certificate.expires").gauge().value()).isZero();
        assertThat(errors())
                .hasSize(2)
                .allMatch(e -> e.endsWith("; install a certificate for ce.example.org and its key in the files of"
                        + " gelato.tls, no restart is needed"));
    }

    @Test
    void aCertificateForAnotherHostMakesTheCeNotReady() {
        HostCertificateState state = state("other.example.org");

        Outcome outcome = seen(state);

        assertThat(outcome.ok()).isFalse();
        assertThat(outcome.detail())
                .startsWith("the host certificate is for ce.example.org, ")
                .contains("and not for other.example.org");
        assertThat(usable()).isZero();
        assertThat(errors()).hasSize(1);
    }

    private HostCertificateState state(String host) {
        HostCertificateState state = new HostCertificateState(
                new HostCredential(pki.hostCertificate(), pki.hostKey(), host, clock), host, clock);
        state.register(meters);
        return state;
    }

    private static Outcome seen(HostCertificateState state) {
        state.report();
        return state.check().join();
    }

    private double usable() {
        return meters.get("ce.host.certificate.usable").gauge().value();
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(e -> e.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
