package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.it.site.RoutePolicies;
import org.gelato.ce.lrms.condor.CondorLrms;
import org.gelato.ce.lrms.condor.CondorSite;
import org.gelato.ce.lrms.condor.SubmitLine;
import org.junit.jupiter.api.Test;

/** The adapter against a real HTCondor: what is usual. */
class CondorLrmsIT extends CondorAdapter {
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
    void jobsOfOneHandOverAreOneClusterAndEndWithTheirExitCodes() throws IOException {
        List<Submission> jobs = IntStream.range(0, 20)
                .mapToObj(i -> submission("sleep 2; echo out; echo err >&2; id -un; echo $GELATO_LRMS_ID; exit " + i))
                .toList();
        List<String> ids = accepted(jobs);
        assertThat(ids.stream().map(id -> id.substring(0, id.indexOf('.'))).distinct())
                .hasSize(1);
        for (int i = 0; i < ids.size(); i++) {
            // its usage is there when the schedd has taken the job from its node
            LrmsJob done = awaitJob(ids.get(i), job -> job.state() == State.DONE && job.usage() != null);
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

    /** Starters of HTCondor 25 replace one of these. */
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
                        "PATH=/usr/local/bin:/usr/bin:/bin",
                        job.sandbox().toString())
                .noneMatch(line -> line.startsWith("CONDOR_CONFIG="));
    }

    @Test
    void whereNodesDoNotSeeSandboxesHTCondorBringsTheWrapperAndNothingComesBack() throws IOException {
        lrms = lrms(Records.with(config, "nodesSeeSandboxes", false));
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
    void aJobWhoseNameAnAdministratorChangedOrRemovedIsFoundByItsId() {
        for (String name : List.of("\"an administrator's\"", "undefined")) {
            Submission job = never();
            String id = accepted(job);
            pool.command("condor_qedit", id.substring(0, id.indexOf('#')), "GelatoTag", name);
            Lookup sought = new Lookup(job.id().tag(), ACCOUNT, id);
            assertThat(lrms.find(List.of(sought)).join()).containsOnlyKeys(sought.tag());
            assertThat(lrms.cancel(ACCOUNT, List.of(id)).join()).containsEntry(id, null);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(lrms.find(List.of(sought)).join().get(sought.tag()))
                                    .extracting(LrmsJob::state)
                                    .isEqualTo(State.CANCELLED));
        }
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
        CondorLrms strict = lrms(Records.with(config, "suspendRunning", false));
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
        CondorLrms lines = lrms(Records.with(
                config,
                "queues",
                Map.of(
                        "long",
                                List.of(
                                        new SubmitLine("+Queue", "\"the \\\"long\\\" one\""),
                                        new SubmitLine("priority", "7")),
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
    void whatTheRoutesOfAJobGiveItReachesTheSchedd() throws IOException {
        Routes groups = RoutePolicies.ofPage("Accounting groups by VO, on HTCondor", "condor");
        assertThat(shown(groups, ONE_CPU, "cms", "/cms/Role=production", "AcctGroup", "Opportunistic"))
                .isEqualTo("\"group_cms.production\" false");
        assertThat(shown(groups, ONE_CPU, "dteam", "/dteam", "AcctGroup", "Opportunistic"))
                .isEqualTo("\"group_grid\" true");

        Routes whole = RoutePolicies.ofPage("Whole nodes, on HTCondor", "condor");
        NodeRequest node = new NodeRequest(1, null, null, true);
        assertThat(shown(whole, node, "dteam", "/dteam", "WholeNode", "Requirements"))
                .startsWith("true ")
                .containsPattern("TARGET.HasWholeNodes (=\\?=|is) true");

        Routes all = RoutePolicies.of("condor", """
                gelato.routes = [{
                  name = all
                  set {
                    constraint = "TARGET.Never =?= true", licenses = "matlab:2", nice = 7
                    attributes { Tier = 2, Site = "a \\"b\\" c" }
                  }
                  defaults { cores = 2, memory = 2 GiB, wall-time = 24 h }
                }]
                """);
        assertThat(shown(
                        all,
                        ONE_CPU,
                        "dteam",
                        "/dteam",
                        "Tier",
                        "Site",
                        "ConcurrencyLimits",
                        "JobPrio",
                        "RequestCpus",
                        "RequestMemory",
                        "AllowedJobDuration"))
                .isEqualTo("2 \"a \\\"b\\\" c\" \"matlab:2\" -7 2 4096 86400");
    }

    /** Attributes of a job in the queue, by their names. */
    private String shown(Routes routes, NodeRequest nodes, String vo, String fqan, String... names) {
        Submission job =
                RoutePolicies.routed(routes, submission("true", "long", nodes, Limits.NONE), vo, fqan, Map.of());
        String id = accepted(job);
        List<String> command = new ArrayList<>(List.of(
                "condor_q", "-all", "-constraint", "GelatoTag==\"" + job.id().tag() + "\"", "-af:r"));
        command.addAll(List.of(names));
        String shown = pool.command(command.toArray(String[]::new)).strip();
        lrms.cancel(ACCOUNT, List.of(id)).join();
        return shown;
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
}
