package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.gelato.ce.lrms.slurm.SlurmLrms;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What descriptions request, and what a Slurm that schedules memory and GPUs gives their jobs, by commands and by slurmrestd. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlurmRequestsIT {
    private SlurmFarm farm;

    @BeforeAll
    void startSite() throws IOException {
        farm = new SlurmFarm("gelato-slurm-requests");
    }

    @AfterAll
    void stopSite() throws IOException {
        if (farm != null) {
            farm.close();
        }
    }

    /** Slurm from 23.02 on shows what was requested beside it. */
    private static String allocated(String shown) {
        String newer = SlurmFarm.field(shown, "AllocTRES");
        return newer == null ? SlurmFarm.field(shown, "TRES") : newer;
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void requirementsAreOptionsOfTheJob(Api api) throws DescriptionException {
        SlurmLrms lrms = farm.lrms(api, null);
        String small = farm.ended(
                lrms,
                farm.submission(
                        "CERequirements=\"other.GlueHostMainMemoryRAMSize >= 3000"
                                + " && other.GlueCEPolicyMaxWallClockTime <= 60\";",
                        "true"));
        assertThat(SlurmFarm.field(small, "TimeLimit")).isEqualTo("01:00:00");
        assertThat(SlurmFarm.field(small, "MinMemoryNode")).isEqualTo("3000M");
        assertThat(allocated(small)).contains("cpu=1,mem=3000M,node=1");
        String cores = farm.ended(
                lrms,
                farm.submission(
                        "CERequirements = other.GlueHostArchitectureSMPSize >= 4 && other.GlueCEPolicyMaxCPUTime >= 90;",
                        "true"));
        assertThat(SlurmFarm.field(cores, "TimeLimit")).isEqualTo("01:30:00");
        // 22.05 gives the job all four, 24.11 the one that it uses on a node that has them
        assertThat(SlurmFarm.field(cores, "MinCPUsNode")).isEqualTo("4");
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void aWholeNodeIsAllItsProcessorsAndMemory(Api api) throws DescriptionException {
        for (String more :
                List.of("", "SMPGranularity = 4;", "CERequirements = other.GlueHostMainMemoryRAMSize > 100;")) {
            String shown = farm.ended(farm.lrms(api, null), farm.submission("WholeNodes = true; " + more, "true"));
            assertThat(allocated(shown)).as(more).contains("cpu=8,mem=16000M,node=1");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void gpusAreGivenByNumberAndModel(Api api) throws DescriptionException, IOException {
        SlurmLrms lrms = farm.lrms(api, null);
        Submission two = farm.submission("GPUNumber = 2;", "echo $CUDA_VISIBLE_DEVICES");
        assertThat(SlurmFarm.field(farm.ended(lrms, two), "TresPerNode").replace("gres:", "gres/"))
                .isEqualTo("gres/gpu:2");
        assertThat(two.stdout()).hasContent("0,1");
        Submission fermi = farm.submission("GPUNumber = 1; GPUModel = \"fermi\";", "echo $CUDA_VISIBLE_DEVICES");
        assertThat(SlurmFarm.field(farm.ended(lrms, fermi), "TresPerNode").replace("gres:", "gres/"))
                .isEqualTo("gres/gpu:fermi:1");
        assertThat(fermi.stdout()).hasContent("0");
        Submission none = farm.submission("", "echo x$CUDA_VISIBLE_DEVICES");
        assertThat(farm.ended(lrms, none)).doesNotContain("gpu");
        assertThat(none.stdout()).hasContent("x");
        for (String bad : List.of(
                "GPUNumber = 3;", "GPUNumber = 1; GPUModel = \"kepler\";", "GPUNumber = 1; GPUModel = \"a,b\";")) {
            assertThat(lrms.submit(List.of(farm.submission(bad, "true"))).get(0).join())
                    .as(bad)
                    .isInstanceOf(SubmitResult.Refused.class);
        }
    }

    @Test
    void theSitesScriptHasTheLastWord() throws DescriptionException, IOException {
        Path script = farm.folder().resolve("slurm_local_submit_attributes.sh");
        Files.writeString(script, """
                if [ -n "$GlueHostMainMemoryRAMSize_Min" ]; then
                  echo "#SBATCH --mem=$((GlueHostMainMemoryRAMSize_Min + 1000))"
                  echo "#SBATCH -p high --comment=for-$(id -un)-$blah_opt_mpinodes"
                  echo "export SITE=here"
                fi
                false
                """);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
        SlurmLrms lrms = farm.lrms(Api.AUTO, script);
        Submission job = farm.submission(
                "CpuNumber = 2; CERequirements = other.GlueHostMainMemoryRAMSize >= 2000"
                        + " && other.GlueCEPolicyMaxWallClockTime <= 60;",
                "echo $SITE");
        String shown = farm.ended(lrms, job);
        assertThat(SlurmFarm.field(shown, "Partition")).isEqualTo("high");
        assertThat(SlurmFarm.field(shown, "Comment")).isEqualTo("for-" + SlurmTestSite.ACCOUNT + "-2");
        assertThat(allocated(shown)).contains("cpu=2,mem=3000M");
        assertThat(SlurmFarm.field(shown, "TimeLimit")).isEqualTo("01:00:00");
        assertThat(job.stdout()).hasContent("here");
        assertThat(SlurmFarm.field(farm.ended(lrms, farm.submission("", "true")), "Partition"))
                .isEqualTo("long");
    }
}
