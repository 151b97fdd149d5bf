package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.BatchSystemInstance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two CEs of one database, each with a batch system of its own, as with fork: the one cannot see the other's jobs, and must not end them. */
class OtherBatchSystemTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final TestCe ce = new TestCe(DB.database(), new FakeLrms(), "fe1").in("here");
    private final TestCe other = new TestCe(DB.database(), new FakeLrms(), "fe2").in("elsewhere");

    @BeforeEach
    void empty() {
        DB.database().inTransaction(h -> {
            h.execute("DELETE FROM job");
            h.execute("DELETE FROM node");
            return h.execute("DELETE FROM batch_system");
        });
    }

    @AfterEach
    void close() {
        other.close();
        ce.close();
    }

    private NodeClaims enter(String host, String batchSystem, Clock clock) {
        return new NodeClaims(
                DB.database(),
                new NodeStore(),
                ce.commands,
                clock,
                new NodeClaims.Work(host, new BatchSystemInstance("fake", batchSystem)));
    }

    private static Optional<String> obstacle(String batchSystem) {
        return DB.database().read(new BatchSystemInstance("fake", batchSystem)::obstacle);
    }

    @Test
    void aCeThatDoesNotSeeTheJobsIsRefusedAndEndsNone() {
        ce.start();
        JobId job = ce.submit(ALICE);
        await().until(() -> ce.state(ALICE, job) == JobState.IDLE);
        assertThatThrownBy(other::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("'here'", "1 have not ended", "'elsewhere'", "gelato.lrms.identity");
        assertThat(obstacle("elsewhere").orElseThrow())
                .as("the check says the same")
                .contains("'here'");
        assertThat(obstacle("here")).isEmpty();
        int polls = ce.lrms.polls();
        await().until(() -> ce.lrms.polls() > polls + 3);
        assertThat(ce.state(ALICE, job)).isEqualTo(JobState.IDLE);
        enter("fe3", "here", Clock.systemUTC()).leave();
    }

    @Test
    void withoutJobsTheQueuesAreTheirsWhoWorkWithThem() {
        NodeClaims one = enter("fe1", "here", Clock.systemUTC());
        assertThatThrownBy(() -> enter("fe2", "elsewhere", Clock.systemUTC()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fe1");
        one.leave();
        enter("fe1", "elsewhere", Clock.systemUTC()).leave();
        assertThat(obstacle("here")).as("no job, and no CE").isEmpty();
    }

    @Test
    void nothingIsConcludedByACeThatLostItsStanding() {
        AtomicInteger asked = new AtomicInteger();
        ce.poller.pauseWhile(() -> asked.incrementAndGet() < 4 && ce.lrms.polls() == 0);
        ce.start();
        await().until(() -> ce.lrms.polls() > 0);
        assertThat(asked.get()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void oneThatWasSilentMeanwhileExecutesNothingMore() {
        Clock now = Clock.systemUTC();
        Clock past = Clock.offset(now, Duration.ofMinutes(-5));
        NodeClaims stalled = enter("fe1", "here", past);
        NodeClaims next = enter("fe2", "elsewhere", Clock.tick(now, Duration.ofMillis(1)));
        assertThat(stalled.beat()).isZero();
        assertThat(stalled.lost()).contains("'elsewhere'", "fe2");
        next.leave();
        stalled.beat();
        assertThat(stalled.lost()).isNull();
        stalled.leave();
    }

    /** As Slurm, whose controller was down when the CE started. */
    @Test
    void oneThatLearnsLaterThatTheJobsAreElsewhereExecutesNothingMore() {
        NodeClaims one = enter("fe1", "here", Clock.systemUTC());
        NodeClaims late = new NodeClaims(
                DB.database(), new NodeStore(), ce.commands, Clock.systemUTC(), new NodeClaims.Work("fe2", null));
        late.beat();
        assertThat(late.lost()).isNull();
        AtomicInteger taken = new AtomicInteger();
        late.learnt(new BatchSystemInstance("fake", "elsewhere"), taken::incrementAndGet);
        late.beat();
        assertThat(taken).as("look-ups go on to be held to the other").hasValue(0);
        assertThat(late.lost()).contains("'here'", "fe1", "'elsewhere'");
        one.leave();
        late.beat();
        assertThat(late.lost()).isNull();
        assertThat(taken).hasValue(1);
        assertThat(obstacle("elsewhere")).isEmpty();
        late.leave();
        NodeClaims same = new NodeClaims(
                DB.database(), new NodeStore(), ce.commands, Clock.systemUTC(), new NodeClaims.Work("fe2", null));
        int node = same.node();
        same.learnt(new BatchSystemInstance("fake", "elsewhere"), taken::incrementAndGet);
        same.beat();
        assertThat(same.lost()).isNull();
        assertThat(taken).as("once each").hasValue(2);
        assertThat(same.node()).as("it goes on").isEqualTo(node);
        same.leave();
    }
}
