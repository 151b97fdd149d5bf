package org.gelato.ce.it.history.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;

/** What changes below a CE that runs: lists of revoked certificates, CAs, and its own certificate. */
final class TrustFaults {
    /** For a CE that another fault stops or kills meanwhile. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HistorySite site;
    private final GridCredential probe;

    TrustFaults(HistorySite site) {
        this.site = site;
        probe = site.proxy(Authority.CA, "Probe", Duration.ofHours(1));
    }

    /**
     * The other CA is no trust anchor for a while.
     *
     * @param now positions in the log
     * @return from when on all front ends refused its users, also on open connections, until it was put back
     */
    FaultLog.Away removeAuthority(int milliseconds, LongSupplier now) {
        List<HttpCalls> users = users(site.proxy(Authority.OTHER_CA, "Probe of the other", Duration.ofHours(1)));
        awaitAdmission(users, true);
        FaultLog.Away away;
        try {
            site.otherAuthority().withdraw();
            awaitAdmission(users, false);
            long from = now.getAsLong();
            // the CE reads the directory twice in the rest of the time
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds / 2));
            away = new FaultLog.Away(from, now.getAsLong());
        } finally {
            site.otherAuthority().restore();
        }
        awaitAdmission(users, true);
        return away;
    }

    /** Requests by a proxy to each front end, each on a connection that stays. */
    private List<HttpCalls> users(GridCredential proxy) {
        return IntStream.range(0, site.fronts().size())
                .mapToObj(front -> site.calls(proxy, front))
                .toList();
    }

    /** From when it has ended for all front ends on, none admits anybody; when there is a newer one, all do. */
    void endRevocationList(int milliseconds) {
        GridPki pki = site.first().ce().pki();
        try {
            // before any clock that is moved back meanwhile
            pki.endRevocationList(Instant.now().minus(Duration.ofMinutes(10)));
            awaitAdmission(users(probe), false);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
            assertThat(admissions(users(probe)))
                    .as("who is admitted while the list has ended")
                    .doesNotContain(true);
        } finally {
            pki.endRevocationList(Instant.now().plus(Duration.ofDays(30)));
        }
        awaitAdmission(users(probe), true);
    }

    private void awaitAdmission(List<HttpCalls> users, boolean admitted) {
        int fronts = site.fronts().size();
        Awaitility.await("front ends that " + (admitted ? "admit users" : "refuse users"))
                .atMost(PATIENCE)
                .until(() ->
                        admissions(users).stream().filter(a -> a == admitted).count() == fronts);
    }

    /** Whether each front end that answers admits a user. */
    private static List<Boolean> admissions(List<HttpCalls> users) {
        List<Boolean> admissions = new ArrayList<>();
        for (HttpCalls user : users) {
            try {
                int status = user.send("GET", "/arex/rest/1.0/jobs", null, "Accept", "application/json")
                        .statusCode();
                if (status == 200) {
                    admissions.add(true);
                }
            } catch (NotAdmittedException e) {
                admissions.add(false);
            } catch (IOException e) {
                // another fault
            }
        }
        return admissions;
    }

    /** Certificate and key of each front end, which it serves then without a restart. */
    void renewHostCertificates() {
        for (SiteCe ce : site.fronts()) {
            GridPki renewed =
                    GridPki.open(ce.base().resolve("pki"), "localhost", "r" + System.nanoTime() + ".example.org");
            Certificate wanted = renewed.host().certificate();
            Awaitility.await("a front end that serves its new certificate")
                    .atMost(PATIENCE)
                    .ignoreExceptionsMatching(e -> e instanceof IOException)
                    .until(() -> served(ce).equals(wanted));
        }
    }

    private Certificate served(SiteCe ce) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) new ClientTls(ce).of(probe).getSocketFactory().createSocket("localhost", ce.port())) {
            socket.setSoTimeout((int) Duration.ofSeconds(10).toMillis());
            return socket.getSession().getPeerCertificates()[0];
        }
    }
}
