package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Outcomes of a claim that expired, while another node had the command: what they say of the job may not hold any more. */
class LateOutcomeTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Clock CLOCK = Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));

    private TestCe ce;
    private JobId job;
    private CommandCompleter completer;
    private ClaimedCommand old;
    private ClaimedCommand anew;

    @BeforeEach
    void aStartThatWasClaimedTwice() {
        ce = new TestCe(DB.database(), new FakeLrms(), "late");
        job = ce.submit(ALICE);
        completer = new CommandCompleter(DB.database(), ce.commands, ce.jobStore, ce.machine, CLOCK);
        old = claim();
        DB.database()
                .inTransaction(h -> ce.commands.expireClaims(h, CLOCK.instant().plus(Duration.ofHours(2))));
        anew = claim();
        assertThat(anew.id()).isEqualTo(old.id());
    }

    @AfterEach
    void close() {
        ce.close();
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    private ClaimedCommand claim() {
        NodeClaims node =
                new NodeClaims(DB.database(), new NodeStore(), ce.commands, CLOCK, new NodeClaims.Work("late", null));
        List<ClaimedCommand> all = DB.database()
                .inTransaction(h -> ce.commands
                        .claim(h, node.node(), TestCommands.room(10), CLOCK.instant(), Duration.ofHours(1))
                        .commands());
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private void complete(CommandOutcome outcome) throws InterruptedException {
        completer.accept(outcome);
        completer.runOnce(done -> {}, () -> {});
    }

    private int commandState() {
        return DB.database()
                .read(h -> h.select("SELECT state FROM command WHERE id = ?", old.id())
                        .mapTo(Integer.class)
                        .one());
    }

    private void comesTooLate(Function<ClaimedCommand, CommandOutcome> late) throws InterruptedException {
        complete(late.apply(old));
        assertThat(ce.state(ALICE, job)).isEqualTo(JobState.PENDING);
        assertThat(commandState()).as("of the new claim").isEqualTo(CommandState.PROCESSING.code());
        complete(new CommandOutcome.HandedOver(anew, "17"));
        complete(late.apply(old));
        assertThat(ce.state(ALICE, job)).isEqualTo(JobState.IDLE);
        assertThat(commandState()).isEqualTo(CommandState.SUCCESSFULL.code());
    }

    @Test
    void aLateRefusalAbortsNoJobThatAnotherNodeHandsOver() throws InterruptedException {
        comesTooLate(c -> new CommandOutcome.Refused(c, "no such queue"));
    }

    @Test
    void aLateFailureChangesNothing() throws InterruptedException {
        comesTooLate(c -> new CommandOutcome.Failed(c, "this version does not know it"));
    }

    @Test
    void aLateSuccessChangesNothing() throws InterruptedException {
        comesTooLate(CommandOutcome.Done::new);
    }

    /** A pause or a doubtful commit puts a command back without counting the try. */
    private static CommandOutcome.Later uncounted(ClaimedCommand c) {
        return CommandOutcome.Later.absent(c, Duration.ZERO, "is paused").uncounted();
    }

    private void claimedOnceMore() throws InterruptedException {
        complete(uncounted(anew));
        old = anew;
        anew = claim();
        assertThat(anew.id()).isEqualTo(old.id());
        assertThat(anew.tries()).as("that count").isEqualTo(old.tries());
    }

    @Test
    void aTryThatDidNotCountTakesNoNewerClaimBack() throws InterruptedException {
        claimedOnceMore();
        complete(uncounted(old)); // the response to its commit was lost
        assertThat(commandState()).as("of the new claim").isEqualTo(CommandState.PROCESSING.code());
        int handOver = DB.database()
                .read(h -> h.select("SELECT hand_over FROM job")
                        .mapTo(Integer.class)
                        .one());
        assertThat(handOver).as("the mark of the hand-over under way").isEqualTo(1);
        complete(new CommandOutcome.HandedOver(anew, "17"));
        assertThat(ce.state(ALICE, job)).isEqualTo(JobState.IDLE);
    }

    @Test
    void aLateRefusalAfterATryThatDidNotCountAbortsNoJob() throws InterruptedException {
        claimedOnceMore();
        comesTooLate(c -> new CommandOutcome.Refused(c, "no such queue"));
    }

    @Test
    void aLateIdIsAFactThatCounts() throws InterruptedException {
        complete(new CommandOutcome.HandedOver(old, "17"));
        assertThat(ce.state(ALICE, job)).isEqualTo(JobState.IDLE);
        complete(CommandOutcome.Later.absent(anew, Duration.ZERO, "not found"));
        assertThat(ce.state(ALICE, job)).isEqualTo(JobState.IDLE);
        assertThat(commandState()).isEqualTo(CommandState.SUCCESSFULL.code());
    }
}
