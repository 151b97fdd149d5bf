package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands of one account that never have a result stop no other account's, in no lane. */
class HungCommandsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice", "alice");
    private static final Caller BOB = TestCe.caller("Bob", "bob");

    private final FakeLrms lrms = new FakeLrms();
    private final AtomicLong ticker = new AtomicLong();
    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), lrms, "h1", HandOverLimits.DEFAULT, ticker::get).start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private List<String> register(Caller caller, int number, boolean started) {
        return ce
                .jobs
                .registration()
                .register(
                        caller,
                        Stream.generate(() -> TestCe.description(started))
                                .limit(number)
                                .toList(),
                        null)
                .stream()
                .map(r -> r.id().toString())
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

    private boolean all(Caller caller, List<String> ids, JobState state) {
        return ce.jobs.queries().status(caller, JobFilter.ofIds(ids)).stream()
                .allMatch(s -> s.status().state() == state);
    }

    private static int jobsOf(String account) {
        return count("job j JOIN account a ON a.id = j.account_id WHERE a.name = '" + account + "'");
    }

    @Test
    void twoHungHandOversDoNotStopTheOthers() {
        lrms.hangs(true);
        register(ALICE, 2, true);
        await().until(() -> lrms.unanswered().size() == 2);
        lrms.hangs(false);
        pass(Duration.ofSeconds(21));
        await().until(() -> ce.throttle.pausedBy() != null);
        List<String> bobs = register(BOB, 5, true);
        pass(Duration.ofSeconds(5));
        await().until(() -> all(BOB, bobs, JobState.IDLE));
        assertThat(ce.throttle.pausedBy()).isNull();
        assertThat(ce.throttle.room()).isEqualTo(ce.throttle.window());
    }

    @Test
    void aHandOverWithoutAResultIsLookedUpInTheEnd() {
        lrms.hangs(true);
        List<String> lost = register(ALICE, 1, true);
        await().until(() -> lrms.unanswered().size() == 1);
        lrms.hangs(false);
        pass(Duration.ofMinutes(31));
        await().until(() -> count("command WHERE failure_reason LIKE 'no result within%'") == 1);
        assertThat(count("job WHERE hand_over = 1")).isEqualTo(1);
        await().until(() -> {
            DB.database().inTransaction(h -> h.execute("UPDATE command SET run_after = NOW(6) WHERE run_after > 0"));
            pass(Duration.ofSeconds(10));
            return all(ALICE, lost, JobState.IDLE);
        });
        assertThat(lrms.lookUps()).isEqualTo(1);
        assertThat(lrms.jobs()).hasSize(1);
    }

    @Test
    void hungPurgesOfOneAccountDoNotStopThoseOfOthers() {
        ce.accounts.hang("alice", true);
        List<String> alices = register(ALICE, 230, false);
        ce.jobs.commands().purge(ALICE, JobFilter.ofIds(alices));
        await().until(() -> ce.dispatcher.inFlight() > 25);
        List<String> bobs = register(BOB, 3, false);
        ce.jobs.commands().purge(BOB, JobFilter.ofIds(bobs));
        pass(Duration.ofSeconds(21));
        await().until(() -> jobsOf("bob") == 0);
        assertThat(jobsOf("alice")).isEqualTo(230);
        assertThat(ce.dispatcher.pauses().paused())
                .extracting(ScopedPauses.Paused::account)
                .containsExactly("alice");

        ce.accounts.hang("alice", false);
        await().until(() -> {
            pass(Duration.ofMinutes(1));
            DB.database().inTransaction(h -> h.execute("UPDATE command SET run_after = NOW(6) WHERE run_after > 0"));
            return jobsOf("alice") == 0;
        });
    }

    @Test
    void hungCancelsOfOneAccountDoNotStopThoseOfOthers() {
        List<String> alices = register(ALICE, 60, true);
        List<String> bobs = register(BOB, 3, true);
        await().until(() -> all(ALICE, alices, JobState.IDLE) && all(BOB, bobs, JobState.IDLE));
        lrms.hangCancels("alice");
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(alices));
        await().until(() -> ce.dispatcher.inFlight() >= 12);
        ce.jobs.commands().cancel(BOB, JobFilter.ofIds(bobs));
        pass(Duration.ofSeconds(21));
        await().until(() -> all(BOB, bobs, JobState.CANCELLED));
        assertThat(all(ALICE, alices, JobState.IDLE)).isTrue();
        assertThat(ce.dispatcher.pauses().paused())
                .extracting(ScopedPauses.Paused::account)
                .containsExactly("alice");
    }
}
