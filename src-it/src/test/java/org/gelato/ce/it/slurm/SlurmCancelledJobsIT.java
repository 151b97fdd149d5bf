package org.gelato.ce.it.slurm;

import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.CancelledJobs;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No job that was cancelled on a real Slurm has ended well. */
class SlurmCancelledJobsIT {
    private static SlurmControl slurm;
    private static SiteCe ce;
    private static CancelledJobs jobs;

    @BeforeAll
    static void start() {
        slurm = SlurmControl.start();
        ce = new SiteCe(
                "cancels",
                "slurm",
                "dteam001",
                Map.of("gelato.lrms.slurm.conf", slurm.conf().toString(), "gelato.jobs.lease-sweep-interval", "1 s"));
        ce.start();
        jobs = new CancelledJobs(ce);
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    /** {@link SlurmMeddlingIT} cancels some in each run of the tests. */
    @Test
    @Tag("long")
    void jobsThatTheirUserCancels() {
        jobs.byTheirUser();
    }

    @Test
    @Tag("long")
    void jobsWhoseLeaseRanOut() {
        jobs.byALeaseThatRanOut();
    }

    @Test
    void jobsThatAnAdministratorCancels() {
        jobs.byAnAdministrator(SlurmCancelledJobsIT::scancel);
    }

    @Test
    @Tag("long")
    void jobsThatAnAdministratorCancelsWhileTheCeIsAway() {
        jobs.whileTheCeIsAway(SlurmCancelledJobsIT::scancel);
    }

    private static void scancel(List<String> names) {
        names.forEach(name -> slurm.site().command("scancel", "--name=" + name));
    }
}
