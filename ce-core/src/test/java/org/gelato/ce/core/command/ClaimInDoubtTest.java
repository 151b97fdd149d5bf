package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is done twice, or not known to be done, because the response to a commit was lost. */
class ClaimInDoubtTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Clock CLOCK = Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));

    private TestCe ce;
    private OutcomeStore stored;
    private NodeClaims node;
    private JobId job;

    @BeforeEach
    void aJobToStart() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), new FakeLrms(), "doubt");
        stored = new OutcomeStore(ce.commands.lanes());
        node = new NodeClaims(DB.database(), new NodeStore(), ce.commands, CLOCK, new NodeClaims.Work("doubt", null));
        job = ce.submit(ALICE);
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private ClaimedCommand claim() {
        Instant later = CLOCK.instant().plusSeconds(3600);
        List<ClaimedCommand> all = DB.database()
                .inTransaction(h -> ce.commands
                        .claim(h, node.node(), TestCommands.room(10), later, Duration.ofHours(1))
                        .commands());
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private void putBack(List<CommandOutcome.Later> outcomes) {
        DB.database().inTransaction(h -> {
            stored.retry(h, outcomes, CLOCK.instant());
            return null;
        });
    }

    private int number(String query) {
        return DB.database().read(h -> h.createQuery(query).mapTo(Integer.class).one());
    }

    private int stateOf(ClaimedCommand c) {
        return number("SELECT state FROM command WHERE id = " + c.id());
    }

    /** What the dispatcher does about a claim whose commit had no response. */
    private static List<CommandOutcome.Later> inDoubt(ClaimedCommand c) {
        return List.of(CommandOutcome.Later.undone(c, Duration.ZERO, "its claim may not have been committed"));
    }

    @Test
    void aClaimThatWasCommittedWithoutAResponseIsPutBack() {
        ClaimedCommand lost = claim();
        node.beat();
        assertThat(stateOf(lost)).isEqualTo(2);
        putBack(inDoubt(lost));
        assertThat(stateOf(lost)).isEqualTo(1);
        assertThat(claim().lookUpFirst()).as("nothing was handed over").isFalse();
    }

    /** An earlier hand-over had no clear answer: that it was not looked up yet must not be forgotten. */
    @Test
    void aHandOverThatIsInDoubtStaysSoWhenTheNextClaimIsPutBack() {
        ClaimedCommand unclear = claim();
        putBack(List.of(CommandOutcome.Later.retry(unclear, Duration.ZERO, "no response")));
        ClaimedCommand lost = claim();
        assertThat(lost.lookUpFirst()).isTrue();
        putBack(inDoubt(lost));
        assertThat(claim().lookUpFirst()).isTrue();
    }

    @Test
    void aClaimThatWasNotCommittedIsLeftAsItIs() {
        ClaimedCommand[] rolledBack = new ClaimedCommand[1];
        assertThatThrownBy(() -> DB.database().inTransaction(h -> {
                    rolledBack[0] = ce.commands
                            .claim(
                                    h,
                                    node.node(),
                                    TestCommands.room(10),
                                    CLOCK.instant().plusSeconds(3600),
                                    Duration.ofHours(1))
                            .commands()
                            .get(0);
                    throw new IllegalStateException("before the commit");
                }))
                .hasMessage("before the commit");
        putBack(inDoubt(rolledBack[0]));
        ClaimedCommand next = claim();
        putBack(inDoubt(rolledBack[0])); // another node claimed before this came
        assertThat(stateOf(next)).isEqualTo(2);
    }

    @Test
    void anOutcomeThatIsCommittedTwiceTakesNothingFromTheNextClaim() {
        ClaimedCommand first = claim();
        List<CommandOutcome.Later> absent = List.of(CommandOutcome.Later.absent(first, Duration.ZERO, null));
        putBack(absent);
        ClaimedCommand second = claim();
        assertThat(second.lookUpFirst()).isFalse();
        putBack(absent);
        assertThat(stateOf(second)).isEqualTo(2);
        assertThat(number("SELECT hand_over FROM job WHERE id = " + second.job().id()))
                .isEqualTo(1);
    }

    @Test
    void noSecondCommandOfAJobIsQueuedBesideOneUnderWay() {
        ClaimedCommand start = claim();
        DB.database().inTransaction(h -> {
            ce.commands.insert(
                    h,
                    List.of(new CommandStore.NewCommand(
                            start.job().id(), CommandKind.JOB_PURGE, CommandState.QUEUED, null)),
                    Set.of(start.job().id()),
                    CLOCK.instant());
            stored.finish(h, List.of(), Map.of(), List.of(start.job().id()), CLOCK.instant());
            return null;
        });
        String waiting = "SELECT COUNT(*) FROM command WHERE state = 0 AND job_id = " + ce.numbers.row(job);
        assertThat(number(waiting)).isEqualTo(1);
        DB.database()
                .inTransaction(h -> stored.finish(
                        h, List.of(start), Map.of(), List.of(start.job().id()), CLOCK.instant()));
        assertThat(number(waiting)).isZero();
    }
}
