package org.gelato.ce.it.history;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.gelato.ce.it.history.nemesis.Authority;
import org.gelato.ce.it.history.nemesis.HistorySite;
import org.gelato.ce.it.history.nemesis.HttpCalls;
import org.gelato.ce.testkit.pki.GridCredential;

/** What a client shows to say who it is: a proxy or a token, and the next one when it likes. Used by one thread at a time. */
final class Wallet {
    private static final Duration LONG = Duration.ofHours(12);
    private static final int SHORTEST_SECONDS = 3;
    private static final int LONGEST_SECONDS = 10;

    private final HistorySite site;
    private final Authority authority;
    private final String user;
    private final GridCredential delegating;
    private HttpCalls calls;
    private Instant end;

    Wallet(HistorySite site, Authority authority, String user) {
        this.site = site;
        this.authority = authority;
        this.user = user;
        delegating = site.proxy(authority, user, LONG);
        take(LONG);
    }

    /** Takes another proxy or token, which mostly ends soon. */
    void take(SplittableRandom random) {
        take(
                random.nextInt(3) == 0
                        ? LONG
                        : Duration.ofSeconds(SHORTEST_SECONDS + random.nextInt(LONGEST_SECONDS - SHORTEST_SECONDS)));
    }

    private void take(Duration lifetime) {
        if (authority == Authority.ISSUER) {
            end = Instant.now().plus(lifetime).truncatedTo(ChronoUnit.SECONDS);
            calls = site.calls(user, end);
            return;
        }
        GridCredential proxy = site.proxy(authority, user, lifetime);
        end = proxy.certificate().getNotAfter().toInstant();
        calls = site.calls(proxy);
    }

    /** When what is shown at present ends. */
    Instant end() {
        return end;
    }

    /** Requests by it. */
    HttpCalls calls() {
        return calls;
    }

    /** The proxy that signs delegations, which outlives the history. */
    GridCredential delegating() {
        return delegating;
    }
}
