package org.gelato.ce.perf.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulated batch system keeps the rules of a real one. */
class StubLrmsTest {
    private static final String OWN = System.getProperty("user.name");
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    Path home;

    private StubLrms lrms;

    @AfterEach
    void close() {
        lrms.close();
    }

    private void open(int slots, Duration jobTime) {
        lrms = new StubLrms(new StubSettings(slots, Duration.ZERO, jobTime), accounts(), Clock.systemUTC());
    }

    /** The two requests it makes, done at once. */
    private static AccountCommands accounts() {
        return (AccountCommands) Proxy.newProxyInstance(
                AccountCommands.class.getClassLoader(), new Class<?>[] {AccountCommands.class}, (p, method, args) -> {
                    switch (method.getName()) {
                        case "makeDirectory" -> Files.createDirectories((Path) args[1]);
                        case "put" -> Files.write(((FileContent) args[1]).path(), ((FileContent) args[1]).content());
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return CompletableFuture.completedFuture(null);
                });
    }

    private Submission submission(int number) {
        JobId id = JobId.parse("CREAM" + String.format("%09d", number)).orElseThrow();
        Path sandbox = home.resolve(id.toString());
        String wrapper = "#!/bin/bash\n__gelato_job='" + id + "'\n__gelato_attempt='1'\n__gelato_events='"
                + home.resolve("events") + "'\n__gelato_token='secret" + number + "'\n__gelato_sandbox='" + sandbox
                + "'\n";
        return new Submission(id, 1, OWN, "long", sandbox, wrapper, null);
    }

    private String submit(Submission submission) {
        SubmitResult result = lrms.submit(List.of(submission)).get(0).join();
        assertThat(result).isInstanceOf(SubmitResult.Accepted.class);
        return ((SubmitResult.Accepted) result).lrmsId();
    }

    private State state(String id) {
        return lrms.poll().join().stream()
                .filter(j -> j.lrmsId().equals(id))
                .map(LrmsJob::state)
                .findFirst()
                .orElseThrow();
    }

    private void awaitState(String id, State state) {
        await().atMost(PATIENCE).until(() -> state(id) == state);
    }

    private List<WrapperEvent> events() {
        try (Stream<Path> files = Files.list(home.resolve("events"))) {
            return files.filter(Files::isRegularFile)
                    .map(StubLrmsTest::event)
                    .map(Optional::orElseThrow)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<WrapperEvent> event(Path file) {
        try {
            return WrapperEvent.parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aJobLeavesWhatAWrapperLeaves() throws IOException {
        open(1, Duration.ZERO);
        Submission submission = submission(1);
        String id = submit(submission);
        awaitState(id, State.DONE);
        assertThat(events()).extracting(WrapperEvent::kind).containsExactlyInAnyOrder(WrapperEvent.Kind.values());
        assertThat(events())
                .allMatch(e -> e.token().equals("secret1") && e.lrmsId().equals(id));
        assertThat(event(submission.sandbox().resolve("exit")))
                .hasValueSatisfying(e -> assertThat(e.exitCode()).isZero());
        assertThat(submission.sandbox().resolve("claim/owner")).content().contains("lrmsid=" + id + "\n");
    }

    @Test
    void aSecondHandOverDoesNotRun() {
        open(2, LONG);
        awaitState(submit(submission(1)), State.RUNNING);
        awaitState(submit(submission(1)), State.DONE);
        await().atMost(PATIENCE).until(() -> events().size() == 2);
    }

    @Test
    void noMoreRunThanThereAreSlots() {
        open(1, LONG);
        String first = submit(submission(1));
        String second = submit(submission(2));
        assertThat(state(first)).isEqualTo(State.RUNNING);
        assertThat(state(second)).isEqualTo(State.QUEUED);
        assertThat(lrms.cancel(OWN, List.of(first, "unknown")).join())
                .allSatisfy((id, words) -> assertThat(words).isNull());
        assertThat(state(first)).isEqualTo(State.CANCELLED);
        awaitState(second, State.RUNNING);
    }

    @Test
    void aHeldJobDoesNotRunUntilItIsReleased() {
        open(0, LONG);
        String id = submit(submission(1));
        assertThat(lrms.hold(OWN, List.of(id)).join().get(id)).isNull();
        assertThat(state(id)).isEqualTo(State.HELD);
        assertThat(lrms.release(OWN, List.of(id)).join().get(id)).isNull();
        assertThat(state(id)).isEqualTo(State.QUEUED);
        lrms.cancel(OWN, List.of(id)).join();
        assertThat(lrms.release(OWN, List.of(id)).join().get(id)).contains("CANCELLED");
    }

    @Test
    void aTagIsFoundAndAnUnknownOneIsNot() {
        open(0, LONG);
        Submission submission = submission(1);
        String id = submit(submission);
        assertThat(lrms.find(Submissions.sought(OWN, submission.id().tag(), "cream_000000000"))
                        .join()
                        .values())
                .extracting(LrmsJob::lrmsId)
                .containsExactly(id);
    }
}
