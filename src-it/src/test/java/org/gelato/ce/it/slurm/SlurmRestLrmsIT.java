package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The adapter against a real Slurm through slurmrestd alone: every test of the commands, and what is peculiar to it. */
class SlurmRestLrmsIT extends SlurmLrmsIT {
    private static final int MOST_DAEMONS = 50;
    private static final Pattern THREADS = Pattern.compile("Server thread count: *([0-9]+)");

    @Override
    Api api() {
        return Api.REST;
    }

    @Override
    @BeforeAll
    void startSite() throws IOException {
        Path daemon = SlurmConfig.DEFAULT.restDaemon();
        if (!Files.isExecutable(daemon)) {
            Skipped.because("slurmrestd", daemon + " is not installed");
        }
        super.startSite();
    }

    /** Neither is another by slurmrestd. */
    @Override
    void theJobCompletionLogKnowsWhatTheQueueForgot() {}

    @Override
    void aNameWithLineEndsForgesNoJob() {}

    @Override
    @Test
    @Tag("long")
    void aControllerThatIsAwayLosesNothing() {
        super.aControllerThatIsAwayLosesNothing();
    }

    /** Of the account of the jobs; another may have one too, whatever the order of the tests. */
    private List<ProcessHandle> daemons() {
        return ProcessHandle.of(helper.pid())
                .orElseThrow()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/slurmrestd")
                        && process.info().commandLine().orElse("").contains("/" + SlurmTestSite.ACCOUNT + "/"))
                .toList();
    }

    private long execs() {
        return helper.ask("GELATO_STATS").join().stream()
                .filter(word -> word.startsWith("execs="))
                .mapToLong(word -> Long.parseLong(word.substring(6)))
                .sum();
    }

    @Test
    void jobsStartNoProcessOnThisHost() {
        accepted(submission("exec true"));
        long before = execs();
        List<String> ids = accepted(IntStream.range(0, 50)
                .mapToObj(i -> submission("exec sleep 600"))
                .toArray(Submission[]::new));
        try {
            assertThat(execs() - before).isZero();
            lrms.hold(SlurmTestSite.ACCOUNT, ids).join();
            lrms.release(SlurmTestSite.ACCOUNT, ids).join();
            assertThat(execs() - before)
                    .as("squeue before and, unless all run already, after a hold, and before a release, for any number"
                            + " of jobs (0092)")
                    .isBetween(2L, 3L);
        } finally {
            before = execs();
            assertThat(lrms.cancel(SlurmTestSite.ACCOUNT, ids).join())
                    .containsOnlyKeys(ids)
                    .containsValues((String) null);
        }
        assertThat(execs() - before).isZero();
        assertThat(daemons()).hasSize(1);
    }

    /** What a job is lost in is found by its tag, and is not there twice. */
    @Test
    void aDaemonThatIsKilledWithManyRequestsLosesAndDoublesNone() {
        accepted(submission("exec true"));
        int idle = IntStream.range(0, 5).map(i -> controllerThreads()).min().orElseThrow();
        List<Submission> jobs = new ArrayList<>();
        List<CompletableFuture<SubmitResult>> results = new ArrayList<>();
        // A daemon may have answered all before it is killed: then there are more of them.
        for (int round = 0; round < MOST_DAEMONS && (round < 5 || unclear(results) == 0); round++) {
            // The first one may still go to the daemon that was killed before, and be one of unknown fate.
            await("a daemon accepts a job").until(() -> {
                Submission one = submission("exit 0");
                CompletableFuture<SubmitResult> response =
                        lrms.submit(List.of(one)).get(0);
                jobs.add(one);
                results.add(response);
                return response.join() instanceof SubmitResult.Accepted;
            });
            // Found before: it would have answered all by the time it is found.
            List<ProcessHandle> present = daemons();
            assertThat(present).isNotEmpty();
            List<Submission> some =
                    IntStream.range(0, 40).mapToObj(i -> submission("exit 0")).toList();
            List<CompletableFuture<SubmitResult>> responses = lrms.submit(some);
            CompletableFuture.anyOf(responses.toArray(CompletableFuture[]::new)).join();
            present.forEach(ProcessHandle::destroyForcibly);
            jobs.addAll(some);
            results.addAll(responses);
            CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new)).join();
        }
        // The CE waits ten seconds before it looks a job of unknown fate up.
        await("what killed daemons sent has been worked on")
                .atMost(Duration.ofMinutes(2))
                .until(() -> controllerThreads() <= idle);
        assertOnce(jobs, results);
    }

    private static long unclear(List<CompletableFuture<SubmitResult>> results) {
        return results.stream()
                .filter(result -> result.join() instanceof SubmitResult.Unclear)
                .count();
    }

    void assertOnce(List<Submission> jobs, List<CompletableFuture<SubmitResult>> results) {
        Map<String, LrmsJob> all = lrms.find(Submissions.sought(
                        SlurmTestSite.ACCOUNT,
                        jobs.stream().map(job -> job.id().tag()).toList()))
                .join();
        for (int i = 0; i < jobs.size(); i++) {
            String tag = jobs.get(i).id().tag();
            SubmitResult result = results.get(i).join();
            LrmsJob found = all.get(tag);
            if (result instanceof SubmitResult.Accepted is) {
                assertThat(found.lrmsId()).isEqualTo(is.lrmsId());
            } else if (!(result instanceof SubmitResult.Unclear)) {
                assertThat(result).isInstanceOf(SubmitResult.Unavailable.class);
                assertThat(found).isNull();
            }
            if (found == null) {
                accepted(jobs.get(i));
            }
        }
        assertThat(unclear(results)).as("of %d", jobs.size()).isPositive();
        List<String> tags = jobs.stream().map(job -> job.id().tag()).toList();
        assertThat(lrms.poll().join().stream().map(job -> job.tag()).filter(tags::contains))
                .containsExactlyInAnyOrderElementsOf(tags);
    }

    /** Requests that the controller works on, with threads of its own; this request is taken after all that came before it. */
    private int controllerThreads() {
        return THREADS.matcher(site.command("sdiag"))
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFileOfAJobIsItsAccountsAlone() throws IOException {
        Submission job = submission("umask; echo $SLURM_SUBMIT_DIR");
        awaitState(accepted(job).get(0), State.DONE);
        assertThat(job.stdout()).hasContent("0077\n" + job.sandbox());
        assertThat(Files.getPosixFilePermissions(job.stdout())).hasSize(2);
    }
}
