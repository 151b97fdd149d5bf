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
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;

/** What changes below a CE that runs: lists of revoked certificates, and its own certificate. */
final class TrustFaults {
    /** For a CE that another fault stops or kills meanwhile. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HistorySite site;
    private final GridCredential probe;

    TrustFaults(HistorySite site) {
        this.site = site;
        probe = site.proxy("Probe", Duration.ofHours(1));
    }

    /** From when it has ended for all front ends on, none admits anybody; when there is a newer one, all do. */
    void endRevocationList(int milliseconds) {
        GridPki pki = site.first().ce().pki();
        try {
            pki.endRevocationList(Instant.now().minusSeconds(60));
            awaitAdmission(false);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
            assertThat(admissions())
                    .as("who is admitted while the list has ended")
                    .doesNotContain(true);
        } finally {
            pki.endRevocationList(Instant.now().plus(Duration.ofDays(30)));
        }
        awaitAdmission(true);
    }

    private void awaitAdmission(boolean admitted) {
        int fronts = site.fronts().size();
        Awaitility.await("front ends that " + (admitted ? "admit users" : "refuse users"))
                .atMost(PATIENCE)
                .until(() -> admissions().stream().filter(a -> a == admitted).count() == fronts);
    }

    /** Whether each front end that answers admits a user. */
    private List<Boolean> admissions() {
        List<Boolean> admissions = new ArrayList<>();
        for (int i = 0; i < site.fronts().size(); i++) {
            try {
                int status = site.calls(probe, i)
                        .send("GET", "/arex/rest/1.0/jobs", null, "Accept", "application/json")
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
