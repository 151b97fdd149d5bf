package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.gelato.ce.lrms.slurm.SlurmLrms;
import org.gelato.ce.lrms.slurm.SlurmOwnAccountCommands;
import org.gelato.ce.lrms.slurm.SlurmRestService;
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
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    // Not below the clone: the jobs' account may not get there.
    private static final Path FOLDER = Path.of(
            "/var/tmp", "gelato-slurm-requests-" + ProcessHandle.current().pid());
    private static final Pattern FIELD = Pattern.compile("(?<=^| )([A-Za-z:/]+)=(\\S*)");

    private SlurmTestSite site;
    private GahpChannel helper;
    private SandboxLayout layout;
    private Path home;
    private int lastJob;

    @BeforeAll
    void startSite() throws IOException {
        SlurmTestSite here = SlurmTestSite.farm(FOLDER.resolve("site"), SlurmTestSite.Memory.SLURMD);
        here.prepare().ifPresent(words -> Skipped.because("Slurm", words));
        here.wipe();
        here.start();
        site = here;
        layout = new SandboxLayout(FOLDER.resolve("sandboxes"));
        home = layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), SlurmTestSite.ACCOUNT);
        SlurmConfig slurm = Records.with(SlurmConfig.DEFAULT, "confFile", site.conf());
        List<String> lines = new ArrayList<>(List.of(
                "sandbox_root=" + layout.root(),
                "min_uid=1000",
                "service_directory=" + FOLDER.resolve("services"),
                "executable=/usr/bin/sbatch",
                "executable=" + SiteScriptLines.SHELL));
        SlurmOwnAccountCommands.lines(slurm).forEach(own -> lines.add("self_executable=" + own));
        SlurmOwnAccountCommands.environment(slurm).forEach(own -> lines.add("self_environment=" + own));
        SlurmRestService.lines(slurm).forEach(line -> lines.add("account_service=" + line));
        SlurmRestService.environment(slurm).forEach(line -> lines.add("account_service_environment=" + line));
        Path limits = FOLDER.resolve("helper.conf");
        Files.write(limits, lines);
        Files.setPosixFilePermissions(limits, PosixFilePermissions.fromString("rw-r--r--"));
        helper = GahpChannel.start(
                List.of(HelperBinary.extract(FOLDER.resolve("helper")).toString(), "-c", limits.toString()));
    }

    @AfterAll
    void stopSite() throws IOException {
        if (helper != null) {
            helper.close();
        }
        if (site != null) {
            site.wipe();
            SiteCe.remove(FOLDER);
        }
    }

    private SlurmLrms lrms(Api api, Path script) {
        if (api == Api.REST && !Files.isExecutable(SlurmConfig.DEFAULT.restDaemon())) {
            Skipped.because("slurmrestd", SlurmConfig.DEFAULT.restDaemon() + " is not installed");
        }
        return new SlurmLrms(
                Records.with(SlurmConfig.DEFAULT, "confFile", site.conf(), "api", api, "submitAttributes", script),
                new HelperAccountCommands(helper),
                ForkJoinPool.commonPool());
    }

    private Submission submission(String attributes, String script) throws DescriptionException {
        JobId id = new JobId(++lastJob);
        return new Submission(
                id,
                1,
                SlurmTestSite.ACCOUNT,
                "long",
                layout.sandbox(home, id),
                "#!/bin/bash\n" + script + "\n",
                Jdl.parse("Executable = \"/bin/true\"; BatchSystem = \"slurm\"; QueueName = \"long\"; " + attributes));
    }

    /** Submits, waits for the job's end, and returns what Slurm says of it. */
    private String ended(SlurmLrms lrms, Submission job) {
        SubmitResult result = lrms.submit(List.of(job)).get(0).join();
        assertThat(result).isInstanceOf(SubmitResult.Accepted.class);
        String id = ((SubmitResult.Accepted) result).lrmsId();
        return await(job.request().resources().toString())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .until(
                        () -> site.command("scontrol", "-o", "show", "job", id),
                        shown -> shown.contains("JobState=COMPLETED"));
    }

    private static String field(String shown, String name) {
        Matcher fields = FIELD.matcher(shown);
        while (fields.find()) {
            if (fields.group(1).equals(name)) {
                return fields.group(2);
            }
        }
        return null;
    }

    /** Slurm from 23.02 on shows what was requested beside it. */
    private static String allocated(String shown) {
        String newer = field(shown, "AllocTRES");
        return newer == null ? field(shown, "TRES") : newer;
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void requirementsAreOptionsOfTheJob(Api api) throws DescriptionException {
        SlurmLrms lrms = lrms(api, null);
        String small = ended(
                lrms,
                submission(
                        "CERequirements=\"other.GlueHostMainMemoryRAMSize >= 3000"
                                + " && other.GlueCEPolicyMaxWallClockTime <= 60\";",
                        "true"));
        assertThat(field(small, "TimeLimit")).isEqualTo("01:00:00");
        assertThat(field(small, "MinMemoryNode")).isEqualTo("3000M");
        assertThat(allocated(small)).contains("cpu=1,mem=3000M,node=1");
        String cores = ended(
                lrms,
                submission(
                        "CERequirements = other.GlueHostArchitectureSMPSize >= 4 && other.GlueCEPolicyMaxCPUTime >= 90;",
                        "true"));
        assertThat(field(cores, "TimeLimit")).isEqualTo("01:30:00");
        // 22.05 gives the job all four, 24.11 the one that it uses on a node that has them
        assertThat(field(cores, "MinCPUsNode")).isEqualTo("4");
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void aWholeNodeIsAllItsProcessorsAndMemory(Api api) throws DescriptionException {
        for (String more :
                List.of("", "SMPGranularity = 4;", "CERequirements = other.GlueHostMainMemoryRAMSize > 100;")) {
            String shown = ended(lrms(api, null), submission("WholeNodes = true; " + more, "true"));
            assertThat(allocated(shown)).as(more).contains("cpu=8,mem=16000M,node=1");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void gpusAreGivenByNumberAndModel(Api api) throws DescriptionException, IOException {
        SlurmLrms lrms = lrms(api, null);
        Submission two = submission("GPUNumber = 2;", "echo $CUDA_VISIBLE_DEVICES");
        assertThat(field(ended(lrms, two), "TresPerNode").replace("gres:", "gres/"))
                .isEqualTo("gres/gpu:2");
        assertThat(two.stdout()).hasContent("0,1");
        Submission fermi = submission("GPUNumber = 1; GPUModel = \"fermi\";", "echo $CUDA_VISIBLE_DEVICES");
        assertThat(field(ended(lrms, fermi), "TresPerNode").replace("gres:", "gres/"))
                .isEqualTo("gres/gpu:fermi:1");
        assertThat(fermi.stdout()).hasContent("0");
        Submission none = submission("", "echo x$CUDA_VISIBLE_DEVICES");
        assertThat(ended(lrms, none)).doesNotContain("gpu");
        assertThat(none.stdout()).hasContent("x");
        for (String bad : List.of(
                "GPUNumber = 3;", "GPUNumber = 1; GPUModel = \"kepler\";", "GPUNumber = 1; GPUModel = \"a,b\";")) {
            assertThat(lrms.submit(List.of(submission(bad, "true"))).get(0).join())
                    .as(bad)
                    .isInstanceOf(SubmitResult.Refused.class);
        }
    }

    @Test
    void theSitesScriptHasTheLastWord() throws DescriptionException, IOException {
        Path script = FOLDER.resolve("slurm_local_submit_attributes.sh");
        Files.writeString(script, """
                if [ -n "$GlueHostMainMemoryRAMSize_Min" ]; then
                  echo "#SBATCH --mem=$((GlueHostMainMemoryRAMSize_Min + 1000))"
                  echo "#SBATCH -p high --comment=for-$(id -un)-$blah_opt_mpinodes"
                  echo "export SITE=here"
                fi
                false
                """);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
        SlurmLrms lrms = lrms(Api.AUTO, script);
        Submission job = submission(
                "CpuNumber = 2; CERequirements = other.GlueHostMainMemoryRAMSize >= 2000"
                        + " && other.GlueCEPolicyMaxWallClockTime <= 60;",
                "echo $SITE");
        String shown = ended(lrms, job);
        assertThat(field(shown, "Partition")).isEqualTo("high");
        assertThat(field(shown, "Comment")).isEqualTo("for-" + SlurmTestSite.ACCOUNT + "-2");
        assertThat(allocated(shown)).contains("cpu=2,mem=3000M");
        assertThat(field(shown, "TimeLimit")).isEqualTo("01:00:00");
        assertThat(job.stdout()).hasContent("here");
        assertThat(field(ended(lrms, submission("", "true")), "Partition")).isEqualTo("long");
    }
}
