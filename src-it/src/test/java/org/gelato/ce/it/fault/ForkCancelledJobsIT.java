package org.gelato.ce.it.fault;

import java.util.Map;
import org.gelato.ce.it.site.CancelledJobs;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No job that was cancelled by fork has ended well. */
@Tag("long")
class ForkCancelledJobsIT {
    private static SiteCe ce;
    private static CancelledJobs jobs;

    @BeforeAll
    static void start() {
        ce = new SiteCe(
                "cancels",
                "fork",
                JobAccount.name(),
                Map.of("gelato.lrms.fork.slots", 500, "gelato.jobs.lease-sweep-interval", "1 s"));
        ce.start();
        jobs = new CancelledJobs(ce);
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
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
}
