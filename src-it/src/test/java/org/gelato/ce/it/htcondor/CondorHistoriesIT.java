package org.gelato.ce.it.htcondor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.it.history.HistoriesIT;
import org.gelato.ce.it.site.BatchSite;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.BeforeAll;

/** The same on HTCondor, whose schedd and shadows are killed, too. */
class CondorHistoriesIT extends HistoriesIT {
    private static final int SLOTS = 30;

    @BeforeAll
    static void needsHtcondor() {
        CondorSlots.missing().ifPresent(reason -> Skipped.because("HTCondor", reason));
    }

    @Override
    protected BatchSite batchSite() {
        try {
            return CondorSlots.start(Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-"), SLOTS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected String batchSystem() {
        return "HTCondor";
    }
}
