package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.lrms.condor.CondorConfig;
import org.gelato.ce.lrms.condor.CondorLrms;
import org.gelato.ce.lrms.condor.CondorSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The adapter on a real HTCondor, jobs running as an unprivileged account. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CondorAdapter {
    static final NodeRequest ONE_CPU = nodes(1);
    static final Duration PATIENCE = Duration.ofMinutes(4);
    static final int SLOTS = 24;
    static final String ACCOUNT = CondorSlots.ACCOUNT;

    final Path folder = Path.of(
            "/var/tmp",
            "gelato-" + getClass().getSimpleName() + "-"
                    + ProcessHandle.current().pid());
    CondorSlots pool;
    CondorConfig config;
    List<String> helperCommand;
    GahpChannel helper;
    AccountCommands accounts;
    CondorLrms lrms;
    SandboxLayout layout;
    Path home;
    private int lastJob;

    @BeforeAll
    void startPool() throws IOException {
        CondorSlots.missing().ifPresent(reason -> Skipped.because("HTCondor", reason));
        Files.createDirectories(folder);
        pool = CondorSlots.start(folder.resolve("pool"), SLOTS);
        layout = new SandboxLayout(folder.resolve("sandboxes"));
        home = layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), ACCOUNT);
        config = Records.with(CondorConfig.DEFAULT, "configFile", pool.config());
        List<String> lines = new ArrayList<>(List.of(
                "sandbox_root=" + layout.root(), "min_uid=1000", "service_directory=" + folder.resolve("services")));
        new CondorSite(config).helperLines().forEach(line -> lines.add(line.text()));
        lines.add("executable=/bin/bash");
        Path limits = folder.resolve("helper.conf");
        Files.write(limits, lines);
        Files.setPosixFilePermissions(limits, PosixFilePermissions.fromString("rw-r--r--"));
        helperCommand = List.of(HelperBinary.extract(folder.resolve("helper")).toString(), "-c", limits.toString());
        startHelper();
    }

    void startHelper() throws IOException {
        helper = GahpChannel.start(helperCommand);
        accounts = new HelperAccountCommands(helper);
        lrms = lrms(config);
    }

    @AfterAll
    void stopPool() throws IOException {
        if (helper != null) {
            helper.close();
        }
        if (pool != null) {
            pool.close();
            SiteCe.remove(folder);
        }
    }

    CondorLrms lrms(CondorConfig site) {
        return new CondorLrms(site, accounts, ForkJoinPool.commonPool(), Clock.systemUTC());
    }

    static NodeRequest nodes(int cpus) {
        return new NodeRequest(cpus, null, null, false);
    }

    static Limits limits(Duration wall, Duration cpu) {
        return new Limits(wall, cpu, null);
    }

    /** One that no node can run. */
    Submission never() {
        return submission("true", "long", nodes(1000), Limits.NONE);
    }

    Submission submission(String script) {
        return submission(script, "long", ONE_CPU, Limits.NONE);
    }

    Submission submission(String script, String queue, NodeRequest nodes, Limits limits) {
        JobId id = new JobId(++lastJob);
        return new Submission(
                id,
                1,
                ACCOUNT,
                queue,
                layout.sandbox(home, id),
                "#!/bin/bash\n" + script + "\n",
                JobRequest.of(
                        new JobRequest.Executable("/bin/true", ""),
                        new JobRequest.Resources("condor", queue, nodes, limits)));
    }

    String accepted(Submission submission) {
        return accepted(List.of(submission)).get(0);
    }

    List<String> accepted(List<Submission> submissions) {
        return lrms.submit(submissions).stream()
                .map(CompletableFuture::join)
                .map(result -> {
                    assertThat(result).isInstanceOf(SubmitResult.Accepted.class);
                    return ((SubmitResult.Accepted) result).lrmsId();
                })
                .toList();
    }

    Map<String, LrmsJob> seen(Collection<String> ids) {
        return lrms.poll().join().stream()
                .filter(job -> ids.contains(job.lrmsId()))
                .collect(Collectors.toMap(LrmsJob::lrmsId, job -> job));
    }

    LrmsJob awaitState(String id, State state) {
        return awaitJob(id, job -> job.state() == state);
    }

    LrmsJob awaitJob(String id, Predicate<LrmsJob> is) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> seen(List.of(id)).get(id), job -> job != null && is.test(job));
    }
}
