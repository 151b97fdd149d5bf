package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.service.RegisterRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What one plain job costs the database from register to purge, step by step without the threads (docs/developer/design.md
 * section 9).
 */
class JobCostTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    // The budget is 25 and 8; the look-up of the delegation, which this core has not, is the 25th, once in ten seconds.
    private static final int STATEMENTS = 24;
    private static final int COMMITS = 8;
    private static final Clock CLOCK = Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));

    private Database own;
    private TestCe ce;
    private CommandCompleter completer;
    private int node;
    private final Map<String, List<Long>> costs = new LinkedHashMap<>();
    private JobId id;
    private final Deque<ClaimedCommand> claimed = new ArrayDeque<>();

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job") + h.execute("DELETE FROM usage_record"));
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "host1");
        completer = new CommandCompleter(own, ce.commands, ce.jobStore, ce.machine, CLOCK);
        node = own.inTransaction(h -> new NodeStore()
                .register(h, "host1", new NodeStore.Running(1, null, CLOCK.instant()), CLOCK.instant(), false));
        ce.direct = new Idle();
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
    }

    /** A node with room whose commands the test executes. */
    private final class Idle implements DirectClaims {
        @Override
        public Optional<Reservation> reserve(CommandKind kind, int count) {
            return Optional.of(new Reservation() {
                @Override
                public int node() {
                    return node;
                }

                @Override
                public Instant expires() {
                    return CLOCK.instant().plus(NodeClaims.CLAIM);
                }

                @Override
                public void execute(List<ClaimedCommand> commands) {
                    claimed.addAll(commands);
                }

                @Override
                public void doubt(List<ClaimedCommand> commands) {
                    throw new AssertionError("no connection was cut");
                }

                @Override
                public void release() {
                    throw new AssertionError("no transaction failed");
                }
            });
        }
    }

    private ClaimedCommand claim() {
        return claimed.remove();
    }

    private void complete(CommandOutcome outcome) throws InterruptedException {
        completer.accept(outcome);
        completer.runOnce(committed -> {}, () -> {
            throw new AssertionError("no command waited");
        });
    }

    /** What a step costs, and what the steps so far cost. */
    private void step(String name, Step step) throws InterruptedException {
        long statements = own.statements();
        long commits = own.commits();
        step.run();
        costs.put(name, List.of(own.statements() - statements, own.commits() - commits));
    }

    @FunctionalInterface
    private interface Step {
        void run() throws InterruptedException;
    }

    private void event(Kind kind, Integer exit) {
        ce.events.apply(List.of(ce.event(id, kind, exit, null)));
    }

    private void live() throws InterruptedException {
        step(
                "JobRegister",
                () -> id = ce.jobs
                        .registration()
                        .register(ALICE, List.of(TestCe.description(false)), null)
                        .get(0)
                        .id());
        JobFilter it = JobFilter.ofIds(List.of(id.toString()));
        step("JobStart", () -> ce.jobs.commands().start(ALICE, it));
        step("handed over", () -> complete(new CommandOutcome.HandedOver(claim(), "1")));
        step("event running", () -> event(Kind.RUNNING, null));
        step("event really running", () -> event(Kind.REALLY_RUNNING, null));
        step("event done", () -> event(Kind.DONE, 0));
        assertThat(jobsIn(JobState.DONE_OK)).isEqualTo(1);
        step("JobPurge", () -> ce.jobs.commands().purge(ALICE, it));
        step("purged", () -> complete(new CommandOutcome.Purged(claim())));
        assertThat(jobsIn(JobState.DONE_OK)).isZero();
    }

    private static int jobsIn(JobState state) {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM job WHERE state = ?", state.code())
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aJobsLifeKeepsItsBudget() throws InterruptedException {
        live(); // what is read once is known from here on
        long statements = own.statements();
        long commits = own.commits();
        live();
        assertThat(own.statements() - statements).isLessThanOrEqualTo(STATEMENTS);
        assertThat(own.commits() - commits).isLessThanOrEqualTo(COMMITS);
        // docs/developer/performance.md has the sums.
        assertThat(costs)
                .containsExactly(
                        entry("JobRegister", List.of(3L, 1L)),
                        entry("JobStart", List.of(4L, 1L)),
                        entry("handed over", List.of(3L, 1L)),
                        entry("event running", List.of(3L, 1L)),
                        entry("event really running", List.of(3L, 1L)),
                        entry("event done", List.of(4L, 1L)),
                        entry("JobPurge", List.of(3L, 1L)),
                        entry("purged", List.of(1L, 1L)));
    }

    @Test
    void eventsThatComeTogetherAreOneTransaction() throws InterruptedException {
        live();
        id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        ce.jobs.commands().start(ALICE, JobFilter.ofIds(List.of(id.toString())));
        complete(new CommandOutcome.HandedOver(claim(), "1"));
        step(
                "events",
                () -> ce.events.apply(List.of(
                        ce.event(id, Kind.RUNNING, null, null),
                        ce.event(id, Kind.REALLY_RUNNING, null, null),
                        ce.event(id, Kind.DONE, 0, null))));
        assertThat(costs.get("events")).containsExactly(4L, 1L);
        JobInfo info = ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info();
        assertThat(info.history().stream().map(JobStatus::state))
                .containsExactly(
                        JobState.REGISTERED,
                        JobState.PENDING,
                        JobState.IDLE,
                        JobState.RUNNING,
                        JobState.REALLY_RUNNING,
                        JobState.DONE_OK);
        assertThat(info.commands().stream().map(CommandRecord::name)).containsExactly("JOB_REGISTER", "JOB_START");
        assertThat(count("SELECT COUNT(*) FROM usage_record WHERE running_at < ended_at"))
                .isEqualTo(2);
    }

    /** As ARC REST registers: a job starts with its registration. */
    @Test
    void aSubmissionOverArcRestIsFourStatementsHoweverManyJobsItHas() throws InterruptedException {
        live();
        for (int jobs : new int[] {1, 100}) {
            step(
                    "POST of " + jobs,
                    () -> assertThat(ce.jobs
                                    .registration()
                                    .register(
                                            ALICE,
                                            RegisterRequest.arc(
                                                    Collections.nCopies(jobs, TestCe.description(true)), null)))
                            .hasSize(jobs)
                            .allMatch(r -> r.fault() == null));
        }
        // docs/developer/performance.md has the sums.
        assertThat(costs).contains(entry("POST of 1", List.of(4L, 1L)), entry("POST of 100", List.of(4L, 1L)));
    }

    private static int count(String sql) {
        return DB.database().read(h -> h.select(sql).mapTo(Integer.class).one());
    }

    /** A job that changed between its claim and the outcome: the careful way, with the locked row. */
    @Test
    void whatIsNotAsTheClaimLeftItIsReadAgain() throws InterruptedException {
        id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        ce.jobs.commands().start(ALICE, JobFilter.ofIds(List.of(id.toString())));
        event(Kind.RUNNING, null);
        complete(new CommandOutcome.HandedOver(claim(), "77"));
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.RUNNING);
        assertThat(count("SELECT COUNT(*) FROM job WHERE lrms_id = '77' AND hand_over = 2 AND attempt = 1"))
                .isEqualTo(1);
        assertThat(count("SELECT COUNT(*) FROM command WHERE kind = 1 AND state = 3 AND completed_at IS NOT NULL"))
                .isEqualTo(1);
    }
}
