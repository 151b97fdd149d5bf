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
import org.gelato.ce.ws.tls.TrustState;

/**
 * Reports what the trust in force decides: in the response of {@code /health/ready}, and how long the CRLs of the CAs are still valid
 * as the gauge {@code ce.crl.expires} per CA. Where no certificate of some CA is accepted, or the file of a VOMS server can't be used,
 * the CE is degraded and stays ready: others are served.
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

    /** Brings the gauge and the judgement up to date, so that requests find it; NaN for a CA that has no CRL any more. */
    public void meter() {
        trust.state();
        Instant now = clock.instant();
        Map<String, Double> left = new HashMap<>();
        trust.revocationListEnds()
                .forEach((ca, end) ->
                        left.put(ca, (double) Duration.between(now, end).toSeconds()));
        gauge.set(left);
    }

    public HealthCheck check() {
        return HealthCheck.ofState("trust", () -> {
            TrustState state = trust.judged();
            List<String> troubles = new ArrayList<>();
            if (!state.refused().isEmpty()) {
                troubles.add("no user of these CAs is accepted: " + words(state.refused()));
            }
            if (!state.files().isEmpty()) {
                troubles.add("these files can't be used: " + words(state.files()));
            }
            if (!troubles.isEmpty()) {
                return HealthCheck.Outcome.degraded(String.join("; ", troubles));
            }
            return new HealthCheck.Outcome(
                    true,
                    state.limited().isEmpty()
                            ? "current"
                            : "of these CAs only certificates with the distribution point of the CRL are accepted: "
                                    + words(state.limited()));
        });
    }

    private static String words(Map<?, String> named) {
        return named.entrySet().stream()
                .map(e -> e.getKey() + " (" + e.getValue() + ")")
                .collect(Collectors.joining(", "));
    }
}
