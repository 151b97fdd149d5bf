package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sweep.DeferredPurgeSweeper;
import org.gelato.ce.core.sweep.PurgeQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A session of another process in which nothing comes any more between a statement and the commit, as its host was stopped or is cut off: it
 * costs the owners of the rows that it holds, and of a CE for seconds alone.
 */
class StalledFrontEndTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");
    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** As those of the CE, but shorter. */
    private static final SessionBounds SHORT = new SessionBounds(
            Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofMinutes(1));

    private Connection stalled;
    private Database own;
    private TestCe ce;

    @BeforeEach
    void open() throws SQLException {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        own = new Database(DB.config(), SHORT);
        ce = new TestCe(own, new FakeLrms(), "host1");
        // Without the bounds of a CE, so that it holds its rows to the end of the test.
        DatabaseConfig config = DB.config();
        stalled = DriverManager.getConnection(config.url(), config.user(), config.password());
        stalled.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        stalled.close();
        ce.close();
        own.close();
    }

    private void stallsAfter(String sql) throws SQLException {
        try (Statement statement = stalled.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isOne();
        }
    }

    private void holds(JobId job) throws SQLException {
        stallsAfter("UPDATE job SET attempt = attempt + 1 WHERE id = " + ce.numbers.row(job));
    }

    private JobId running(Caller caller) {
        JobId job = ce.submit(caller);
        own.inTransaction(h -> h.execute("UPDATE job SET state = 4, hand_over = 2, lrms_id = id WHERE state = 1"));
        return job;
    }

    private void awaitState(Caller caller, JobId job, JobState state) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(ce.state(caller, job)).isEqualTo(state));
    }

    @Test
    void theServerEndsATransactionInWhichNothingComes() {
        try (Database other = new Database(DB.config(), SHORT)) {
            assertThatThrownBy(() -> other.inTransaction(h -> {
                        h.execute("UPDATE message_clock SET last = last + 1 WHERE id = 1");
                        await().atMost(LIMIT)
                                .ignoreExceptions()
                                .until(() -> own.inTransaction(mine ->
                                        mine.execute("UPDATE message_clock SET last = last + 1 WHERE id = 1") == 1));
                        return h.execute("UPDATE message_clock SET last = last + 1 WHERE id = 1");
                    }))
                    .satisfies(e -> assertThat(Database.isPassing(e)).isTrue());
        }
    }

    @Test
    void whereTheServerDoesNotEndItTheCeDoes() throws SQLException {
        JobId job = running(ALICE);
        holds(job);
        StalledSessions watched = new StalledSessions(Duration.ofSeconds(1), true);
        await().atMost(LIMIT).until(() -> own.read(watched::end) > 0);
        int changed = own.inTransaction(h -> h.execute("UPDATE job SET attempt = 9 WHERE id = " + ce.numbers.row(job)));
        assertThat(changed).isOne();
        assertThatThrownBy(() -> holds(job)).as("the session").isInstanceOf(SQLException.class);
    }

    @Test
    void everySessionOfACeIsBounded() {
        try (Database working = new Database(DB.config());
                Database reading = Database.reading(DB.config())) {
            for (Database database : List.of(working, reading)) {
                List<String> bounds = database.read(h -> h.createQuery("SHOW SESSION VARIABLES WHERE Variable_name IN"
                                + " ('innodb_lock_wait_timeout', 'lock_wait_timeout', 'wait_timeout', 'net_write_timeout',"
                                + " 'net_read_timeout', 'idle_transaction_timeout')")
                        .map((r, c) -> r.getString(1) + "=" + r.getString(2))
                        .list());
                assertThat(bounds)
                        .hasSizeGreaterThan(4)
                        .allSatisfy(bound -> assertThat(Integer.parseInt(bound.substring(bound.indexOf('=') + 1)))
                                .isBetween(1, 45));
            }
        }
    }

    /** The driver gives it the SQL state of a deadlock, and five times the wait would follow. */
    @Test
    void aLockThatWasWaitedForIsNoDeadlock() throws SQLException {
        JobId job = running(ALICE);
        holds(job);
        int[] tries = {0};
        assertThatThrownBy(() -> own.inTransaction(h -> {
                    tries[0]++;
                    return h.execute("UPDATE job SET attempt = attempt + 1 WHERE id = " + ce.numbers.row(job));
                }))
                .hasStackTraceContaining("Lock wait timeout exceeded")
                .satisfies(e -> assertThat(Database.isPassing(e)).isTrue())
                .satisfies(e -> assertThat(Database.isOfAll(e)).isFalse());
        assertThat(tries[0]).isOne();
        assertThat(own.deadlocks()).isZero();
    }

    /** Bob's job has ended; nobody's message can be stored. */
    @Test
    void noEndOfAJobWaitsForAMessage() throws SQLException {
        JobId job = running(BOB);
        String token = "token=" + TestCe.TOKENS.of(job);
        spool(BOB, "m-1", "job=" + job + "\nevent=MESSAGES\nfirst=1\n" + token + "\n\n1700000000000000 I k hello\n");
        spool(
                BOB,
                "e-1",
                "job=" + job + "\nattempt=1\nevent=DONE\ntime=1700000000000000\nnode=wn1\nexit=0\nmessages=1\n" + token
                        + "\n");
        stallsAfter("UPDATE message_clock SET last = LAST_INSERT_ID(last + 1) WHERE id = 1");
        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
        try {
            ce.spool.start(scheduler, Duration.ofMillis(100));
            awaitState(BOB, job, JobState.DONE_OK);
            stalled.rollback();
            await().atMost(LIMIT).until(() -> ce.messages.stored() == 1);
        } finally {
            scheduler.shutdownNow();
        }
    }

    private void spool(Caller caller, String name, String content) {
        Path home = ce.layout.home(caller.identity().owner(), caller.account());
        ce.accounts.write(ce.layout.events(home).resolve(name), content.getBytes(StandardCharsets.UTF_8));
    }

    /** Alice's waits for longer than the test lasts. */
    @Test
    void aLockedJobHoldsUpTheCallsOfItsOwnUserAlone() throws Exception {
        JobId ofAlice = running(ALICE);
        JobId ofBob = running(BOB);
        holds(ofAlice);
        SessionBounds patient = new SessionBounds(LIMIT, LIMIT, LIMIT, LIMIT.multipliedBy(2));
        try (Database another = new Database(DB.config(), patient);
                TestCe second = new TestCe(another, new FakeLrms(), "host2")) {
            CompletableFuture<?> alice =
                    CompletableFuture.runAsync(() -> second.jobs.commands().kill(ALICE, List.of(ofAlice.toString())));
            await().atMost(LIMIT)
                    .until(() -> DB.database()
                                    .read(h -> h.select("SELECT COUNT(*) FROM information_schema.innodb_trx"
                                                    + " WHERE trx_state = 'LOCK WAIT'")
                                            .mapTo(Integer.class)
                                            .one())
                            > 0);
            second.jobs.commands().kill(BOB, List.of(ofBob.toString()));
            assertThat(alice).isNotDone();
            stalled.rollback();
            alice.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void theOutcomeOfALockedJobHoldsUpNoOther() throws SQLException {
        FakeLrms lrms = ce.lrms;
        lrms.hangs(true);
        ce.start();
        JobId ofAlice = ce.submit(ALICE);
        await().atMost(LIMIT).until(() -> lrms.unanswered().size() == 1);
        holds(ofAlice);
        lrms.hangs(false);
        lrms.unanswered().forEach((s, f) -> f.complete(lrms.accept(s)));
        JobId ofBob = ce.submit(BOB);
        awaitState(BOB, ofBob, JobState.IDLE);
        stalled.rollback();
        awaitState(ALICE, ofAlice, JobState.IDLE);
    }

    @Test
    void noSweepStopsAtALockedJob() throws SQLException {
        JobId ofAlice = ce.submit(ALICE);
        JobId ofBob = ce.submit(BOB);
        for (JobId job : List.of(ofAlice, ofBob)) {
            int row = ce.numbers.row(job);
            own.inTransaction(h -> h.execute(
                            "INSERT INTO lease (owner_id, client_id, expires_at) SELECT owner_id, CONCAT('l', id), '2001-01-01' FROM job"
                                    + " WHERE id = ?",
                            row)
                    + h.execute(
                            "UPDATE job SET lease_id = (SELECT id FROM lease WHERE client_id = CONCAT('l', job.id)) WHERE id = ?",
                            row)
                    + h.execute("DELETE FROM command WHERE job_id = ?", row)
                    + h.execute("INSERT INTO purge_at_end (job_id) VALUES (?)", row));
        }
        holds(ofAlice);
        ce.leaseSweeper(own, Clock.systemUTC(), Duration.ofMinutes(1)).sweep();
        List<Integer> left = own.read(h -> h.select("SELECT id FROM job WHERE past_lease IS NOT NULL")
                .mapTo(Integer.class)
                .list());
        assertThat(left).containsExactly(ce.numbers.row(ofBob));
        PurgeQueue purges = new PurgeQueue(own, ce.jobStore, ce.commands, Clock.systemUTC(), () -> {});
        stalled.rollback();
        own.inTransaction(h -> h.execute("DELETE FROM command") + h.execute("UPDATE job SET state = 7"));
        holds(ofAlice);
        assertThat(new DeferredPurgeSweeper(purges).sweep()).isOne();
        stalled.rollback();
    }

    @Test
    void aPollStoresWhatItSawOfOtherJobs() throws SQLException {
        FakeLrms lrms = ce.lrms;
        ce.start();
        JobId ofAlice = ce.submit(ALICE);
        JobId ofBob = ce.submit(BOB);
        awaitState(ALICE, ofAlice, JobState.IDLE);
        awaitState(BOB, ofBob, JobState.IDLE);
        holds(ofAlice);
        lrms.run(ofAlice.tag(), "wn1");
        lrms.run(ofBob.tag(), "wn2");
        awaitState(BOB, ofBob, JobState.RUNNING);
        stalled.rollback();
        awaitState(ALICE, ofAlice, JobState.RUNNING);
    }
}
