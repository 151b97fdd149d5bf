package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.CancelledJobs;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.slurm.SlurmSite;
import org.gelato.ce.testkit.slurm.SlurmSite.Memory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a real Slurm of four nodes ends is shown with its reason, whatever the payload made of it. */
class SlurmEndsIT {
    /** Holds 700 MB of the 500 that it may have, until somebody ends it. */
    private static final String HOG = "{ head -c 700000000 /dev/zero; sleep 30; } | tail -c 700000000 > /dev/null";

    private SlurmSite slurm;
    private SiteUser user;

    @ParameterizedTest
    @EnumSource
    void whatSlurmEndsHasFailedWithItsReason(Memory memory) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-slurm-");
        slurm = SlurmSite.farm(folder, memory);
        Optional<String> missing = slurm.prepare();
        if (missing.isPresent()) {
            slurm.wipe();
            Skipped.because("Slurm", missing.get());
        }
        try {
            slurm.start();
            try (SiteCe ce = new SiteCe(
                    "ends",
                    "slurm",
                    SlurmSite.ACCOUNT,
                    Map.of(
                            "gelato.lrms.slurm.conf",
                            slurm.conf().toString(),
                            "gelato.lrms.queues",
                            List.of("long", "short", "low")))) {
                ce.start();
                user = ce.user("Nora of ends");
                String goesOn = user.submit(SiteUser.shellJob(HOG + "; echo rc $?; exit 0"));
                String killed = user.submit(SiteUser.shellJob("exec tail -c 700000000 /dev/zero"));
                String requeued = user.submit(SiteUser.shellJob("trap \\\"exit 0\\\" TERM; sleep 600 & wait"));
                String preempted = user.submit(SiteUser.sleepJob(600), "-r", ce.resource("low"));
                user.await(List.of(requeued, preempted), "REALLY-RUNNING");
                requeue(requeued);
                slurm.command("sbatch", "-p", "high", "--exclusive", "--chdir=/", "-o", "/dev/null", "--wrap=sleep 5");
                failed(goesOn, "slurm says: out of memory (limit 500 MiB)");
                failed(killed, "slurm says: out of memory (limit 500 MiB)");
                failed(requeued, "slurm says: requeued");
                failed(preempted, "slurm says: PREEMPTED");
                Awaitility.await("the requeued job is cancelled in Slurm")
                        .atMost(Duration.ofMinutes(2))
                        .until(() -> shown(requeued, "%T").equals("CANCELLED"));
                assertThat(user.state(requeued)).isEqualTo("DONE-FAILED");
            }
        } finally {
            slurm.wipe();
        }
    }

    private void requeue(String id) {
        String job = shown(id, "%i");
        slurm.command("scontrol", "update", "JobId=" + job, "Requeue=1");
        slurm.command("scontrol", "requeue", job);
    }

    private String shown(String id, String format) {
        String name = CancelledJobs.tags(List.of(id)).get(0);
        return slurm.command("squeue", "--noheader", "--states=all", "--name=" + name, "--format=" + format)
                .strip();
    }

    private void failed(String id, String reason) {
        Awaitility.await(reason).atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
            JsonNode info = user.info(id);
            assertThat(info.path("status").asText()).as("%s", info).isEqualTo("DONE-FAILED");
            assertThat(info.path("failureReason").asText()).contains(reason);
        });
    }
}
