package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.Test;

/** The slurm.conf of docs/admin/slurm.md, as it stands there. */
class SlurmPageIT {
    private static final Path PAGE =
            Path.of("..", "docs", "admin", "slurm.md").toAbsolutePath().normalize();
    private static final Path FOLDER = Path.of("target", "slurm-page").toAbsolutePath();

    @Test
    void aNodeOfTwoProcessorsRunsTwoJobsAtOnce() {
        SlurmTestSite site = SlurmTestSite.ofPage(FOLDER, PAGE);
        site.prepare().ifPresent(words -> Skipped.because("Slurm", words));
        site.wipe();
        try {
            site.start();
            for (int i = 0; i < 2; i++) {
                site.command("sbatch", "-D", "/", "-o", "/dev/null", "--wrap", "sleep 600");
            }
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(site.command("squeue", "--noheader", "--format=%T %r"))
                            .isEqualTo("RUNNING None\nRUNNING None\n"));
        } finally {
            site.wipe();
        }
    }
}
