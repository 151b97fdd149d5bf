package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a batch system that is slow, hung or down does to the queue: nothing but that its jobs wait there. */
class BackPressureTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final HandOverLimits LIMITS =
            new HandOverLimits(50, Duration.ofSeconds(20), -1, Duration.ofSeconds(5));

    private final FakeLrms lrms = new FakeLrms();
    private final AtomicLong ticker = new AtomicLong();
    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), lrms, "h1", LIMITS, ticker::get).start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private List<JobId> submit(int number) {
        return ce
                .jobs
                .registration()
                .register(
                        ALICE,
                        Stream.generate(() -> TestCe.description(true))
                                .limit(number)
                                .toList(),
                        null)
                .stream()
                .map(r -> r.id())
                .toList();
    }

    private static int count(String what) {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM " + what)
                        .mapTo(Integer.class)
                        .one());
    }

    private void pass(Duration d) {
        ticker.addAndGet(d.toNanos());
        ce.dispatcher.wake();
    }

    @Test
    void aBatchSystemThatIsDownPausesAndTheJobsKeepTheirPlaceAndTheirTries() {
        lrms.health(false, "down");
        lrms.answer(s -> new SubmitResult.Unavailable("no connection"));
        List<JobId> ids = submit(200);
        await().until(() -> ce.throttle.pausedBy() != null && ce.dispatcher.inFlight() == 0);
        int tried = lrms.submissions().size();
        assertThat(tried).isLessThan(20);
        assertThat(count("command WHERE kind = 1 AND state = 1 AND tries = 0 AND run_after IS NULL"))
                .isGreaterThan(180);

        // Down for long: the batch system's health is queried, and no job is touched.
        for (int i = 0; i < 10; i++) {
            pass(Duration.ofMinutes(1));
            await().until(() -> "does not respond: down".equals(ce.throttle.pausedBy()));
        }
        assertThat(lrms.submissions()).hasSize(tried);
        assertThat(count("command WHERE tries > 1")).isZero();
        assertThat(submit(1)).doesNotContainNull();

        lrms.answer(lrms::accept);
        lrms.health(true, "up");
        pass(Duration.ofMinutes(1));
        await().until(() -> count("job WHERE state = " + JobState.IDLE.code()) == ids.size() + 1);
        assertThat(lrms.jobs()).hasSize(ids.size() + 1);
        assertThat(ce.throttle.pausedBy()).isNull();
    }

    @Test
    void whileHandOversHangAndPauseCancelsAndPurgesGoThrough() {
        JobId running = submit(1).get(0);
        JobId done = submit(1).get(0);
        await().until(() -> ce.state(ALICE, running) == JobState.IDLE && ce.state(ALICE, done) == JobState.IDLE);
        lrms.move(done.tag(), LrmsJob.State.CANCELLED, null, null);
        ce.poller.wake();
        await().until(() -> ce.state(ALICE, done) == JobState.CANCELLED);

        lrms.hangs(true);
        List<JobId> ids = submit(300);
        await().until(() -> lrms.unanswered().size() == ce.throttle.window());
        assertThat(ce.dispatcher.inFlight()).isLessThan(25);
        pass(Duration.ofSeconds(21));
        await().until(() -> ce.throttle.pausedBy() != null);
        assertThat(ce.throttle.pausedBy()).contains("no result for 21.0 s");

        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(running.toString())));
        ce.jobs.commands().purge(ALICE, JobFilter.ofIds(List.of(done.toString())));
        await().until(() -> ce.state(ALICE, running) == JobState.CANCELLED);
        await().until(() -> count("job WHERE id = " + ce.numbers.row(done)) == 0);
        // Whatever is not handed over is cancelled at once; the others wait for their fate.
        int begun = lrms.submissions().size() - 2;
        ce.jobCommands.cancelJobsOf(ce.delegationRow(), "ended");
        assertThat(count("job WHERE state = " + JobState.CANCELLED.code())).isEqualTo(301 - begun);
        assertThat(count("command WHERE state = " + CommandState.CREATED.code()))
                .as("cancels behind starts")
                .isEqualTo(begun);

        lrms.hangs(false);
        lrms.unanswered().forEach((s, f) -> f.complete(lrms.accept(s)));
        pass(Duration.ofMinutes(1));
        await().until(() -> ids.stream().allMatch(id -> ce.state(ALICE, id) == JobState.CANCELLED));
        assertThat(lrms.submissions()).hasSize(begun + 2);
    }

    @Test
    void aHungBatchSystemIsGivenItsWindowAndNoMore() {
        lrms.hangs(true);
        submit(100);
        await().until(() -> lrms.unanswered().size() == 8);
        IntStream.range(0, 5).forEach(i -> {
            int before = lrms.unanswered().size();
            lrms.unanswered().entrySet().stream()
                    .filter(e -> !e.getValue().isDone())
                    .forEach(e -> e.getValue().complete(lrms.accept(e.getKey())));
            await().until(() -> lrms.unanswered().size() > before || before == 100);
        });
        assertThat(ce.throttle.window()).isGreaterThan(8);
    }
}
