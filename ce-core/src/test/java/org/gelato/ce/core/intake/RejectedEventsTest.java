package org.gelato.ce.core.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageFeed.Scope;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.core.message.MessageLevel;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A report of one job that the database does not take, among reports of others that came with it. */
class RejectedEventsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");

    private TestCe ce;
    private JobId rejected;
    private JobId other;

    @BeforeEach
    void twoRunningJobs() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        rejected = running(ALICE);
        other = running(BOB);
        alter("job ADD CONSTRAINT node_taken CHECK (worker_node <> 'bad')");
        alter("job ADD CONSTRAINT exit_taken CHECK (exit_code <> '66')");
        alter("message ADD CONSTRAINT name_taken CHECK (name <> 'bad')");
    }

    @AfterEach
    void close() {
        alter("job DROP CONSTRAINT node_taken");
        alter("job DROP CONSTRAINT exit_taken");
        alter("message DROP CONSTRAINT name_taken");
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce.close();
    }

    private static void alter(String change) {
        DB.database().inTransaction(h -> h.execute("ALTER TABLE " + change));
    }

    private JobId running(Caller caller) {
        JobId id = ce.submit(caller);
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET state = 2, hand_over = 2, lrms_id = id WHERE id = ?", ce.numbers.row(id)));
        ce.events.apply(List.of(ce.event(id, Kind.RUNNING, null, null)));
        return id;
    }

    private WrapperEvent done(JobId id, String node, int exit) {
        return new WrapperEvent(id, 1, Kind.DONE, Instant.now(), node, exit, null, null, TestCe.TOKENS.of(id));
    }

    private JobStatus status(JobId id) {
        return ce.jobs
                .queries()
                .status(TestCe.admin(), JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .status();
    }

    @Test
    void anEndIsStoredWithoutThePartThatIsRejected() {
        int known = ce.events.apply(List.of(done(rejected, "bad", 0), done(other, "wn1", 0)));
        assertThat(known).isEqualTo(2);
        assertThat(ce.state(BOB, other)).isEqualTo(JobState.DONE_OK);
        assertThat(status(rejected).state()).isEqualTo(JobState.DONE_OK);
        assertThat(status(rejected).exitCode()).isEqualTo("0");
        assertThat(status(rejected).description()).contains("can't be stored", "node_taken");
    }

    @Test
    void aJobWhoseEndIsRejectedEndsWithTheReason() {
        ce.events.apply(List.of(done(other, "wn1", 0), done(rejected, "wn1", 66)));
        assertThat(ce.state(BOB, other)).isEqualTo(JobState.DONE_OK);
        assertThat(status(rejected).state()).isEqualTo(JobState.DONE_FAILED);
        assertThat(status(rejected).failureReason()).contains("can't be stored", "exit_taken");
    }

    private MessageBatch message(JobId job, String name) {
        return new MessageBatch(
                job,
                TestCe.TOKENS.of(job),
                Message.Kind.TEXT,
                1,
                null,
                List.of(new MessageBatch.Line(
                        Instant.now(), MessageLevel.INFO, name, "text".getBytes(StandardCharsets.UTF_8))),
                new byte[0]);
    }

    @Test
    void aMessageThatIsRejectedHoldsUpNoOtherJobs() {
        List<MessageIntake.Response> responses =
                ce.messages.apply(List.of(message(rejected, "bad"), message(other, "good")));
        assertThat(responses)
                .extracting(MessageIntake.Response::result)
                .containsExactly(MessageIntake.Result.REFUSED, MessageIntake.Result.STORED);
        assertThat(ce.messages.refused()).isOne();
        assertThat(ce.feed.after(new Scope.Jobs(Set.of(other)), 0, ce.feed.last(), 10))
                .hasSize(1);
    }
}
