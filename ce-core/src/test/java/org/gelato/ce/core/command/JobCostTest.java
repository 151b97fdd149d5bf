package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.event.WrapperEvent.Kind;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobFilter;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one plain job costs the database from register to purge, step by step without the threads (design section 9). */
class JobCostTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    // As many as before leases, holds and purge policies came; a change that needs more must say why.
    private static final int STATEMENTS = 37;
    private static final int COMMITS = 10;
    private static final Clock CLOCK = Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));

    private Database own;
    private TestCe ce;
    private CommandCompleter completer;
    private int node;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "host1");
        completer = new CommandCompleter(own, ce.jobStore, ce.commands, ce.machine, CLOCK);
        node = own.inTransaction(h -> new NodeStore().register(h, "host1", 1, CLOCK.instant(), CLOCK.instant()));
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
    }

    private ClaimedCommand claim() {
        return own.inTransaction(h -> ce.commands.claim(h, node, TestCe.room(100), CLOCK.instant(), NodeClaims.CLAIM))
                .get(0);
    }

    private void complete(CommandOutcome outcome) throws InterruptedException {
        completer.accept(outcome);
        completer.runOnce(committed -> {});
    }

    private void live() throws InterruptedException {
        JobId id = ce.jobs
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        JobFilter it = JobFilter.ofIds(List.of(id.toString()));
        ce.jobs.start(ALICE, it);
        complete(new CommandOutcome.HandedOver(claim(), "1"));
        ce.events.apply(List.of(ce.event(id, Kind.RUNNING, null, null)));
        ce.events.apply(List.of(ce.event(id, Kind.REALLY_RUNNING, null, null)));
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        assertThat(jobsIn(JobState.DONE_OK)).isEqualTo(1);
        ce.jobs.purge(ALICE, it);
        complete(new CommandOutcome.Purged(claim()));
        assertThat(jobsIn(JobState.DONE_OK)).isZero();
    }

    private static int jobsIn(JobState state) {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM job WHERE state = ?", state.code())
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aJobsLifeTakesNoMoreStatementsAndCommitsThanItDid() throws InterruptedException {
        live(); // what is read once is known from here on
        long statements = own.statements();
        long commits = own.commits();
        live();
        assertThat(own.statements() - statements).isLessThanOrEqualTo(STATEMENTS);
        assertThat(own.commits() - commits).isLessThanOrEqualTo(COMMITS);
    }
}
