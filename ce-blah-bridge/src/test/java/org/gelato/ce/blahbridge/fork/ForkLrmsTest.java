package org.gelato.ce.blahbridge.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.blahbridge.RunningHelper;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.ResourceContract;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.description.JobRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForkLrmsTest {
    private static final String CLAIM = """
            cd "$HOME"; mkdir claim || exit 9
            stat=$(</proc/$$/stat); set -- ${stat##*) }
            printf 'pid=%s\\nstart=%s\\nattempt=1\\n' $$ ${20} > claim/owner
            """;

    @TempDir
    Path temporary;

    private RunningHelper helper;
    private ForkLrms lrms;

    @BeforeEach
    void start() throws IOException {
        helper = new RunningHelper(temporary);
    }

    @AfterEach
    void stop() {
        if (lrms != null) {
            lrms.cancel(helper.account, ids(lrms)).join();
            await().until(() -> lrms.poll().join().stream().noneMatch(j -> j.state() == State.RUNNING));
            lrms.close();
        }
        helper.close();
    }

    private static List<String> ids(ForkLrms lrms) {
        return lrms.poll().join().stream().map(LrmsJob::lrmsId).toList();
    }

    private ForkLrms open(int slots) throws IOException {
        return open(slots, Clock.systemUTC());
    }

    private ForkLrms open(int slots, Clock clock) throws IOException {
        return ForkLrms.open(
                new ForkLrmsConfig(
                        temporary.toRealPath().resolve("state"),
                        slots,
                        Duration.ofMillis(50),
                        Duration.ofSeconds(1),
                        Duration.ofHours(1)),
                helper.commands,
                clock);
    }

    private Submission submission(int number, String script) {
        JobId id = new JobId(number);
        return new Submission(id, 1, helper.account, "fork", helper.home.resolve("00/00/" + id), CLAIM + script, null);
    }

    private String submit(int number, String script) {
        SubmitResult result =
                lrms.submit(List.of(submission(number, script))).get(0).join();
        assertThat(result).isInstanceOf(SubmitResult.Accepted.class);
        return ((SubmitResult.Accepted) result).lrmsId();
    }

    private State state(String lrmsId) {
        return lrms.poll().join().stream()
                .filter(j -> j.lrmsId().equals(lrmsId))
                .findFirst()
                .map(LrmsJob::state)
                .orElse(null);
    }

    private void awaitState(String lrmsId, State state) {
        await().untilAsserted(() -> assertThat(state(lrmsId)).isEqualTo(state));
    }

    @Test
    void jobsRunOneAfterAnotherInOrderAndAreShownDone() throws IOException {
        lrms = open(1);
        String order = helper.home.resolve("order").toString();
        List<Submission> batch = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            batch.add(
                    submission(i, "echo start " + i + " >> " + order + "; sleep 0.02; echo end " + i + " >> " + order));
        }
        List<String> ids = lrms.submit(batch).stream()
                .map(f -> ((SubmitResult.Accepted) f.join()).lrmsId())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.startsWith("fork."));

        ids.forEach(id -> awaitState(id, State.DONE));

        StringBuilder expected = new StringBuilder();
        for (int i = 1; i <= 12; i++) {
            expected.append("start ").append(i).append("\nend ").append(i).append('\n');
        }
        assertThat(helper.text(helper.home.resolve("order"))).isEqualTo(expected.toString());
        assertThat(helper.stats()).containsEntry("execs", 12L);
    }

    @Test
    void asManyRunAsThereAreSlots() throws IOException {
        lrms = open(3);
        for (int i = 1; i <= 5; i++) {
            submit(i, "sleep 600");
        }
        await().until(() -> lrms.poll().join().stream()
                        .filter(j -> j.state() == State.RUNNING)
                        .count()
                == 3);
        assertThat(lrms.poll().join())
                .extracting(LrmsJob::state)
                .containsExactly(State.RUNNING, State.RUNNING, State.RUNNING, State.QUEUED, State.QUEUED);
        assertThat(lrms.health().join().up()).isTrue();
    }

    @Test
    void theWrapperGetsItsMinimalEnvironmentAndItsOutputFiles() throws IOException {
        lrms = open(1);
        String id = submit(7, "echo \"$GELATO_LRMS_ID $HOME $LANG $USER ${SECRET-none}\"; pwd; echo oops >&2; exit 3");
        awaitState(id, State.DONE);
        Path sandbox = helper.home.resolve("00/00/CREAM000000007");
        assertThat(helper.text(sandbox.resolve("StandardOutput")))
                .startsWith(id + " " + sandbox + " C ")
                .endsWith(" none\n" + sandbox + "\n");
        assertThat(helper.text(sandbox.resolve("StandardError"))).isEqualTo("oops\n");
    }

    @Test
    void cancelQueuedAndRunning() throws IOException {
        lrms = open(1);
        String running = submit(1, "trap '' TERM; while :; do sleep 0.1; done");
        String queued = submit(2, "touch " + helper.home + "/never");
        awaitState(running, State.RUNNING);

        assertThat(lrms.cancel("somebody", List.of(queued)).join().get(queued)).contains("another account");
        Map<String, String> words =
                lrms.cancel(helper.account, List.of(queued, "fork.99", "42")).join();
        assertThat(words)
                .containsOnlyKeys(queued, "fork.99", "42")
                .allSatisfy((k, v) -> assertThat(v).isNull());
        assertThat(state(queued)).isEqualTo(State.CANCELLED);

        assertThat(lrms.cancel(helper.account, List.of(running)).join().get(running))
                .isNull();
        awaitState(running, State.CANCELLED); // by SIGKILL after the grace
        assertThat(lrms.cancel(helper.account, List.of(running)).join().get(running))
                .isNull();
        assertThat(helper.run("ls").stdout()).doesNotContain("never");
    }

    @Test
    void aHeldJobLetsLaterOnesPassAndRunsWhenReleased() throws IOException {
        lrms = open(1);
        String first = submit(1, "sleep 600");
        String held = submit(2, ":");
        String last = submit(3, ":");
        awaitState(first, State.RUNNING);
        assertThat(lrms.hold(helper.account, List.of(held, first)).join())
                .containsEntry(held, null)
                .containsEntry(first, "the job is running, and fork suspends no running job");
        lrms.cancel(helper.account, List.of(first)).join();
        awaitState(last, State.DONE);
        assertThat(state(held)).isEqualTo(State.HELD);
        lrms.release(helper.account, List.of(held)).join();
        awaitState(held, State.DONE);
    }

    private String submit(int number, String script, Duration limit) {
        Submission plain = submission(number, script);
        JobRequest request = Submissions.with(Submissions.ONE_CPU, new JobRequest.Limits(limit, null, null))
                .request();
        Submission limited = new Submission(
                plain.id(), 1, plain.account(), plain.queue(), plain.sandbox(), plain.wrapper(), request);
        return ((SubmitResult.Accepted) lrms.submit(List.of(limited)).get(0).join()).lrmsId();
    }

    /** The limit is kept while the CE is away, and counts what the job has run before. */
    @Test
    void aJobWhoseTimeIsOverIsEndedAlsoAfterARestart() throws IOException {
        lrms = open(4);
        String trap = "trap 'echo signalled >> result; exit 143' TERM; ";
        String over = submit(1, trap + "while :; do sleep 0.05; done", Duration.ofHours(2));
        String deaf = submit(2, "trap '' TERM; while :; do sleep 0.1; done", Duration.ofHours(2));
        String longer = submit(3, "while :; do sleep 0.05; done", Duration.ofHours(4));
        String without = submit(4, "while :; do sleep 0.05; done");
        String queued = submit(5, "echo ran", Duration.ofHours(1));
        List.of(over, deaf, longer, without).forEach(id -> awaitState(id, State.RUNNING));
        lrms.close();

        lrms = open(4, Clock.offset(Clock.systemUTC(), Duration.ofHours(3)));
        awaitState(over, State.FAILED);
        awaitState(deaf, State.FAILED); // by SIGKILL
        awaitState(queued, State.DONE); // its time begins with its start
        assertThat(state(longer)).isEqualTo(State.RUNNING);
        assertThat(state(without)).isEqualTo(State.RUNNING);
        assertThat(helper.text(helper.home.resolve("00/00/CREAM000000001/result")))
                .isEqualTo("signalled\n");
        assertThat(lrms.poll().join())
                .filteredOn(job -> job.lrmsId().equals(over))
                .extracting(LrmsJob::reason)
                .containsExactly("the job ran longer than its limit of 2 h");
    }

    @Test
    void theWallTimeAloneReachesJobs() throws IOException {
        lrms = open(1);
        JobRequest.Limits limits = new JobRequest.Limits(Duration.ofHours(1), Duration.ofHours(1), 1024L);
        assertThat(lrms.supportedRequests()
                        .warning(Submissions.with(Submissions.ONE_CPU, limits).request()))
                .hasValue("requested, but not passed to the batch system here: CPU time, memory");
        ResourceContract.holds(lrms.supportedRequests(), job -> ForkJob.queued(1, job, Instant.EPOCH));
    }

    @Test
    void afterARestartJobsAreTakenUpWhereTheyStand() throws IOException {
        lrms = open(1);
        String running = submit(1, "until [ -e go ]; do sleep 0.05; done; echo ended >> result");
        String queued = submit(2, "echo ran >> result");
        awaitState(running, State.RUNNING);
        lrms.close();

        lrms = open(1);
        assertThat(state(running)).isEqualTo(State.RUNNING);
        assertThat(state(queued)).isEqualTo(State.QUEUED);
        assertThat(lrms.find(Submissions.sought(
                                helper.account, "cream_000000001", "cream_000000002", "cream_000000009"))
                        .join())
                .containsOnlyKeys("cream_000000001", "cream_000000002");

        helper.put(helper.home.resolve("00/00/CREAM000000001/go"), "");
        awaitState(running, State.DONE);
        awaitState(queued, State.DONE);
        assertThat(helper.text(helper.home.resolve("00/00/CREAM000000001/result")))
                .isEqualTo("ended\n");
        assertThat(helper.text(helper.home.resolve("00/00/CREAM000000002/result")))
                .isEqualTo("ran\n");
    }

    @Test
    void aStartInterruptedAfterItHappenedIsAdoptedByItsClaim() throws IOException {
        lrms = open(1);
        String id = submit(1, "echo payload >> runs; until [ -e go ]; do sleep 0.05; done");
        awaitState(id, State.RUNNING);
        Path claim = helper.home.resolve("00/00/CREAM000000001/claim/owner");
        await().until(() -> helper.text(claim).contains("attempt="));
        lrms.close();
        backToStarting(id);

        lrms = open(1);
        awaitState(id, State.RUNNING);
        helper.put(helper.home.resolve("00/00/CREAM000000001/go"), "");
        awaitState(id, State.DONE);
        assertThat(helper.text(helper.home.resolve("00/00/CREAM000000001/runs")))
                .isEqualTo("payload\n");
        assertThat(helper.stats()).containsEntry("execs", 1L);
    }

    @Test
    void aStartInterruptedBeforeItHappenedIsDoneAgain() throws IOException {
        lrms = open(1);
        String first = submit(1, "sleep 600");
        String id = submit(2, "echo payload >> runs");
        awaitState(first, State.RUNNING);
        lrms.hold(helper.account, List.of(id)).join();
        lrms.cancel(helper.account, List.of(first)).join();
        awaitState(first, State.CANCELLED);
        lrms.close();
        backToStarting(id);

        lrms = open(1);
        awaitState(id, State.DONE);
        assertThat(helper.text(helper.home.resolve("00/00/CREAM000000002/runs")))
                .isEqualTo("payload\n");
    }

    /** The state directory after the CE was killed between recording a start and learning its result. */
    private void backToStarting(String id) throws IOException {
        Path file = temporary.toRealPath().resolve("state/" + id.substring("fork.".length()) + ".job");
        String text = Files.readString(file);
        Files.writeString(
                file,
                text.replaceAll("phase=[A-Z]+", "phase=STARTING")
                        .replaceAll("(?m)^(pid|start|boot)=.*\n", "")
                        .replaceAll("starts=\\d+", "starts=1"));
    }

    @Test
    void theSameHandOverTwiceIsOneJob() throws IOException {
        lrms = open(1);
        String id = submit(1, "sleep 600");
        assertThat(submit(1, "sleep 600")).isEqualTo(id);
        assertThat(lrms.poll().join()).hasSize(1);
    }

    @Test
    void aHandOverTheHelperRefusesIsRefusedAndLeavesNothing() throws IOException {
        lrms = open(1);
        JobId id = new JobId(5);
        Submission outside = new Submission(id, 1, helper.account, "fork", Path.of("/etc/" + id), "exit 0", null);
        assertThat(lrms.submit(List.of(outside)).get(0).join()).isInstanceOf(SubmitResult.Refused.class);
        helper.channel.close();
        assertThat(lrms.submit(List.of(submission(6, ""))).get(0).join()).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(lrms.find(Submissions.sought(helper.account, "cream_000000005", "cream_000000006"))
                        .join())
                .isEmpty();
        assertThat(lrms.health().join().up()).isFalse();
    }

    @Test
    void theStateDirectoryHasOneUserAndAnUnreadableFileIsSetAside() throws IOException {
        lrms = open(1);
        assertThatThrownBy(() -> open(1)).isInstanceOf(IOException.class).hasMessageContaining("another CE");
        String id = submit(1, ":");
        awaitState(id, State.DONE);
        lrms.close();
        Path state = temporary.toRealPath().resolve("state");
        Files.writeString(state.resolve("77.job"), "number=77\ntag=cream_000000077\n");
        lrms = open(1);
        assertThat(state(id)).isEqualTo(State.DONE);
        assertThat(state.resolve("77.job.unreadable")).exists();
        assertThat(submit(2, ":")).isNotIn(id, "fork.77");
        for (int start = 0; start < 2; start++) {
            assertThat(state("fork.77")).as("it may run").isEqualTo(State.UNKNOWN);
            assertThat(lrms.cancel(helper.account, List.of("fork.77")).join().get("fork.77"))
                    .contains("77.job.unreadable");
            assertThat(lrms.find(List.of(
                                    new Lookup("cream_000000077", helper.account, "fork.77"),
                                    new Lookup("cream_000000078", helper.account, null)))
                            .join()
                            .values())
                    .hasSize(2)
                    .allMatch(job -> job.state() == State.UNKNOWN);
            lrms.close();
            lrms = open(1);
        }
        lrms.close();
        Files.delete(state.resolve("77.job.unreadable"));
        lrms = open(1);
        assertThat(state("fork.77")).as("an administrator says that it is over").isNull();
    }
}
