package org.gelato.ce.perf.peer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenProfile;
import org.gelato.ce.ws.token.TokenRefusal;
import org.gelato.ce.ws.token.TokenSettings;
import org.gelato.ce.ws.token.TokenVerifier;

/**
 * What the verification of a bearer token costs that was verified before: the product's own verifier in the measuring process,
 * as within a request it is too little to be seen.
 */
public final class KnownToken {
    private static final int BEFORE = 20_000;
    private static final int CALLS = 20_000;
    private static final double NANOS_PER_MILLI = 1e6;

    private KnownToken() {}

    /**
     * CPU of the calling thread for one verification, in milliseconds.
     *
     * @param site whose issuer signs
     */
    public static double cpuMillis(PerfSite site) {
        Path keys = site.issuer().writeJwks(site.base().resolve("issuer-of-measurement.json"));
        TokenSettings settings = new TokenSettings(
                List.of(new TokenIssuer(
                        site.issuer().name(),
                        keys,
                        GridPki.VO,
                        TokenProfile.WLCG,
                        Set.of(),
                        Set.copyOf(TokenIssuer.ALGORITHMS))),
                Set.of(site.audience()),
                false,
                Duration.ofHours(1),
                Duration.ofDays(1),
                Duration.ofSeconds(5),
                site.base());
        String token = site.token("known");
        try (TokenVerifier verifier =
                new TokenVerifier(settings, SSLContext.getDefault(), Clock.systemUTC(), new SimpleMeterRegistry())) {
            verify(verifier, token, BEFORE);
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long begin = threads.getCurrentThreadCpuTime();
            verify(verifier, token, CALLS);
            return (threads.getCurrentThreadCpuTime() - begin) / NANOS_PER_MILLI / CALLS;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has TLS", e);
        }
    }

    private static void verify(TokenVerifier verifier, String token, int times) {
        try {
            for (int i = 0; i < times; i++) {
                verifier.verify(token);
            }
        } catch (TokenRefusal e) {
            throw new IllegalStateException("the token is refused: " + e.getMessage(), e);
        }
    }
}
