package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.gelato.ce.lrms.slurm.SlurmLrms;
import org.gelato.ce.lrms.slurm.SlurmOwnAccountCommands;
import org.gelato.ce.lrms.slurm.SlurmRestService;
import org.gelato.ce.lrms.slurm.SlurmSite;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The adapter against a real Slurm by its commands, jobs running as an unprivileged account. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlurmLrmsIT {
    private static final NodeRequest ONE_CPU = new NodeRequest(1, null, null, false);
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    // Not below the clone: the jobs' account may not get there.
    private static final Path FOLDER =
            Path.of("/var/tmp", "gelato-slurm-it-" + ProcessHandle.current().pid());

    SlurmTestSite site;
    GahpChannel helper;
    SlurmLrms lrms;
    private AccountCommands accounts;
    private SandboxLayout layout;
    private Path home;
    private int lastJob;

    /** How jobs are handed over, cancelled, held and released. */
    Api api() {
        return Api.COMMANDS;
    }

    @BeforeAll
    void startSite() throws IOException {
        SlurmTestSite here = new SlurmTestSite(FOLDER.resolve("site"));
        Optional<String> reason = here.prepare();
        reason.ifPresent(words -> Skipped.because("Slurm", words));
        here.wipe();
        here.start();
        site = here;
        layout = new SandboxLayout(FOLDER.resolve("sandboxes"));
        home = layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), SlurmTestSite.ACCOUNT);
        List<String> lines = new ArrayList<>(List.of(
                "sandbox_root=" + layout.root(), "min_uid=1000", "service_directory=" + FOLDER.resolve("services")));
        for (String program : List.of("sbatch", "squeue", "scancel", "scontrol", "sinfo", "sacct")) {
            lines.add("executable=/usr/bin/" + program);
        }
        new SlurmSite(Records.with(SlurmConfig.DEFAULT, "suspendRunning", true))
                .helperLines().stream()
                        .map(HelperLine::text)
                        .filter(line -> line.startsWith("self_executable="))
                        .forEach(lines::add);
        SlurmConfig slurm = Records.with(SlurmConfig.DEFAULT, "confFile", site.conf());
        SlurmRestService.lines(slurm).forEach(line -> lines.add("account_service=" + line));
        SlurmRestService.environment(slurm).forEach(line -> lines.add("account_service_environment=" + line));
        // The second one is the site that has forgotten everything.
        for (Path conf : List.of(site.conf(), FOLDER.resolve("empty/etc/slurm.conf"))) {
            for (String variable :
                    SlurmOwnAccountCommands.environment(Records.with(SlurmConfig.DEFAULT, "confFile", conf))) {
                lines.add("self_environment=" + variable);
            }
        }
        Path limits = FOLDER.resolve("helper.conf");
        Files.write(limits, lines);
        Files.setPosixFilePermissions(limits, PosixFilePermissions.fromString("rw-r--r--"));
        helper = GahpChannel.start(
                List.of(HelperBinary.extract(FOLDER.resolve("helper")).toString(), "-c", limits.toString()));
        accounts = new HelperAccountCommands(helper);
        lrms = lrms(Records.with(SlurmConfig.DEFAULT, "confFile", site.conf()));
    }

    @AfterAll
    void stopSite() throws IOException {
        if (helper != null) {
            helper.close();
        }
        if (site != null) {
            site.wipe();
            assertThat(ProcessHandle.allProcesses()
                            .flatMap(process -> process.info().commandLine().stream())
                            .filter(line -> line.contains("slurmstepd") && line.contains(FOLDER.toString())))
                    .isEmpty();
            SiteCe.remove(FOLDER);
        }
    }

    @Test
    void aClusterSaysWhichOneItIs() throws IOException {
        assertThat(new SlurmSite(Records.with(SlurmConfig.DEFAULT, "confFile", site.conf()))
                        .identity(accounts, null)
                        .join())
                .hasValueSatisfying(text -> assertThat(text).matches("cluster gelato of [a-z0-9.-]+"));
    }

    @Test
    void queuesSlotsLimitsAndVersionAreSlurms() {
        ClusterStatus status = lrms.status().join();
        assertThat(status.version()).matches("[0-9]{2}\\.[0-9]{2}.*");
        // one node, in both partitions
        assertThat(status.slots()).hasValue(500);
        assertThat(status.freeSlots().getAsInt()).isBetween(0, 500);
        assertThat(status.queues()).extracting(ClusterStatus.Queue::name).containsExactlyInAnyOrder("long", "short");
        assertThat(status.queue("long")).hasValueSatisfying(queue -> {
            assertThat(queue.accepts()).isTrue();
            assertThat(queue.starts()).isTrue();
            assertThat(queue.slots()).hasValue(500);
            assertThat(queue.maxWallTime()).isEqualTo(Duration.ofDays(3));
        });
    }

    @Test
    void aJobIsQueuedRunsAndEndsWithItsExitCode() throws IOException {
        Submission good = submission("exec sleep 2");
        Submission bad = submission("echo out; echo err >&2; id -un; exit 3");
        Submission killed = submission("kill -9 $$");
        List<String> ids = accepted(good, bad, killed);

        awaitState(ids.get(0), State.RUNNING);
        LrmsJob done = awaitState(ids.get(0), State.DONE);
        assertThat(done.using(null)).isEqualTo(new LrmsJob(ids.get(0), good.id().tag(), State.DONE, 0, null, "wn0"));
        assertThat(done.usage().wall()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(5));
        assertThat(done.usage().cores()).isEqualTo(1);
        assertThat(awaitState(ids.get(1), State.DONE).exitCode()).isEqualTo(3);
        assertThat(awaitState(ids.get(2), State.DONE).exitCode()).isEqualTo(137);
        assertThat(bad.stdout()).hasContent("out\n" + SlurmTestSite.ACCOUNT);
        assertThat(bad.stderr()).hasContent("err");
        assertThat(Files.getPosixFilePermissions(bad.sandbox()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aJobSeesOnlyTheSmallEnvironment() throws IOException {
        Submission job = submission("env; pwd");
        awaitState(accepted(job).get(0), State.DONE);
        assertThat(Files.readAllLines(job.stdout()))
                .contains(
                        "HOME=" + job.sandbox(),
                        "USER=" + SlurmTestSite.ACCOUNT,
                        "LOGNAME=" + SlurmTestSite.ACCOUNT,
                        "LANG=C",
                        job.sandbox().toString())
                .filteredOn(line -> line.contains("=") && !line.startsWith("SLURM"))
                .allMatch(line ->
                        line.matches("(HOME|USER|LOGNAME|LANG|PATH|PWD|OLDPWD|SHLVL|HOSTNAME|ENVIRONMENT|TMPDIR|_)=.*"
                                // Slurm's own, from 23.11 on: how its launchers start processes of MPI
                                + "|(HYDRA|I_MPI|OMPI|PRTE)_\\w+=(slurm|--external-launcher)"));
    }

    @Test
    void cancelledWhileRunningAndWhileHeld() {
        List<String> ids = accepted(submission("exec sleep 600"), submission("exec sleep 600"));
        awaitState(ids.get(0), State.RUNNING);
        List<String> all = new ArrayList<>(ids);
        // one Slurm has never seen, and one it could not have
        all.add("999999");
        all.add("1 2");
        Map<String, String> words = lrms.cancel(SlurmTestSite.ACCOUNT, all).join();
        assertThat(words.get("1 2")).isNotNull();
        assertThat(words)
                .containsEntry(ids.get(0), null)
                .containsEntry(ids.get(1), null)
                .containsEntry("999999", null);
        awaitState(ids.get(0), State.CANCELLED);
        awaitState(ids.get(1), State.CANCELLED);
        assertThat(lrms.cancel(SlurmTestSite.ACCOUNT, ids).join()).containsEntry(ids.get(0), null);
    }

    @Test
    void foreignJobsAreNotCancelled() {
        List<String> ids = accepted(submission("exec sleep 600"));
        assertThat(lrms.cancel("nobody", ids).join()).containsEntry(ids.get(0), "Access/permission denied");
        assertThat(lrms.hold("nobody", ids).join().get(ids.get(0))).isNotNull();
        assertThat(seen(ids).get(ids.get(0)).state()).isIn(State.QUEUED, State.RUNNING);
        lrms.cancel(SlurmTestSite.ACCOUNT, ids).join();
    }

    @Test
    void aQueuedJobIsHeldAndReleased() {
        // all slots for itself, so that the second one waits
        String wide = accepted(submission("exec sleep 600", "long", nodes(500))).get(0);
        awaitState(wide, State.RUNNING);
        String id = accepted(submission("exec sleep 1", "long", nodes(500))).get(0);
        assertThat(lrms.hold(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
        assertThat(awaitState(id, State.HELD).reason()).isEqualTo("JobHeldUser");
        assertThat(lrms.release(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
        awaitState(id, State.QUEUED);
        lrms.cancel(SlurmTestSite.ACCOUNT, List.of(wide)).join();
        awaitState(id, State.DONE);
        assertThat(lrms.hold(SlurmTestSite.ACCOUNT, List.of(id, "999999")).join())
                .containsEntry(id, "Job has already finished")
                .containsEntry("999999", "Invalid job id specified");
    }

    /** Slurm reports success for the hold of a running job, and lets it run with {@code JobHeldUser}. */
    @Test
    void aRunningJobIsSuspendedWhereTheSiteAllowsItAndElseLeftAsItIs() {
        String id = accepted(submission("exec sleep 600")).get(0);
        try {
            awaitState(id, State.RUNNING);
            assertThat(lrms.hold(SlurmTestSite.ACCOUNT, List.of(id)).join().get(id))
                    .contains("is running");
            assertThat(awaitState(id, State.RUNNING).reason()).isNull();
            // as its user, and not as the administrator that the test is
            site.command("scontrol", "uhold", id);
            assertThat(awaitState(id, State.RUNNING).reason())
                    .as("what was left half held")
                    .isEqualTo("JobHeldUser");
            assertThat(lrms.hold(SlurmTestSite.ACCOUNT, List.of(id)).join().get(id))
                    .contains("is running");
            assertThat(awaitState(id, State.RUNNING).reason()).isNull();

            SlurmLrms allowed =
                    lrms(Records.with(SlurmConfig.DEFAULT, "confFile", site.conf(), "suspendRunning", true));
            assertThat(allowed.hold("nobody", List.of(id)).join().get(id))
                    .contains("not show the job as one of this account");
            assertThat(allowed.hold(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
            assertThat(awaitState(id, State.HELD).reason()).isEqualTo("SUSPENDED");
            assertThat(allowed.hold(SlurmTestSite.ACCOUNT, List.of(id)).join())
                    .as("a repetition")
                    .containsEntry(id, null);
            assertThat(allowed.release(SlurmTestSite.ACCOUNT, List.of(id))
                            .join()
                            .get(id))
                    .contains("suspended by the site");
            assertThat(allowed.resume(SlurmTestSite.ACCOUNT, List.of(id)).join())
                    .containsEntry(id, null);
            awaitState(id, State.RUNNING);
        } finally {
            lrms.cancel(SlurmTestSite.ACCOUNT, List.of(id)).join();
        }
    }

    @Test
    void jobsAreFoundByTheirTag() {
        Submission running = submission("exec sleep 600");
        Submission ended = submission("exit 4");
        List<String> ids = accepted(running, ended);
        awaitState(ids.get(1), State.DONE);
        Map<String, LrmsJob> found = lrms.find(Submissions.sought(
                        SlurmTestSite.ACCOUNT, running.id().tag(), ended.id().tag(), "cream_999999999"))
                .join();
        assertThat(found).containsOnlyKeys(running.id().tag(), ended.id().tag());
        assertThat(found.get(running.id().tag()).lrmsId()).isEqualTo(ids.get(0));
        assertThat(found.get(ended.id().tag()).exitCode()).isEqualTo(4);
        lrms.cancel(SlurmTestSite.ACCOUNT, ids).join();
    }

    @Test
    void theJobCompletionLogKnowsWhatTheQueueForgot() {
        Submission ended = submission("exit 5");
        String id = accepted(ended).get(0);
        awaitState(id, State.DONE);
        // another site's queue stands for one that has forgotten
        SlurmTestSite forgetful = new SlurmTestSite(FOLDER.resolve("empty"), 1);
        try {
            forgetful.start();
            SlurmConfig queueOnly = Records.with(SlurmConfig.DEFAULT, "confFile", forgetful.conf());
            List<String> tags = List.of(ended.id().tag());
            assertThat(lrms(queueOnly)
                            .find(Submissions.sought(SlurmTestSite.ACCOUNT, tags))
                            .join())
                    .isEmpty();
            LrmsJob known = lrms(Records.with(queueOnly, "jobCompletionLog", site.jobCompletionLog()))
                    .find(Submissions.sought(SlurmTestSite.ACCOUNT, tags))
                    .join()
                    .get(tags.get(0));
            assertThat(known.using(null)).isEqualTo(new LrmsJob(id, tags.get(0), State.DONE, 5, null, "wn0"));
            assertThat(known.usage().cores()).isEqualTo(1);
        } finally {
            forgetful.wipe();
        }
    }

    @Test
    void whatSlurmCanNeverRunIsRefusedWithItsMessage() {
        assertThat(lrms.submit(List.of(submission("true", "nosuch", ONE_CPU)))
                        .get(0)
                        .join())
                .isInstanceOfSatisfying(SubmitResult.Unavailable.class, missing -> {
                    assertThat(missing.reason()).contains("Invalid partition name specified");
                    assertThat(missing.scope()).isEqualTo(SubmitResult.Scope.QUEUE);
                });
        assertThat(refused(submission("true", "long", nodes(501)))).isNotEmpty();
        assertThat(refused(submission("true", "long", new NodeRequest(10, 4, null, false))))
                .isNotEmpty();
        assertThat(refused(
                        submission("true", "long", new NodeRequest(1, null, null, false, 1, null, null, null, null))))
                .contains("gres");
        assertThat(refused(new Submission(
                        new JobId(++lastJob),
                        1,
                        SlurmTestSite.ACCOUNT,
                        "long",
                        home.resolve("noscript"),
                        "no script\n",
                        request("long", ONE_CPU))))
                .contains("batch script");
    }

    @Test
    void aPartitionThatIsDrainedOrDownIsClosedAloneAndForNow() {
        for (String state : List.of("DRAIN", "INACTIVE")) {
            site.command("scontrol", "update", "PartitionName=short", "State=" + state);
            try {
                assertThat(lrms.submit(List.of(submission("true", "short", ONE_CPU)))
                                .get(0)
                                .join())
                        .isInstanceOfSatisfying(SubmitResult.Unavailable.class, closed -> {
                            assertThat(closed.scope()).isEqualTo(SubmitResult.Scope.QUEUE);
                            assertThat(closed.reason()).contains("Required partition not available");
                        });
                accepted(submission("true", "long", ONE_CPU));
            } finally {
                site.command("scontrol", "update", "PartitionName=short", "State=UP");
            }
        }
        accepted(submission("true", "short", ONE_CPU));
    }

    @Test
    void nodeRequestsHaveTheirIntendedEffect() {
        List<String> ids = accepted(
                submission("test $SLURM_CPUS_ON_NODE = 8 && test $SLURM_NTASKS = 8", "long", nodes(8)),
                submission(
                        "test $SLURM_CPUS_ON_NODE = 8 && test $SLURM_JOB_NUM_NODES = 1",
                        "short",
                        new NodeRequest(8, 8, null, false)),
                submission("test $SLURM_CPUS_ON_NODE = 500", "short", new NodeRequest(1, 4, 1, true)));
        ids.forEach(id -> assertThat(awaitState(id, State.DONE).exitCode()).isZero());
    }

    @Test
    void aNameWithLineEndsForgesNoJob() {
        accepted(submission("exec true"));
        String forged = "x\n4242424|COMPLETED|0|wn0|None|cream_900000001";
        assertThat(accounts.run(
                                SlurmTestSite.ACCOUNT,
                                new Run(
                                        List.of(
                                                "/usr/bin/sbatch",
                                                "--job-name=" + forged,
                                                "--output=/dev/null",
                                                "--wrap=true"),
                                        layout.sandbox(home, new JobId(++lastJob)),
                                        Map.of("SLURM_CONF", site.conf().toString()),
                                        new byte[0],
                                        List.of(),
                                        PATIENCE,
                                        1000))
                        .join()
                        .exit())
                .isZero();
        assertThat(lrms.poll().join())
                .extracting(LrmsJob::tag)
                .doesNotContain("cream_900000001")
                .isNotEmpty();
        assertThat(lrms.find(Submissions.sought(SlurmTestSite.ACCOUNT, "cream_900000001"))
                        .join())
                .isEmpty();
    }

    /** Slurm shows when it was queued again in place of when it was submitted. */
    @Test
    void aNamelessJobThatWasQueuedAgainIsKnownByItsIdAndAccount() {
        SlurmLrms blind = lrms(Records.with(SlurmConfig.DEFAULT, "confFile", site.conf(), "nodesSeeSandboxes", false));
        Submission submission = submission("exec sleep 600");
        SubmitResult handedOver = blind.submit(List.of(submission)).get(0).join();
        assertThat(handedOver).isInstanceOf(SubmitResult.Accepted.class);
        String id = ((SubmitResult.Accepted) handedOver).lrmsId();
        site.command("scontrol", "update", "JobId=" + id, "JobName=x", "Comment=y", "Requeue=1");
        awaitState(blind, id, State.RUNNING);
        Instant before = Instant.now().minus(Duration.ofHours(1));
        List<Lookup> lookups = List.of(new Lookup(submission.id().tag(), SlurmTestSite.ACCOUNT, id, before));
        assertThat(blind.stillOwned(lookups).join())
                .as("it was submitted long after")
                .isEmpty();
        site.command("scontrol", "requeue", id);
        awaitState(blind, id, State.QUEUED);
        assertThat(blind.stillOwned(lookups).join()).containsExactly(id);
        assertThat(blind.cancel(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
    }

    private static void awaitState(SlurmLrms lrms, String id, State state) {
        await().atMost(PATIENCE)
                .until(() -> lrms.poll(List.of(id)).join().stream()
                        .anyMatch(job -> job.lrmsId().equals(id) && job.state() == state));
    }

    @Test
    void aJobWhoseNameAndCommentAnAdministratorChangedIsFoundByItsDirectory() {
        Submission renamed = submission("sleep 600; exit 7");
        String id = accepted(renamed).get(0);
        awaitState(id, State.RUNNING);
        site.command("scontrol", "update", "JobId=" + id, "JobName=cream_of_the_crop", "Comment=vo=atlas");
        List<Lookup> lookups = List.of(new Lookup(renamed.id().tag(), SlurmTestSite.ACCOUNT, id));
        assertThat(lrms.find(lookups).join())
                .hasEntrySatisfying(
                        renamed.id().tag(), job -> assertThat(job.state()).isEqualTo(State.RUNNING));
        assertThat(lrms.stillOwned(lookups).join()).containsExactly(id);
        assertThat(lrms.poll().join())
                .extracting(LrmsJob::lrmsId, LrmsJob::tag)
                .contains(tuple(id, renamed.id().tag()));
        SlurmLrms suspending = lrms(Records.with(SlurmConfig.DEFAULT, "confFile", site.conf(), "suspendRunning", true));
        assertThat(suspending.hold(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
        assertThat(awaitState(id, State.HELD).reason()).isEqualTo("SUSPENDED");
        assertThat(suspending.resume(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
        awaitState(id, State.RUNNING);
        lrms.cancel(SlurmTestSite.ACCOUNT, List.of(id)).join();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                lrms.find(lookups).join().get(renamed.id().tag()))
                        .extracting(LrmsJob::state)
                        .isEqualTo(State.CANCELLED));
    }

    @Test
    void aControllerThatIsAwayLosesNothing() {
        String before = accepted(submission("exec sleep 600")).get(0);
        Submission during = submission("exec true");
        assertThat(lrms.health().join().up()).isTrue();
        site.stopController();
        try {
            assertThat(lrms.health().join().up()).isFalse();
            SlurmLrms hasty =
                    lrms(Records.with(SlurmConfig.DEFAULT, "confFile", site.conf(), "timeout", Duration.ofSeconds(2)));
            CompletableFuture<SubmitResult> submitted =
                    lrms.submit(List.of(during)).get(0);
            CompletableFuture<?> polled = lrms.poll();
            CompletableFuture<?> lookups = lrms.find(
                    Submissions.sought(SlurmTestSite.ACCOUNT, during.id().tag()));
            CompletableFuture<?> cancelled = lrms.cancel(SlurmTestSite.ACCOUNT, List.of(before));
            assertThat(submitted.join()).isInstanceOf(SubmitResult.Unavailable.class);
            assertThat(polled).failsWithin(PATIENCE);
            assertThat(lookups).failsWithin(PATIENCE);
            assertThat(cancelled).failsWithin(PATIENCE);
            CompletableFuture<SubmitResult> cut =
                    hasty.submit(List.of(submission("exec true"))).get(0);
            // This adapter does not know the daemon's version yet. Up to 23.11 slurmctld is needed to find it, and
            // nothing is sent.
            if (api() == Api.REST) {
                assertThat(cut.join()).isInstanceOfAny(SubmitResult.Unavailable.class, SubmitResult.Unclear.class);
            } else {
                assertThat(cut.join()).isInstanceOf(SubmitResult.Unclear.class);
            }
        } finally {
            site.start();
        }
        assertThat(lrms.find(Submissions.sought(
                                SlurmTestSite.ACCOUNT, during.id().tag()))
                        .join())
                .isEmpty();
        awaitState(before, State.RUNNING);
        awaitState(accepted(during).get(0), State.DONE);
        lrms.cancel(SlurmTestSite.ACCOUNT, List.of(before)).join();
    }

    private SlurmLrms lrms(SlurmConfig config) {
        return new SlurmLrms(Records.with(config, "api", api()), accounts, ForkJoinPool.commonPool());
    }

    private static NodeRequest nodes(int cpus) {
        return new NodeRequest(cpus, null, null, false);
    }

    Submission submission(String script) {
        return submission(script, "long", ONE_CPU);
    }

    Submission submission(String script, String queue, NodeRequest nodes) {
        JobId id = new JobId(++lastJob);
        return new Submission(
                id,
                1,
                SlurmTestSite.ACCOUNT,
                queue,
                layout.sandbox(home, id),
                "#!/bin/bash\n" + script + "\n",
                request(queue, nodes));
    }

    private static JobRequest request(String queue, NodeRequest nodes) {
        return JobRequest.of(
                new JobRequest.Executable("/bin/true", ""), new JobRequest.Resources("slurm", queue, nodes));
    }

    List<String> accepted(Submission... submissions) {
        return lrms.submit(List.of(submissions)).stream()
                .map(CompletableFuture::join)
                .map(result -> {
                    assertThat(result).isInstanceOf(SubmitResult.Accepted.class);
                    return ((SubmitResult.Accepted) result).lrmsId();
                })
                .toList();
    }

    private String refused(Submission submission) {
        SubmitResult result = lrms.submit(List.of(submission)).get(0).join();
        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        return ((SubmitResult.Refused) result).reason();
    }

    private Map<String, LrmsJob> seen(Collection<String> ids) {
        return lrms.poll().join().stream()
                .filter(job -> ids.contains(job.lrmsId()))
                .collect(Collectors.toMap(LrmsJob::lrmsId, job -> job));
    }

    LrmsJob awaitState(String id, State state) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> seen(List.of(id)).get(id), job -> job != null && job.state() == state);
    }
}
