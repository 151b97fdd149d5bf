package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.core.lrms.SubmitResult.Unavailable;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.RouteMatch;
import org.gelato.ce.core.route.RouteQueues;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A limit of one account and a closed queue stop that account and that queue, and nobody else. */
class ScopedPausesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice", "alice");
    private static final Caller BOB = TestCe.caller("Bob", "bob");
    private static final Caller CAROL = TestCe.caller("Carol", "carol");
    private static final String LIMIT = "Job violates accounting/QOS policy (job submit limit)";
    private static final String DRAINED = "queue is disabled: user USER@localhost, queue short";

    private final FakeLrms lrms = new FakeLrms();
    private final AtomicLong ticker = new AtomicLong();
    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private TestCe start() {
        return new TestCe(DB.database(), lrms, "h1", HandOverLimits.DEFAULT, ticker::get).start();
    }

    private SubmitResult limited(Submission s) {
        if (s.account().equals("alice")) {
            return new Unavailable(LIMIT, Scope.ACCOUNT_IN_QUEUE);
        }
        return s.queue().equals("short")
                ? new Unavailable(DRAINED.replace("USER", s.account()), Scope.QUEUE)
                : lrms.accept(s);
    }

    private List<JobId> submit(Caller caller, JobDescription description, int number) {
        return ce
                .jobs
                .registration()
                .register(
                        caller, Stream.generate(() -> description).limit(number).toList(), null)
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

    private boolean all(Caller caller, Collection<JobId> ids, JobState state) {
        return ids.stream().allMatch(id -> ce.state(caller, id) == state);
    }

    private void pass(Duration d) {
        ticker.addAndGet(d.toNanos());
        // What was tried alone lets others be tried first: let that be over.
        DB.database()
                .inTransaction(h -> h.execute("UPDATE command SET run_after = NOW(6) WHERE run_after IS NOT NULL"));
        ce.dispatcher.wake();
    }

    private long submitted(String account) {
        return lrms.submissions().stream()
                .filter(s -> s.account().equals(account))
                .count();
    }

    private static int aside() {
        return count("command WHERE kind = 1 AND state = 1 AND lane LIKE 'paused %'");
    }

    /** Those that were tried wait for themselves: let that be over. */
    private void untilAside(int jobs) {
        await().until(() -> {
            pass(Duration.ZERO);
            return aside() == jobs;
        });
    }

    /** As {@link #submit}, one. */
    private JobId one(Caller caller) {
        return submit(caller, TestCe.description(true), 1).get(0);
    }

    private void tried(int times) {
        await().until(() -> lrms.submissions().size() == times && ce.dispatcher.inFlight() == 0);
    }

    @ParameterizedTest
    @EnumSource(value = Scope.class, mode = EnumSource.Mode.EXCLUDE, names = "SANDBOXES")
    void oneJobThatIsNotTakenHoldsNoOther(Scope scope) {
        AtomicReference<JobId> bad = new AtomicReference<>();
        lrms.answer(s -> {
            bad.compareAndSet(null, s.id());
            return s.id().equals(bad.get())
                    ? new Unavailable("connection refused, not authorized to use queue, job submit limit", scope)
                    : lrms.accept(s);
        });
        JobId first = one(ALICE);
        tried(1);
        for (int times = 2; times <= 4; times += 2) {
            pass(Duration.ZERO);
            tried(times);
            JobId next = one(ALICE);
            await().until(() -> ce.state(ALICE, next) == JobState.IDLE);
        }
        assertThat(ce.state(ALICE, first)).isEqualTo(JobState.PENDING);
        assertThat(ce.dispatcher.pauses().paused()).isEmpty();
        assertThat(ce.throttle.pausedBy()).isNull();
    }

    @Test
    void aSecondJobThatIsNotTakenPausesItsAccountAloneAndAnotherIsTriedNext() {
        lrms.answer(s -> s.account().equals("alice")
                ? new Unavailable("limit of " + s.id(), Scope.ACCOUNT_IN_QUEUE)
                : lrms.accept(s));
        one(ALICE);
        tried(1);
        assertThat(ce.dispatcher.pauses().paused()).isEmpty();
        one(ALICE);
        tried(2);
        assertThat(ce.dispatcher.pauses().paused())
                .extracting(ScopedPauses.Paused::account)
                .containsExactly("alice");
        List<JobId> others = Stream.generate(() -> one(ALICE)).limit(2).toList();
        await().until(() -> aside() == 2);
        JobId bobs = one(BOB);
        await().until(() -> ce.state(BOB, bobs) == JobState.IDLE);
        ticker.addAndGet(Duration.ofSeconds(5).toNanos());
        ce.dispatcher.wake();
        tried(4);
        assertThat(others).contains(lrms.submissions().get(3).id());
        assertThat(count("command WHERE state < 2 AND tries > 0")).as("tries").isZero();
    }

    @Test
    void jobsThatAreNotTakenForDifferentReasonsPauseNothing() {
        AtomicLong number = new AtomicLong();
        lrms.answer(s ->
                new Unavailable(number.getAndIncrement() == 0 ? LIMIT : "Invalid account", Scope.ACCOUNT_IN_QUEUE));
        one(ALICE);
        tried(1);
        one(ALICE);
        tried(2);
        assertThat(ce.dispatcher.pauses().paused()).isEmpty();
    }

    @Test
    void aJobThatIsRefusedForEverEndsWithTheWordsAfterAFewTriesAndHoldsNobody() {
        String words = "never asks for an unknown host class";
        lrms.answer(s -> s.account().equals("alice") ? new SubmitResult.Refused(words, true) : lrms.accept(s));
        List<JobId> bad = submit(ALICE, TestCe.description(true), 3);
        for (int round = 1; round <= HandOver.MAX_REFUSALS; round++) {
            tried(round * (bad.size() + 1) - 1);
            assertThat(ce.dispatcher.pauses().paused()).isEmpty();
            assertThat(all(ALICE, bad, JobState.PENDING)).isEqualTo(round < HandOver.MAX_REFUSALS);
            JobId bobs = one(BOB);
            await().until(() -> ce.state(BOB, bobs) == JobState.IDLE);
            pass(Duration.ZERO);
        }
        await().until(() -> all(ALICE, bad, JobState.ABORTED));
        JobStatus shown = ce.jobs
                .queries()
                .status(ALICE, JobFilter.ofIds(List.of(bad.get(0).toString())))
                .get(0)
                .status();
        assertThat(shown.failureReason()).isEqualTo(words);
    }

    @Test
    void afterAPauseOfAllTheFirstJobIsNoneThatWaitsForItsAccount() {
        lrms.answer(this::limited);
        submit(ALICE, TestCe.description(true), 6);
        untilAside(6);
        lrms.health(false, "down");
        lrms.answer(s -> new Unavailable("no connection"));
        JobId bobs = one(BOB);
        await().until(() -> ce.throttle.pausedBy() != null && ce.dispatcher.inFlight() == 0);
        int before = lrms.submissions().size();
        long alices = submitted("alice");
        lrms.health(true, "up");
        lrms.answer(s -> s.account().equals("alice") ? limited(s) : lrms.accept(s));
        // Both pauses are due.
        ticker.addAndGet(Duration.ofMinutes(2).toNanos());
        ce.dispatcher.wake();
        await().until(() -> ce.state(BOB, bobs) == JobState.IDLE);
        assertThat(lrms.submissions().get(before).account()).isEqualTo("bob");
        await().until(() -> submitted("alice") > alices);
        assertThat(count("command c JOIN job j ON j.id = c.job_id WHERE c.state < 2 AND c.tries > 0"))
                .as("tries of those that wait")
                .isZero();
    }

    @Test
    void aLimitOfAnAccountAndAClosedQueueLeaveTheOthersTheirPace() {
        lrms.answer(this::limited);
        List<JobId> alices = submit(ALICE, TestCe.description(true), 20);
        List<JobId> carols = submit(CAROL, TestCe.startedIn("short"), 8);
        List<JobId> bobs = submit(BOB, TestCe.description(true), 3);
        await().until(() -> all(BOB, bobs, JobState.IDLE));
        untilAside(28);

        // Handed over with their first claim, as if they were alone.
        assertThat(count("command WHERE kind = 1 AND state = 3 AND tries = 1")).isEqualTo(3);
        assertThat(submitted("bob")).isEqualTo(3);
        assertThat(submitted("alice")).isLessThanOrEqualTo(8);
        assertThat(submitted("carol")).isLessThanOrEqualTo(8);
        assertThat(ce.throttle.pausedBy()).isNull();
        assertThat(ce.throttle.window()).isGreaterThanOrEqualTo(8);

        assertThat(ce.dispatcher.pauses().paused())
                .extracting(ScopedPauses.Paused::text)
                .containsExactlyInAnyOrder("account alice in queue long: " + LIMIT, "queue short: " + DRAINED);
        JobStatus shown = ce.jobs
                .queries()
                .status(ALICE, JobFilter.ofIds(List.of(alices.get(19).toString())))
                .get(0)
                .status();
        assertThat(shown.state()).isEqualTo(JobState.PENDING);
        assertThat(shown.description()).isEqualTo("account alice in queue long: " + LIMIT);

        // What comes later is handed over at once too, and no probe is due for the others.
        long before = submitted("alice") + submitted("carol");
        List<JobId> more = submit(BOB, TestCe.description(true), 5);
        await().until(() -> all(BOB, more, JobState.IDLE));
        List<JobId> elsewhere = submit(CAROL, TestCe.description(true), 2);
        await().until(() -> all(CAROL, elsewhere, JobState.IDLE));
        assertThat(submitted("alice") + submitted("carol")).isEqualTo(before + 2);

        // One of each is tried after the interval.
        pass(Duration.ofSeconds(5));
        await().until(() -> submitted("alice") + submitted("carol") == before + 4);
        await().until(() -> ce.dispatcher.inFlight() == 0);
        assertThat(count("command WHERE kind = 1 AND state IN (0, 1) AND tries > 0"))
                .isZero();

        lrms.answer(lrms::accept);
        await().until(() -> {
            pass(Duration.ofSeconds(10));
            return all(ALICE, alices, JobState.IDLE) && all(CAROL, carols, JobState.IDLE);
        });
        assertThat(lrms.jobs()).hasSize(38);
        await().until(() -> {
            pass(Duration.ofSeconds(1));
            return ce.dispatcher.pauses().paused().isEmpty()
                    && !ce.dispatcher.pauses().any();
        });
        JobStatus idle = ce.jobs
                .queries()
                .status(ALICE, JobFilter.ofIds(List.of(alices.get(19).toString())))
                .get(0)
                .status();
        assertThat(idle.description()).isNull();
        assertThat(count("command WHERE state < 3 AND kind = 1")).isZero();
    }

    @Test
    void anAccountAtItsLimitIsHandedOverOneForEachThatEnds() {
        AtomicLong free = new AtomicLong(2);
        lrms.answer(s -> free.getAndDecrement() > 0 ? lrms.accept(s) : new Unavailable(LIMIT, Scope.ACCOUNT_IN_QUEUE));
        List<JobId> ids = submit(ALICE, TestCe.description(true), 10);
        untilAside(8);
        assertThat(lrms.jobs()).hasSize(2);
        for (int taken = 3; taken <= 10; taken++) {
            int expected = taken;
            free.set(1);
            await().until(() -> {
                pass(Duration.ofSeconds(20));
                return lrms.jobs().size() == expected;
            });
        }
        await().until(() -> all(ALICE, ids, JobState.IDLE));
        // Two for each job at the most, one beyond each end of a pause.
        assertThat(lrms.submissions()).hasSizeLessThan(40);
    }

    @Test
    void whatWaitsForAPauseIsFoundByTheNextProcess() {
        lrms.answer(this::limited);
        List<JobId> ids = submit(ALICE, TestCe.description(true), 20);
        untilAside(20);
        ce.close();

        ce = start();
        await().until(() -> ce.dispatcher.pauses().paused().size() == 1);
        assertThat(ce.dispatcher.pauses().paused().get(0).text()).isEqualTo("account alice in queue long: " + LIMIT);
        lrms.answer(lrms::accept);
        await().until(() -> {
            pass(Duration.ofSeconds(5));
            return all(ALICE, ids, JobState.IDLE);
        });
        assertThat(lrms.jobs()).hasSize(20);
    }

    private static RouteMatch of(List<String> accounts) {
        return new RouteMatch(
                List.of(), List.of(), List.of(), List.of(), accounts, List.of(), List.of(), 0, null, null, Map.of());
    }

    @Test
    void beyondTheLimitOfARouteOnlyItsJobsWaitUntilFewerAreThere() {
        ce.close();
        Routes routes = new Routes(List.of(new Route("alices", of(List.of("alice")), Map.of(Routes.QUEUED, 2))));
        ce = new TestCe(DB.database(), lrms, "h1", routes).start();
        List<JobId> ids = submit(ALICE, TestCe.description(true), 5);
        List<JobId> bobs = submit(BOB, TestCe.description(true), 3);
        await().until(() -> all(BOB, bobs, JobState.IDLE) && aside() == 3 && submitted("alice") == 2);
        JobId waits = ids.stream()
                .filter(id -> ce.state(ALICE, id) == JobState.PENDING)
                .findFirst()
                .orElseThrow();
        assertThat(ce.jobs
                        .queries()
                        .status(ALICE, JobFilter.ofIds(List.of(waits.toString())))
                        .get(0)
                        .status()
                        .description())
                .isEqualTo("route alices: at most 2 of its jobs wait in the batch system");
        assertThat(ce.dispatcher.pauses().paused()).isEmpty();
        assertThat(ce.throttle.pausedBy()).isNull();
        assertThat(count("command WHERE kind = 1 AND state < 2 AND tries > 0"))
                .as("tries")
                .isZero();

        JobId gone = lrms.submissions().stream()
                .filter(s -> s.account().equals("alice"))
                .findFirst()
                .orElseThrow()
                .id();
        lrms.move(gone.tag(), LrmsJob.State.CANCELLED, null, null);
        ce.poller.wake();
        await().until(() -> ce.state(ALICE, gone) == JobState.CANCELLED);
        ce.dispatcher.waiting().count();
        await().until(() -> submitted("alice") == 3 && aside() == 2 && ce.dispatcher.inFlight() == 0);
        ce.dispatcher.waiting().count();
        assertThat(submitted("alice")).isEqualTo(3);

        // One that is held is in the queue, one that is suspended while it runs is on its node.
        List<JobId> idle =
                ids.stream().filter(id -> ce.state(ALICE, id) == JobState.IDLE).toList();
        seen(idle.get(0), LrmsJob.State.HELD, JobState.HELD);
        assertThat(waitingOfRoutes()).isEqualTo(2);
        seen(idle.get(1), LrmsJob.State.RUNNING, JobState.RUNNING);
        seen(idle.get(1), LrmsJob.State.HELD, JobState.HELD);
        assertThat(waitingOfRoutes()).isEqualTo(1);
        assertThat(inLrms()).as("with those of others").isEqualTo(1 + bobs.size());

        // The next process has no such limit.
        ce.close();
        ce = start();
        await().until(() -> submitted("alice") == 5 && aside() == 0);
    }

    private void seen(JobId job, LrmsJob.State shown, JobState state) {
        lrms.move(job.tag(), shown, null, null);
        ce.poller.wake();
        await().until(() -> ce.state(ALICE, job) == state);
    }

    private static int waitingOfRoutes() {
        return DB.database()
                .read(h -> h.createQuery(WaitingJobs.WAITING_BY_ROUTE)
                        .map((r, context) -> r.getInt("jobs"))
                        .one());
    }

    private static int inLrms() {
        return DB.database()
                .read(h -> h.createQuery(WaitingJobs.WAITING_IN_LRMS)
                        .bind("lrms", "fake")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aCountTakesATenthOfTheTimeAndSaysWhenNoneSucceeds() {
        assertThat(WaitingJobs.pause(1000)).isEqualTo(WaitingJobs.EVERY.toNanos());
        assertThat(WaitingJobs.pause(WaitingJobs.EVERY.toNanos())).isEqualTo(9 * WaitingJobs.EVERY.toNanos());
        Routes routes = new Routes(List.of(new Route("all", of(List.of()), Map.of(Routes.QUEUED, 2))));
        RouteQueues queues = new RouteQueues(routes);
        AtomicLong nanos = new AtomicLong();
        try (WaitingJobs waiting = new WaitingJobs(DB.database(), Map.of(), queues, () -> {}, nanos::get);
                WaitingJobs unlimited =
                        new WaitingJobs(DB.database(), Map.of(), new RouteQueues(Routes.NONE), () -> {}, nanos::get)) {
            nanos.addAndGet(Duration.ofSeconds(90).toNanos());
            assertThat(waiting.trouble().orElseThrow()).contains("have not been counted for 1 min 30 s");
            assertThat(unlimited.trouble()).isEmpty();
            waiting.count();
            assertThat(waiting.trouble()).isEmpty();
        }
    }

    /** Of memory alone. */
    @Test
    void pausesHaveTheirTurnsAndEndWhenTheyWorkOrNobodyMeetsThem() {
        ScopedPauses pauses = new ScopedPauses(lane -> HandOverLimits.DEFAULT, ticker::get);
        String lane = Lane.handOver("fake");
        List<String> names = Stream.of(1, 2, 3)
                .map(account -> new PauseScope(lane, account, 0).name())
                .toList();
        names.forEach(name -> pauses.waits(new LaneStore.PausedLane(name, "account", null, LIMIT)));
        assertThat(pauses.room(lane)).isEmpty();
        ticker.addAndGet(HandOverLimits.DEFAULT.probeInterval().toNanos());
        assertThat(pauses.room(lane).keySet()).containsExactlyElementsOf(names);
        pauses.served(names.subList(0, 2));
        assertThat(pauses.room(lane).keySet()).containsExactly(names.get(2), names.get(0), names.get(1));

        ticker.addAndGet(Duration.ofHours(1).toNanos());
        pauses.empty(names.get(0));
        pauses.forgetEnded();
        assertThat(pauses.room(lane).keySet())
                .as("those in which commands wait")
                .hasSize(2);
        names.forEach(pauses::empty);
        pauses.forgetEnded();
        assertThat(pauses.any()).isFalse();
    }

    /** Of memory alone. A route may send jobs to a partition that is closed, while the queue is not. */
    @Test
    void whatIsNotTakenOfARouteHoldsBackNoOthersOfTheQueue() {
        ScopedPauses pauses = new ScopedPauses(lane -> HandOverLimits.DEFAULT, ticker::get);
        ClaimedCommand.RouteRow closed = new ClaimedCommand.RouteRow(7, null);
        for (int job = 1; job <= 2; job++) {
            ClaimedCommand c = TestCommands.claimed(job, CommandKind.JOB_START, job, closed);
            pauses.settled(
                    CommandOutcome.Later.absent(c, Duration.ZERO, DRAINED).byFaultOf(Scope.QUEUE));
        }
        assertThat(pauses.paused())
                .extracting(ScopedPauses.Paused::text)
                .containsExactly("queue long for jobs of some routes: " + DRAINED);
        assertThat(pauses.enter(TestCommands.claimed(3, CommandKind.JOB_START, 3, closed)))
                .isNotNull();
        assertThat(pauses.enter(TestCommands.claimed(4, CommandKind.JOB_START, 1)))
                .isNull();
        assertThat(pauses.enter(
                        TestCommands.claimed(5, CommandKind.JOB_START, 1, new ClaimedCommand.RouteRow(8, null))))
                .isNull();
    }

    @Test
    void namesOfLanesAreReadBackAndFitTheirColumn() {
        PauseScope largest =
                new PauseScope(Lane.handOver("slurm"), Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
        PauseScope unrouted = new PauseScope(Lane.handOver("slurm"), 7, 8);
        assertThat(unrouted.name()).isEqualTo("paused 7.8 hand-over slurm");
        assertThat(PauseScope.parse(unrouted.name())).contains(unrouted);
        assertThat(largest.name()).hasSizeLessThanOrEqualTo(PauseScope.LONGEST);
        assertThat(PauseScope.parse(largest.name())).contains(largest);
        assertThat(PauseScope.base(largest.name())).isEqualTo("hand-over slurm");
        assertThat(PauseScope.parse("hand-over slurm")).isEqualTo(Optional.empty());
        assertThat(PauseScope.base("purge")).isEqualTo("purge");
    }
}
