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
import java.util.function.Function;
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

/** The adapter before a Slurm that schedules memory and GPUs, and what Slurm shows of its jobs. Skips the test where there can be none. */
final class SlurmFarm implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Pattern FIELD = Pattern.compile("(?<=^| )([A-Za-z:/]+)=(\\S*)");

    private final Path folder;
    private final SlurmTestSite site;
    private final GahpChannel helper;
    private final SandboxLayout layout;
    private final Path home;
    private int lastJob;

    /** @param name of its folder */
    SlurmFarm(String name) throws IOException {
        this(name, folder -> SlurmTestSite.farm(folder, SlurmTestSite.Memory.SLURMD));
    }

    /** @param farm in a folder */
    SlurmFarm(String name, Function<Path, SlurmTestSite> farm) throws IOException {
        // Not below the clone: the jobs' account may not get there.
        folder = Path.of("/var/tmp", name + "-" + ProcessHandle.current().pid());
        site = farm.apply(folder.resolve("site"));
        site.prepare().ifPresent(words -> Skipped.because("Slurm", words));
        site.wipe();
        site.start();
        layout = new SandboxLayout(folder.resolve("sandboxes"));
        home = layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), SlurmTestSite.ACCOUNT);
        try {
            helper = startHelper();
        } catch (IOException | RuntimeException e) {
            site.wipe();
            throw e;
        }
    }

    private GahpChannel startHelper() throws IOException {
        SlurmConfig slurm = Records.with(SlurmConfig.DEFAULT, "confFile", site.conf());
        List<String> lines = new ArrayList<>(List.of(
                "sandbox_root=" + layout.root(),
                "min_uid=1000",
                "service_directory=" + folder.resolve("services"),
                "executable=/usr/bin/sbatch",
                "executable=" + SiteScriptLines.SHELL));
        SlurmOwnAccountCommands.lines(slurm).forEach(own -> lines.add("self_executable=" + own));
        SlurmOwnAccountCommands.environment(slurm).forEach(own -> lines.add("self_environment=" + own));
        SlurmRestService.lines(slurm).forEach(line -> lines.add("account_service=" + line));
        SlurmRestService.environment(slurm).forEach(line -> lines.add("account_service_environment=" + line));
        Path limits = folder.resolve("helper.conf");
        Files.write(limits, lines);
        Files.setPosixFilePermissions(limits, PosixFilePermissions.fromString("rw-r--r--"));
        return GahpChannel.start(
                List.of(HelperBinary.extract(folder.resolve("helper")).toString(), "-c", limits.toString()));
    }

    @Override
    public void close() throws IOException {
        helper.close();
        site.wipe();
        SiteCe.remove(folder);
    }

    SlurmLrms lrms(Api api, Path script) {
        if (api == Api.REST && !Files.isExecutable(SlurmConfig.DEFAULT.restDaemon())) {
            Skipped.because("slurmrestd", SlurmConfig.DEFAULT.restDaemon() + " is not installed");
        }
        return new SlurmLrms(
                Records.with(SlurmConfig.DEFAULT, "confFile", site.conf(), "api", api, "submitAttributes", script),
                new HelperAccountCommands(helper),
                ForkJoinPool.commonPool());
    }

    Submission submission(String attributes, String script) throws DescriptionException {
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
    String ended(SlurmLrms lrms, Submission job) {
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

    static String field(String shown, String name) {
        Matcher fields = FIELD.matcher(shown);
        while (fields.find()) {
            if (fields.group(1).equals(name)) {
                return fields.group(2);
            }
        }
        return null;
    }

    Path folder() {
        return folder;
    }

    SlurmTestSite site() {
        return site;
    }
}
