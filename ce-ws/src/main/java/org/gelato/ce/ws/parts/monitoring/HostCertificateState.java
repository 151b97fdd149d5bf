package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.ws.credential.HostCertificate;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.http.HealthCheck;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports whether clients can accept the host certificate in force: as gauges, in the log once per change, and in the response of
 * {@code /health/ready}. The CE is degraded in the last days of the certificate, and not ready when it has ended or is for another
 * host: no client gets in then.
 */
public final class HostCertificateState implements HealthCheck {
    private static final Logger log = LoggerFactory.getLogger(HostCertificateState.class);
    private static final Duration SOON = Duration.ofDays(7);
    private static final String REMEDY =
            "; install a certificate for %s and its key in the files of gelato.tls, no restart is needed";

    private final HostCredential credential;
    private final String host;
    private final Clock clock;
    private String reported = "";

    public HostCertificateState(HostCredential credential, String host, Clock clock) {
        this.credential = credential;
        this.host = host;
        this.clock = clock;
    }

    public void register(MeterRegistry meters) {
        Gauge.builder("ce.host.certificate.expires", this, self -> self.left().toSeconds())
                .description("Time until the host certificate ends")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("ce.host.certificate.usable", this, self -> self.refusal().isEmpty() ? 1 : 0)
                .description("0 while the host certificate has ended, is not yet valid, or is for another host")
                .register(meters);
    }

    /** Logs what is wrong with the certificate, once. Called by one thread. */
    public void report() {
        String now = refusal()
                .map(why -> why + ", so that every client refuses this CE")
                .or(this::endsSoon)
                .orElse("");
        if (!now.equals(reported)) {
            reported = now;
            if (!now.isEmpty()) {
                log.error("{}{}", now, REMEDY.formatted(host));
            }
        }
    }

    @Override
    public String name() {
        return "host-certificate";
    }

    @Override
    public CompletableFuture<Outcome> check() {
        return CompletableFuture.completedFuture(outcome());
    }

    private Outcome outcome() {
        Optional<String> refusal = refusal();
        if (refusal.isPresent()) {
            return new Outcome(false, refusal.get() + ", so that every client refuses this CE");
        }
        return endsSoon()
                .map(Outcome::degraded)
                .orElseGet(() -> new Outcome(true, "ends at " + certificate().end()));
    }

    private Optional<String> refusal() {
        return certificate().refusal(host, clock.instant());
    }

    private Optional<String> endsSoon() {
        return left().compareTo(SOON) > 0
                ? Optional.empty()
                : Optional.of("the host certificate ends at " + certificate().end() + ", in less than 7 days");
    }

    private Duration left() {
        return Duration.between(clock.instant(), end());
    }

    /** When the certificate in force ends. */
    public Instant end() {
        return certificate().end();
    }

    private HostCertificate certificate() {
        return credential.certificate();
    }
}
