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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.description.JobRequest;
import org.gelato.ce.core.description.JobRequest.Limits;
import org.gelato.ce.core.description.JobRequest.NodeRequest;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.lrms.condor.CondorConfig;
import org.gelato.ce.lrms.condor.CondorLrms;
import org.gelato.ce.lrms.condor.CondorSite;
import org.gelato.ce.lrms.condor.SubmitLine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The adapter against a real HTCondor, jobs running as an unprivileged account. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CondorLrmsIT {
    private static final NodeRequest ONE_CPU = nodes(1);
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int SLOTS = 24;
    private static final String ACCOUNT = CondorSlots.ACCOUNT;

    private final Path folder =
            Path.of("/var/tmp", "gelato-condor-it-" + ProcessHandle.current().pid());
    private CondorSlots pool;
    private CondorConfig config;
    private List<String> helperCommand;
    private GahpChannel helper;
    private AccountCommands accounts;
    private CondorLrms lrms;
    private SandboxLayout layout;
    private Path home;
    private int lastJob;

    @BeforeAll
    void startPool() throws IOException {
        CondorSlots.missing().ifPresent(reason -> Skipped.because("HTCondor", reason));
        Files.createDirectories(folder);
        pool = CondorSlots.start(folder.resolve("pool"), SLOTS);
        layout = new SandboxLayout(folder.resolve("sandboxes"));
        home = layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), ACCOUNT);
        config = CondorConfig.DEFAULT.withConfigFile(pool.config());
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

    private void startHelper() throws IOException {
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

    @Test
    void slotsAndVersionAreHTCondors() {
        assertThat(lrms.health().join().up()).isTrue();
        await().atMost(PATIENCE).untilAsserted(() -> {
            var status = lrms.status().join();
            assertThat(status.version()).matches("[0-9]+\\.[0-9]+\\.[0-9]+");
            assertThat(status.slots()).hasValue(SLOTS);
            assertThat(status.freeSlots().getAsInt()).isBetween(0, SLOTS);
        });
        assertThat(new CondorSite(config).unsupported(accounts, ACCOUNT).join()).isEmpty();
    }

    @Test
    void aScheddThatTakesNothingFromTheAccountIsNamed() {
        assertThat(new CondorSite(config)
                        .unsupported(accounts, CondorSlots.DENIED)
                        .join())
                .hasValueSatisfying(found -> assertThat(found.what()).contains(CondorSlots.DENIED, "DENIED"));
        Submission job = never();
        Submission foreign = new Submission(
                job.id(),
                1,
                CondorSlots.DENIED,
                "long",
                layout.sandbox(
                        layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), CondorSlots.DENIED), job.id()),
                job.wrapper(),
                job.request());
        assertThat(lrms.submit(List.of(foreign)).get(0).join())
                .isInstanceOfSatisfying(
                        SubmitResult.Unavailable.class,
                        closed -> assertThat(closed.scope()).isEqualTo(SubmitResult.Scope.ACCOUNT));
    }

    @Test
    void jobsOfOneHandOverAreOneClusterAndEndWithTheirExitCodes() throws IOException {
        List<Submission> jobs = IntStream.range(0, 20)
                .mapToObj(i -> submission("sleep 2; echo out; echo err >&2; id -un; echo $GELATO_LRMS_ID; exit " + i))
                .toList();
        List<String> ids = accepted(jobs);
        assertThat(ids.stream().map(id -> id.substring(0, id.indexOf('.'))).distinct())
                .hasSize(1);
        for (int i = 0; i < ids.size(); i++) {
            LrmsJob done = awaitState(ids.get(i), State.DONE);
            assertThat(done.exitCode()).isEqualTo(i);
            assertThat(done.tag()).isEqualTo(jobs.get(i).id().tag());
            assertThat(done.workerNode()).isNotEmpty();
            assertThat(done.usage().wall()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(5));
            assertThat(done.usage().cores()).isEqualTo(1);
            assertThat(jobs.get(i).stdout()).hasContent("out\n" + ACCOUNT + "\n" + ids.get(i));
            assertThat(jobs.get(i).stderr()).hasContent("err");
        }
        assertThat(Files.getPosixFilePermissions(jobs.get(0).sandbox()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aSignalIsAnExitCode() {
        assertThat(awaitState(accepted(submission("kill -9 $$")), State.DONE).exitCode())
                .isEqualTo(137);
    }

    @Test
    void aJobSeesOnlyTheSmallEnvironment() throws IOException {
        Submission job = submission("env; pwd");
        awaitState(accepted(job), State.DONE);
        assertThat(Files.readAllLines(job.stdout()))
                .contains(
                        "HOME=" + job.sandbox(),
                        "USER=" + ACCOUNT,
                        "LOGNAME=" + ACCOUNT,
                        "LANG=C",
                        job.sandbox().toString())
                .noneMatch(line -> line.startsWith("CONDOR_CONFIG="));
    }

    @Test
    void whereNodesDoNotSeeSandboxesHTCondorBringsTheWrapperAndNothingComesBack() throws IOException {
        lrms = lrms(config.withNodesSeeSandboxes(false));
        try {
            Submission job = submission("echo lost >left; pwd; test $HOME = /nonexistent && test $PWD != " + home);
            assertThat(awaitState(accepted(job), State.DONE).exitCode()).isZero();
            try (var files = Files.list(job.sandbox())) {
                assertThat(files).containsExactly(job.wrapperFile());
            }
        } finally {
            lrms = lrms(config);
        }
    }

    @Test
    void cancelledWhileIdleRunningHeldAndEnded() {
        String running = accepted(submission("exec sleep 600"));
        String idle = accepted(never());
        String held = accepted(never());
        String ended = accepted(submission("exit 4"));
        awaitState(running, State.RUNNING);
        awaitState(ended, State.DONE);
        assertThat(lrms.hold(ACCOUNT, List.of(held)).join()).containsEntry(held, null);
        List<String> all = List.of(running, idle, held, ended, "99999.0#0123456789ab", "1 2");
        Map<String, String> words = lrms.cancel(ACCOUNT, all).join();
        assertThat(words.get("1 2")).isNotNull();
        all.subList(0, 5).forEach(id -> assertThat(words).containsEntry(id, null));
        for (String id : List.of(running, idle, held)) {
            assertThat(awaitState(id, State.CANCELLED).reason()).contains("via condor_rm (by user " + ACCOUNT);
        }
        assertThat(seen(List.of(ended)).get(ended).exitCode())
                .as("it had ended")
                .isEqualTo(4);
        assertThat(seen(List.of(ended)).get(ended).state()).isEqualTo(State.DONE);
        assertThat(lrms.cancel(ACCOUNT, List.of(running)).join()).as("again").containsEntry(running, null);
    }

    @Test
    void foreignJobsAreNotTouched() {
        String id = accepted(never());
        assertThat(lrms.cancel("nobody", List.of(id)).join().get(id)).containsIgnoringCase("permission denied");
        assertThat(lrms.hold("nobody", List.of(id)).join().get(id)).containsIgnoringCase("permission denied");
        assertThat(lrms.release("nobody", List.of(id)).join().get(id)).isNotNull();
        assertThat(seen(List.of(id)).get(id).state()).isEqualTo(State.QUEUED);
        lrms.cancel(ACCOUNT, List.of(id)).join();
    }

    @Test
    void heldAndReleasedWhileItWaitsSuspendedAndContinuedWhileItRuns() {
        String idle = accepted(never());
        String running = accepted(submission("exec sleep 600"));
        String ended = accepted(submission("true"));
        awaitState(running, State.RUNNING);
        awaitState(ended, State.DONE);
        List<String> all = List.of(idle, running, ended, "99999.0#0123456789ab");
        assertThat(lrms.hold(ACCOUNT, all).join())
                .containsEntry(idle, null)
                .containsEntry(running, null)
                .containsEntry(ended, "the job has ended")
                .containsEntry("99999.0#0123456789ab", "the job is unknown to HTCondor");
        LrmsJob held = awaitState(idle, State.HELD);
        assertThat(held.isInQueue()).isTrue();
        assertThat(held.reason()).contains("by user " + ACCOUNT).contains("code 1");
        assertThat(awaitState(running, State.HELD).isInQueue()).isFalse();
        assertThat(lrms.hold(ACCOUNT, List.of(idle, running)).join())
                .as("again")
                .containsEntry(idle, null)
                .containsEntry(running, null);
        assertThat(lrms.release(ACCOUNT, List.of(running)).join().get(running)).contains("suspended by the site");
        assertThat(lrms.resume(ACCOUNT, List.of(idle, running)).join())
                .containsEntry(idle, null)
                .containsEntry(running, null);
        awaitState(idle, State.QUEUED);
        awaitState(running, State.RUNNING);
        CondorLrms strict = lrms(config.withSuspendRunning(false));
        assertThat(strict.hold(ACCOUNT, List.of(running)).join().get(running)).contains("lets nobody suspend");
        assertThat(awaitState(running, State.RUNNING)).isNotNull();
        lrms.cancel(ACCOUNT, all).join();
    }

    @Test
    void whatHTCondorHoldsAtItsEndHasFailedWithTheReason() throws IOException {
        Submission lost = submission("true");
        Submission late = submission("exec sleep 600", "long", ONE_CPU, limits(Duration.ofSeconds(3), null));
        Submission hungry = submission("while :; do :; done", "long", ONE_CPU, limits(null, Duration.ofSeconds(2)));
        Submission queued =
                new Submission(lost.id(), 1, ACCOUNT, "long", lost.sandbox(), "#!/no/such/shell\n", lost.request());
        List<String> ids = accepted(List.of(queued, late, hungry));
        assertThat(awaitState(ids.get(0), State.FAILED).reason()).contains("hold code 6");
        assertThat(awaitState(ids.get(1), State.FAILED).reason()).contains("allowed job duration", "hold code 46");
        assertThat(awaitState(ids.get(2), State.FAILED).reason()).contains("CPU time limit of 2 s exceeded");
        lrms.cancel(ACCOUNT, ids).join();
        await().atMost(PATIENCE)
                .until(() -> pool.command(
                                "condor_q",
                                "-all",
                                "-constraint",
                                "JobStatus==5&&GelatoTag==\"" + late.id().tag() + "\"",
                                "-af",
                                "ClusterId")
                        .isBlank());
        assertThat(awaitState(ids.get(1), State.FAILED).reason()).as("removed").contains("allowed job duration");
    }

    @Test
    void anEvictedJobHasEndedAndNeverRunsAgain() {
        Submission job = submission("echo once >>$HOME/runs; exec sleep 600");
        String id = accepted(job);
        awaitState(id, State.RUNNING);
        await().atMost(PATIENCE).until(() -> Files.exists(job.sandbox().resolve("runs")));
        pool.command("condor_vacate_job", "-fast", id.substring(0, id.indexOf('#')));
        LrmsJob again = awaitState(id, State.DONE);
        assertThat(again.exitCode()).isNull();
        assertThat(again.reason()).contains("evicted");
        // others start meanwhile
        awaitState(accepted(submission("true")), State.DONE);
        awaitState(accepted(submission("true")), State.DONE);
        assertThat(seen(List.of(id)).get(id).state()).isEqualTo(State.DONE);
        assertThat(job.sandbox().resolve("runs")).hasContent("once");
        lrms.cancel(ACCOUNT, List.of(id)).join();
    }

    @Test
    void jobsAreFoundByTheirTagInQueueAndHistory() {
        Submission idle = never();
        Submission ended = submission("exit 4");
        Submission gone = submission("exit 5");
        List<String> ids = accepted(List.of(idle, ended, gone));
        awaitState(ids.get(1), State.DONE);
        awaitState(ids.get(2), State.DONE);
        pool.user("condor_qedit", "-constraint", "GelatoTag==\"" + gone.id().tag() + "\"", "LeaveJobInQueue", "false");
        await().atMost(PATIENCE).until(() -> !seen(ids).containsKey(ids.get(2)));
        Map<String, LrmsJob> found = lrms.find(Submissions.sought(
                        ACCOUNT, idle.id().tag(), ended.id().tag(), gone.id().tag(), "cream_999999999"))
                .join();
        assertThat(found)
                .containsOnlyKeys(idle.id().tag(), ended.id().tag(), gone.id().tag());
        assertThat(found.get(idle.id().tag()).lrmsId()).isEqualTo(ids.get(0));
        assertThat(found.get(gone.id().tag()).lrmsId()).isEqualTo(ids.get(2));
        assertThat(found.get(gone.id().tag()).exitCode()).isEqualTo(5);
        assertThat(lrms.find(Submissions.sought("nobody", idle.id().tag())).join())
                .as("of another account")
                .isEmpty();
        lrms.cancel(ACCOUNT, ids).join();
    }

    @Test
    void linesOfAQueueReachTheJobAndOneThatIsWrongRefusesItsJobsAlone() {
        CondorLrms lines = lrms(config.withQueues(Map.of(
                "long", List.of(new SubmitLine("+Queue", "\"the \\\"long\\\" one\""), new SubmitLine("priority", "7")),
                "bad", List.of(new SubmitLine("request_cpus", "1 2 3")))));
        Submission good = never();
        String id = ((SubmitResult.Accepted) lines.submit(List.of(good)).get(0).join()).lrmsId();
        assertThat(pool.command(
                        "condor_q",
                        "-all",
                        "-constraint",
                        "GelatoTag==\"" + good.id().tag() + "\"",
                        "-af:V",
                        "Queue",
                        "JobPrio"))
                .contains("\"the \\\"long\\\" one\" 7");
        assertThat(lines.submit(List.of(submission("true", "bad", ONE_CPU, Limits.NONE)))
                        .get(0)
                        .join())
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class,
                        refused -> assertThat(refused.reason()).contains("RequestCpus"));
        lrms.cancel(ACCOUNT, List.of(id)).join();
    }

    @Test
    void aJobWhoseSandboxCannotBeMadeCostsTheOthersNothing() throws IOException {
        Submission good = submission("true");
        Submission bad = submission("true");
        Files.createDirectories(home);
        // a file stands where the directory should be
        pool.user("bash", "-c", "mkdir -p " + bad.sandbox().getParent() + " && touch " + bad.sandbox());
        List<CompletableFuture<SubmitResult>> results = lrms.submit(List.of(good, bad));
        assertThat(results.get(1).join()).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(results.get(0).join()).isInstanceOf(SubmitResult.Accepted.class);
    }

    @Test
    void aScheddThatHangsOrIsAwayLosesNothing() {
        String before = accepted(never());
        Submission during = never();
        CondorLrms hasty = lrms(config.withCommandTimeout(Duration.ofSeconds(2)));
        pool.stopSchedd();
        try {
            CompletableFuture<SubmitResult> submitted =
                    hasty.submit(List.of(during)).get(0);
            assertThat(hasty.health().join().up()).isFalse();
            assertThat(hasty.poll()).failsWithin(PATIENCE);
            assertThat(hasty.find(Submissions.sought(ACCOUNT, during.id().tag())))
                    .failsWithin(PATIENCE);
            assertThat(hasty.cancel(ACCOUNT, List.of(before))).failsWithin(PATIENCE);
            assertThat(submitted.join()).isInstanceOf(SubmitResult.Unclear.class);
        } finally {
            pool.continueSchedd();
        }
        assertThat(lrms.find(Submissions.sought(ACCOUNT, during.id().tag())).join())
                .isEmpty();
        assertThat(seen(List.of(before)).get(before).state()).isEqualTo(State.QUEUED);
        lrms.cancel(ACCOUNT, List.of(before, accepted(during))).join();
    }

    @Test
    void aQueueThatCountsFromOneAgainIsNotMistaken() {
        String before = accepted(never());
        Submission old = never();
        String oldId = accepted(old);
        pool.newQueue();
        // as many as make the old numbers come again
        int most = Integer.parseInt(oldId.substring(0, oldId.indexOf('.')));
        List<String> ids = new ArrayList<>();
        while (ids.isEmpty() || Integer.parseInt(ids.get(ids.size() - 1).split("\\.")[0]) < most) {
            ids.add(accepted(never()));
        }
        String same = ids.get(ids.size() - 1);
        assertThat(same.split("#")[0]).isEqualTo(oldId.split("#")[0]);
        assertThat(lrms.stillTheirs(List.of(
                                new Lookup(old.id().tag(), ACCOUNT, oldId),
                                new Lookup("cream_000000001", ACCOUNT, same)))
                        .join())
                .isEqualTo(Set.of(same));
        assertThat(seen(List.of(before, oldId))).isEmpty();
        lrms.cancel(ACCOUNT, ids).join();
    }

    @Test
    void killsOfHelperAndScheddInTheMiddleOfHandOversDoubleNothing() throws IOException {
        List<Submission> jobs = new ArrayList<>();
        Map<String, String> ids = new HashMap<>();
        for (int round = 0; round < 12; round++) {
            List<Submission> some =
                    IntStream.range(0, 10).mapToObj(i -> never()).toList();
            jobs.addAll(some);
            List<CompletableFuture<SubmitResult>> sent = lrms.submit(some);
            if (round % 3 == 0) {
                pool.killSchedd();
            } else if (round % 3 == 1) {
                // in the middle of it: the answer of the first would be there in some 40 ms
                sent.get(0)
                        .completeOnTimeout(null, 5L * round, java.util.concurrent.TimeUnit.MILLISECONDS)
                        .join();
                helper.close();
                startHelper();
            }
            List<Submission> open = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                SubmitResult result = sent.get(i).handle((r, e) -> r).join();
                if (result instanceof SubmitResult.Accepted accepted) {
                    ids.put(some.get(i).id().tag(), accepted.lrmsId());
                } else {
                    open.add(some.get(i));
                }
            }
            List<String> tags = open.stream().map(one -> one.id().tag()).toList();
            Map<String, LrmsJob> found = await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> lrms.find(Submissions.sought(ACCOUNT, tags)).join(), x -> true);
            found.forEach((tag, job) -> ids.put(tag, job.lrmsId()));
            List<Submission> absent = open.stream()
                    .filter(one -> !found.containsKey(one.id().tag()))
                    .toList();
            if (!absent.isEmpty()) {
                List<String> again = accepted(absent);
                for (int i = 0; i < again.size(); i++) {
                    ids.put(absent.get(i).id().tag(), again.get(i));
                }
            }
        }
        Map<String, Long> shown = lrms.poll().join().stream()
                .filter(job -> ids.containsKey(job.tag()))
                .collect(Collectors.groupingBy(LrmsJob::tag, Collectors.counting()));
        assertThat(shown).hasSize(jobs.size());
        assertThat(shown.values()).as("doubled").allMatch(count -> count == 1);
        assertThat(seen(ids.values())).hasSize(jobs.size());
        lrms.cancel(ACCOUNT, ids.values()).join();
    }

    private CondorLrms lrms(CondorConfig site) {
        return new CondorLrms(site, accounts, ForkJoinPool.commonPool(), Clock.systemUTC());
    }

    private static NodeRequest nodes(int cpus) {
        return new NodeRequest(cpus, null, null, false, null, null, null, null, null);
    }

    private static Limits limits(Duration wall, Duration cpu) {
        return new Limits(wall, cpu, null);
    }

    /** One that no node can run. */
    private Submission never() {
        return submission("true", "long", nodes(1000), Limits.NONE);
    }

    private Submission submission(String script) {
        return submission(script, "long", ONE_CPU, Limits.NONE);
    }

    private Submission submission(String script, String queue, NodeRequest nodes, Limits limits) {
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

    private String accepted(Submission submission) {
        return accepted(List.of(submission)).get(0);
    }

    private List<String> accepted(List<Submission> submissions) {
        return lrms.submit(submissions).stream()
                .map(CompletableFuture::join)
                .map(result -> {
                    assertThat(result).isInstanceOf(SubmitResult.Accepted.class);
                    return ((SubmitResult.Accepted) result).lrmsId();
                })
                .toList();
    }

    private Map<String, LrmsJob> seen(Collection<String> ids) {
        return lrms.poll().join().stream()
                .filter(job -> ids.contains(job.lrmsId()))
                .collect(Collectors.toMap(LrmsJob::lrmsId, job -> job));
    }

    private LrmsJob awaitState(String id, State state) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> seen(List.of(id)).get(id), job -> job != null && job.state() == state);
    }
}
