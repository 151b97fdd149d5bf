package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.job.StateReasons;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Why a job waits or is held, from the batch system's listing to whoever asks, by few statements. */
class WaitReasonsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final FakeLrms lrms = new FakeLrms();
    private final List<JobId> ids = new ArrayList<>();
    private Database own;
    private TestCe ce;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        own.inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(own, lrms, "host1");
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
    }

    /** Jobs in the batch system's queue. */
    private void queue(int count) {
        IntStream.range(0, count).forEach(i -> {
            JobId id = ce.submit(ALICE);
            ids.add(id);
            show(id, State.QUEUED, null);
        });
        own.inTransaction(h -> h.execute("UPDATE job SET lrms_id = id, state = 2, hand_over = 2,"
                + " state_since = UTC_TIMESTAMP(6), handed_over_at = UTC_TIMESTAMP(6)"));
        own.inTransaction(h -> h.execute("INSERT INTO job_state_history (job_id, owner_id, state, at)"
                + " SELECT id, owner_id, 2, state_since FROM job"));
    }

    private void show(JobId id, State state, String reason) {
        lrms.show(new LrmsJob(Integer.toString(ce.numbers.row(id)), id.tag(), state, null, reason, null));
    }

    private void showAll(State state, String reason) {
        ids.forEach(id -> show(id, state, reason));
    }

    /** One poll; answers its statements. */
    private long round() throws Exception {
        long before = own.statements();
        ce.poller.round();
        return own.statements() - before;
    }

    private JobStatus status(JobId id) {
        return ce.jobs.queries().status(ALICE, only(id)).get(0).status();
    }

    private static JobFilter only(JobId id) {
        return JobFilter.ofIds(List.of(id.toString()));
    }

    private JobStatus lastOfHistory(JobId id) {
        List<JobStatus> history =
                ce.jobs.queries().info(ALICE, only(id)).get(0).info().history();
        return history.get(history.size() - 1);
    }

    private List<String> ofTimeline(JobId id) {
        return new JobSearch(own, ce.numbers)
                .timeline(id).orElseThrow().states().stream()
                        .map(JobSearch.State::description)
                        .toList();
    }

    private long described(String reason) {
        return own.read(h -> h.select("SELECT COUNT(*) FROM job WHERE description = ?", reason)
                .mapTo(Long.class)
                .one());
    }

    @Test
    void aQueuedJobSaysWhyItWaitsUntilItRuns() throws Exception {
        queue(1);
        JobId id = ids.get(0);
        round();
        assertThat(status(id).description()).isNull();

        show(id, State.QUEUED, "Resources");
        round();
        assertThat(status(id).state()).isEqualTo(JobState.IDLE);
        assertThat(status(id).description()).isEqualTo("fake: Resources");
        assertThat(lastOfHistory(id)).isEqualTo(status(id));
        assertThat(ofTimeline(id)).last().isEqualTo("fake: Resources");

        show(id, State.QUEUED, "Priority");
        round();
        assertThat(status(id).description()).isEqualTo("fake: Priority");

        ce.events.apply(List.of(ce.event(id, Kind.RUNNING, null, null)));
        assertThat(status(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(status(id).description()).isNull();
        round();
        assertThat(status(id).description()).as("a late listing").isNull();
        assertThat(ofTimeline(id)).containsOnlyNulls();
    }

    @Test
    void aHeldJobSaysWhyItIsHeldAndItsRecordKeepsThat() throws Exception {
        queue(1);
        JobId id = ids.get(0);
        show(id, State.QUEUED, "Priority");
        round();
        show(id, State.HELD, "JobHeldAdmin");
        round();
        assertThat(status(id).state()).isEqualTo(JobState.HELD);
        assertThat(status(id).description()).isEqualTo("fake: JobHeldAdmin");

        show(id, State.HELD, "JobHeldUser");
        round();
        assertThat(lastOfHistory(id).description()).isEqualTo("fake: JobHeldUser");

        show(id, State.QUEUED, null);
        round();
        assertThat(status(id).state()).isEqualTo(JobState.IDLE);
        assertThat(status(id).description()).isNull();
        assertThat(ofTimeline(id)).contains("fake: JobHeldAdmin");
    }

    /** What was noted with a state in which no batch system has the job is not a reason to wait. */
    @Test
    void theRecordOfAJobThatIsNotInTheBatchSystemKeepsItsDescription() {
        JobId id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        own.inTransaction(h -> h.execute("UPDATE job_state_history SET description = 'warning'"));
        assertThat(lastOfHistory(id).description()).isEqualTo("warning");
        assertThat(ofTimeline(id)).containsExactly("warning");
    }

    @Test
    void anEndTakesTheReasonAway() throws Exception {
        queue(1);
        JobId id = ids.get(0);
        show(id, State.QUEUED, "Priority");
        round();
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        assertThat(status(id).state()).isEqualTo(JobState.DONE_OK);
        assertThat(status(id).description()).isNull();
    }

    @Test
    void aReasonThatDidNotChangeCostsNoStatement() throws Exception {
        queue(3);
        long first = round();
        long nothing = round();
        showAll(State.QUEUED, "Priority");
        assertThat(round()).isEqualTo(nothing + 1);
        assertThat(round()).isEqualTo(nothing);
        ce.close();
        // What was stored counts, also after a restart and beside another CE.
        ce = new TestCe(own, lrms, "host2");
        assertThat(round()).isEqualTo(first);
        showAll(State.QUEUED, null);
        assertThat(round()).isEqualTo(nothing + 1);
        assertThat(described("fake: Priority")).isZero();
    }

    @Test
    void reasonsThatChangeForManyJobsCostAStatementAPoll() throws Exception {
        int jobs = StateReasons.MAX_JOBS + 100;
        queue(jobs);
        round();
        long nothing = round();
        showAll(State.QUEUED, "Priority");
        assertThat(round()).isEqualTo(nothing + 1);
        assertThat(described("fake: Priority")).isEqualTo(StateReasons.MAX_JOBS);
        // All change again; those that did not come yet are the first.
        showAll(State.QUEUED, "Resources");
        assertThat(round()).isEqualTo(nothing + 1);
        assertThat(described("fake: Resources")).isEqualTo(StateReasons.MAX_JOBS);
        JobId last = ids.get(jobs - 1);
        assertThat(status(last).description()).isEqualTo("fake: Resources");
        assertThat(round()).isEqualTo(nothing + 1);
        assertThat(described("fake: Resources")).isEqualTo(jobs);
        assertThat(round()).isEqualTo(nothing);
    }

    @Test
    void aReasonForEachJobDoesNotMakeAStatementForEach() throws Exception {
        queue(StateReasons.MAX_REASONS + 5);
        round();
        long nothing = round();
        ids.forEach(id -> show(id, State.QUEUED, "Dependency of " + id));
        assertThat(round()).isEqualTo(nothing + 1);
        assertThat(round()).isEqualTo(nothing + 1);
        assertThat(round()).isEqualTo(nothing);
        ids.forEach(id -> assertThat(status(id).description()).isEqualTo("fake: Dependency of " + id));
    }

    @Test
    void hostileWordsAreOneShortLine() throws Exception {
        queue(1);
        JobId id = ids.get(0);
        show(id, State.QUEUED, "\u001b[31m Re\u0000s\r\nour\u202eces\ud83d\ude80 " + "x".repeat(100_000) + "\ud83d");
        long first = round();
        assertThat(status(id).description())
                .startsWith("fake: [31m Re s our ces\ud83d\ude80 xxx")
                .hasSize(WaitReasons.LONGEST);
        assertThat(round()).as("it is the same after it was cut").isLessThan(first);
        show(id, State.QUEUED, "\u0007 \n");
        round();
        assertThat(status(id).description()).isNull();
    }

    @Test
    void aJobThatWentOnMeanwhileKeepsItsState() {
        queue(1);
        int row = ce.numbers.row(ids.get(0));
        own.inTransaction(h -> h.execute("UPDATE job SET state = 3"));
        own.inTransaction(h -> {
            new StateReasons().store(h, Map.of(row, "fake: Priority"));
            return null;
        });
        assertThat(status(ids.get(0)).description()).isNull();
    }
}
