package org.gelato.ce.it.slurm;

import org.gelato.ce.it.history.HistoriesIT;
import org.gelato.ce.it.kill.KillableSlurm;
import org.gelato.ce.it.site.BatchSite;
import org.junit.jupiter.api.Tag;

/** The same on a Slurm that forgets ended jobs within seconds, and all jobs now and then: those may fail, with the reason. */
@Tag("long")
class ForgetfulHistoriesIT extends HistoriesIT {
    @Override
    protected BatchSite batchSite() {
        return new KillableSlurm(true);
    }

    @Override
    protected String batchSystem() {
        return "Slurm, forgetful";
    }
}
