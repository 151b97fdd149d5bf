package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.tls.GridTrust;

/**
 * Reports how long the CRLs of the CAs are still valid: as the gauge {@code ce.crl.expires} per CA, and in the response of
 * {@code /health/ready}. When one has ended or can't be used the CE is degraded and stays ready: users of the other CAs are
 * served.
 */
public final class RevocationState {
    private final GridTrust trust;
    private final Clock clock;
    private final GaugePerTag gauge;

    public RevocationState(GridTrust trust, Clock clock, MeterRegistry meters) {
        this.trust = trust;
        this.clock = clock;
        this.gauge = new GaugePerTag(
                meters,
                "ce.crl.expires",
                "Time until the CRL of the CA ends; below 0 none of its certificates is accepted",
                "seconds",
                "ca",
                Tags.empty(),
                Double.NaN);
    }

    /** Brings the gauge up to date; NaN for a CA that has no CRL any more. */
    public void meter() {
        Instant now = clock.instant();
        Map<String, Double> left = new HashMap<>();
        trust.revocationListEnds()
                .forEach((ca, end) ->
                        left.put(ca, (double) Duration.between(now, end).toSeconds()));
        gauge.set(left);
    }

    public HealthCheck check() {
        return HealthCheck.ofState("revocation-lists", () -> {
            Instant now = clock.instant();
            String ended = trust.revocationListEnds().entrySet().stream()
                    .filter(e -> !now.isBefore(e.getValue()))
                    .map(RevocationState::words)
                    .collect(Collectors.joining(", "));
            String unusable = trust.unusableRevocationLists().entrySet().stream()
                    .map(e -> e.getKey() + " (" + e.getValue() + ")")
                    .collect(Collectors.joining(", "));
            List<String> troubles = new ArrayList<>();
            if (!ended.isEmpty()) {
                troubles.add("no user of these CAs is accepted, as their CRLs ended: " + ended);
            }
            if (!unusable.isEmpty()) {
                troubles.add("no user of these CAs is accepted, as their CRLs can't be used: " + unusable);
            }
            return troubles.isEmpty()
                    ? new HealthCheck.Outcome(true, "current")
                    : HealthCheck.Outcome.degraded(String.join("; ", troubles));
        });
    }

    private static String words(Map.Entry<String, Instant> ended) {
        return ended.getKey() + " at " + ended.getValue();
    }
}
