package org.gelato.ce.it.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.lrms.torque.TorqueConfig;
import org.gelato.ce.lrms.torque.TorqueConfig.Dialect;
import org.gelato.ce.lrms.torque.TorqueLrms;
import org.gelato.ce.lrms.torque.TorqueOwnAccountCommands;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The adapter in Slurm's dialect against the real Torque commands in front of a real Slurm. */
@Tag("long")
class TorqueCommandsSlurmIT {
    private static final NodeRequest ONE_CPU = new NodeRequest(1, null, null, false);
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final List<String> PROGRAMS = List.of("qsub", "qdel", "qhold", "qrls", "qstat");
    // Not below the clone: the jobs' account may not get there.
    private static final Path FOLDER =
            Path.of("/var/tmp", "gelato-torque-it-" + ProcessHandle.current().pid());

    private static SlurmTestSite site;
    private static GahpChannel helper;
    private static TorqueLrms lrms;
    private static SandboxLayout layout;
    private static Path home;
    private static int lastJob;

    @BeforeAll
    static void startSite() throws IOException {
        SlurmTestSite here = new SlurmTestSite(FOLDER.resolve("site"));
        Optional<String> reason = here.prepare();
        reason.ifPresent(words -> Skipped.because("Slurm", words));
        if (!PROGRAMS.stream().allMatch(name -> Files.isExecutable(Path.of("/usr/bin", name)))) {
            Skipped.because("Slurm's Torque commands", "the package slurm-wlm-torque is not installed");
        }
        here.wipe();
        here.start();
        site = here;
        Path attributes = FOLDER.resolve("attributes.sh");
        Files.writeString(
                attributes, "[ -n \"$Minutes_Min\" ] && echo \"#SBATCH --time=$Minutes_Min\"\necho 'SITE=yes'\n");
        TorqueConfig config = Records.with(
                TorqueConfig.DEFAULT,
                "dialect",
                Dialect.SLURM,
                "submitAttributes",
                attributes,
                "slurmConf",
                site.conf());
        layout = new SandboxLayout(FOLDER.resolve("sandboxes"));
        home = layout.home(new Owner("/C=IT/CN=user", "/dteam", "dteam"), SlurmTestSite.ACCOUNT);
        List<String> command = new ArrayList<>(List.of(
                HelperBinary.extract(FOLDER.resolve("helper")).toString(),
                "-s",
                layout.root().toString()));
        PROGRAMS.forEach(program -> command.addAll(List.of("-x", "/usr/bin/" + program)));
        command.addAll(List.of("-x", "/bin/bash"));
        TorqueOwnAccountCommands.environment(config).forEach(variable -> command.addAll(List.of("-e", variable)));
        helper = GahpChannel.start(command);
        lrms = new TorqueLrms(config, new HelperAccountCommands(helper), ForkJoinPool.commonPool());
    }

    @AfterAll
    static void stopSite() throws IOException {
        if (helper != null) {
            helper.close();
        }
        if (site != null) {
            site.wipe();
            SiteCe.remove(FOLDER);
        }
    }

    @Test
    void aJobIsFoundRunsAndEnds() throws IOException {
        Submission submission = submission("echo out-$SITE; echo err >&2; pwd; sleep 3; exit 3", "long", ONE_CPU);
        String id = accepted(submission);
        Lookup lookups = new Lookup(submission.id().tag(), SlurmTestSite.ACCOUNT, null);
        assertThat(lrms.find(List.of(lookups)).join().get(lookups.tag()).lrmsId())
                .isEqualTo(id);
        assertThat(lrms.find(List.of(new Lookup(lookups.tag(), "nobody", null))).join())
                .isEmpty();
        assertThat(lrms.find(Submissions.sought(SlurmTestSite.ACCOUNT, "cream_900000001"))
                        .join())
                .isEmpty();
        awaitState(id, State.RUNNING);
        LrmsJob done = awaitState(id, State.DONE);
        // these commands do not report it
        assertThat(done.exitCode()).isNull();
        assertThat(done.workerNode()).isEqualTo("wn0");
        assertThat(submission.stdout()).hasContent("out-yes\n" + submission.sandbox());
        assertThat(submission.stderr()).hasContent("err");
        try (var files = Files.list(submission.sandbox())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(submission.id().tag(), "StandardOutput", "StandardError");
        }
    }

    @Test
    void theSitesDirectivesCount() {
        NodeRequest nodes =
                new NodeRequest(3, null, null, false, null, null, null, null, "other.Minutes >= 7 && other.Other == 1");
        Submission submission = submission(
                "scontrol show job $SLURM_JOB_ID | grep -o -e 'TimeLimit=[^ ]*' -e 'NumTasks=[^ ]*'", "long", nodes);
        awaitState(accepted(submission), State.DONE);
        assertThat(submission.stdout()).content().contains("TimeLimit=00:07:00").contains("NumTasks=3");
    }

    @Test
    void anUnknownQueuePausesWithSlurmsMessage() {
        SubmitResult result = lrms.submit(List.of(submission("true", "nosuch", ONE_CPU)))
                .get(0)
                .join();
        assertThat(result).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(((SubmitResult.Unavailable) result).scope()).isEqualTo(SubmitResult.Scope.QUEUE);
        assertThat(((SubmitResult.Unavailable) result).reason()).contains("nvalid partition");
    }

    @Test
    void cancelledWhileRunningAndAgain() {
        String id = accepted(submission("exec sleep 600", "long", ONE_CPU));
        awaitState(id, State.RUNNING);
        assertThat(lrms.hold(SlurmTestSite.ACCOUNT, List.of(id)).join().get(id)).contains("running");
        assertThat(lrms.cancel("nobody", List.of(id)).join().get(id)).contains("denied");
        Map<String, String> words =
                lrms.cancel(SlurmTestSite.ACCOUNT, List.of(id, "999999", "x y")).join();
        assertThat(words).containsEntry(id, null).containsEntry("999999", null);
        assertThat(words.get("x y")).isNotNull();
        awaitState(id, State.DONE);
        assertThat(lrms.cancel(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
    }

    @Test
    void heldReleasedAndCancelledWhileItWaits() {
        String blocker = accepted(submission("exec sleep 600", "long", new NodeRequest(500, null, null, false)));
        String id = accepted(submission("exec sleep 600", "long", new NodeRequest(500, null, null, false)));
        assertThat(lrms.hold(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
        awaitState(id, State.HELD);
        assertThat(lrms.release(SlurmTestSite.ACCOUNT, List.of(id)).join()).containsEntry(id, null);
        awaitState(id, State.QUEUED);
        assertThat(lrms.cancel(SlurmTestSite.ACCOUNT, List.of(id, blocker)).join())
                .containsEntry(id, null)
                .containsEntry(blocker, null);
        awaitState(id, State.CANCELLED);
    }

    @Test
    void isUp() {
        assertThat(lrms.health().join().up()).isTrue();
    }

    private static Submission submission(String script, String queue, NodeRequest nodes) {
        JobId id = new JobId(++lastJob);
        JobRequest request = JobRequest.of(
                new JobRequest.Executable("/bin/true", ""), new JobRequest.Resources("slurm", queue, nodes));
        return new Submission(
                id,
                1,
                SlurmTestSite.ACCOUNT,
                queue,
                layout.sandbox(home, id),
                "#!/bin/bash\n" + script + "\n",
                request);
    }

    private static String accepted(Submission submission) {
        SubmitResult result = lrms.submit(List.of(submission)).get(0).join();
        assertThat(result).isInstanceOf(SubmitResult.Accepted.class);
        return ((SubmitResult.Accepted) result).lrmsId();
    }

    private static LrmsJob awaitState(String id, State state) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(
                        () -> lrms.poll().join().stream()
                                .filter(job -> job.lrmsId().equals(id))
                                .findFirst()
                                .orElse(null),
                        job -> job != null && job.state() == state);
    }
}
