package org.gelato.ce.it.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.CancelledJobs;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.torque.TorqueStandIn;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No job that was cancelled on the stand-in for Torque has ended well. */
@Tag("long")
class TorqueCancelledJobsIT {
    private static TorqueSite site;
    private static CancelledJobs jobs;

    @BeforeAll
    static void start() throws IOException {
        TorqueStandIn.missing().ifPresent(reason -> Skipped.because("Torque", reason));
        site = new TorqueSite("cancels", Map.of("gelato.jobs.lease-sweep-interval", "1 s")).start();
        jobs = new CancelledJobs(site.ce());
    }

    @AfterAll
    static void stop() {
        if (site != null) {
            site.close();
        }
    }

    @Test
    void jobsThatTheirUserCancels() {
        jobs.byTheirUser();
    }

    @Test
    void jobsWhoseLeaseRanOut() {
        jobs.byALeaseThatRanOut();
    }

    @Test
    void jobsThatAnAdministratorDeletes() {
        jobs.byAnAdministrator(TorqueCancelledJobsIT::qdel);
    }

    private static void qdel(List<String> names) {
        List<String> ids = new ArrayList<>(site.shown("R"));
        assertThat(ids).hasSameSizeAs(names);
        for (int from = 0; from < ids.size(); from += 100) {
            String[] some = ids.subList(from, Math.min(ids.size(), from + 100)).toArray(new String[0]);
            assertThat(site.user().run("qdel", some).exit()).isZero();
        }
    }
}
