package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.FenceRequest;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.StoredFence;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxClaim;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a backup does not know, the batch system may: numbers are not given again, and jobs are looked up first. */
class RestoredDatabaseTest {
    private static final Caller ALICE = TestCe.caller("Alice");

    private TestDatabase db;
    private FakeLrms lrms;
    private TestCe ce;

    @BeforeEach
    void restore() {
        db = TestDatabase.open();
        lrms = new FakeLrms();
        ce = new TestCe(db.database(), lrms, "h1");
    }

    @AfterEach
    void end() {
        ce.close();
        db.close();
    }

    private RestoredDatabase restored(Clock clock) {
        return new RestoredDatabase(db.database(), clock, "h1", Duration.ofSeconds(3));
    }

    private JobId register() {
        return ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
    }

    private long row(JobId id) {
        return ce.numbers.row(id);
    }

    private long number(String query) {
        return db.database().read(h -> h.select(query).mapTo(Long.class).one());
    }

    private void change(String sql) {
        db.database().inTransaction(h -> h.execute(sql));
    }

    /** Its start and its hand-over came after the backup. */
    private void batchJobOf(JobId id) {
        lrms.show(new LrmsJob("900", id.tag(), LrmsJob.State.QUEUED, null, null, null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRegisteredJobThatWasHandedOverSinceIsFoundWhenItIsStartedAgain(boolean direct) {
        JobId id = register();
        batchJobOf(id);
        restored(Clock.systemUTC()).prepare();
        ce.start();
        if (!direct) {
            ce.direct = DirectClaims.NONE;
        }
        ce.jobs.commands().start(ALICE, JobFilter.ofIds(List.of(id.toString())));
        await().until(() -> ce.state(ALICE, id) == JobState.IDLE);
        assertThat(lrms.submissions()).isEmpty();
    }

    @Test
    void aQueuedJobThatWasHandedOverSinceIsFoundAndOneThatWasNotIsHandedOver() {
        JobId since = ce.submit(ALICE);
        JobId not = ce.submit(ALICE);
        batchJobOf(since);
        assertThat(restored(Clock.systemUTC()).prepare().lookedUp()).isEqualTo(2);
        ce.start();
        await().until(() -> ce.state(ALICE, since) == JobState.IDLE && ce.state(ALICE, not) == JobState.IDLE);
        assertThat(lrms.submissions()).extracting(s -> s.id()).containsExactly(not);
    }

    /** Its start is lost, its wrapper has the claim, and the node of that may be dead: its cancel comes to an end. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRegisteredJobThatAWrapperHasIsFollowedWhenItIsCancelled(boolean shown) {
        JobId id = register();
        int row = ce.numbers.row(id);
        Path sandbox = new SandboxStore(db.database(), ce.numbers, ce.layout)
                .of(List.of(row))
                .get(row)
                .sandbox();
        ce.accounts.write(SandboxClaim.owner(sandbox), "lrmsid=900\n".getBytes(StandardCharsets.UTF_8));
        if (shown) {
            lrms.show(new LrmsJob("900", id.tag(), LrmsJob.State.RUNNING, null, null, "wn1"));
        }
        restored(Clock.systemUTC()).prepare();
        ce.start();
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        await().until(() -> {
            change("UPDATE command SET state = 1, run_after = NULL WHERE run_after IS NOT NULL");
            ce.dispatcher.wake();
            return ce.state(ALICE, id) == JobState.CANCELLED;
        });
        assertThat(lrms.cancels()).isEqualTo(shown ? 1 : 0);
        assertThat(lrms.submissions()).isEmpty();
    }

    /** One that sees no sandbox claims it in the database. */
    @Test
    void aRegisteredJobThatWasHandedOverSinceIsItsWrappersAndAnotherIsNobodys() {
        JobId since = register();
        restored(Clock.systemUTC()).prepare();
        JobId not = register();
        StoredFence fence = new StoredFence(
                db.database(), new JobStore(), ce.numbers, new JobStateMachine(), TestCe.TOKENS, Clock.systemUTC());
        assertThat(fence.claim(new FenceRequest(since, 1, "wn1 7", "wn1", "900", TestCe.TOKENS.of(since))))
                .isEqualTo(StartFence.Verdict.GRANTED);
        assertThat(ce.state(ALICE, since)).isEqualTo(JobState.RUNNING);
        assertThat(fence.claim(new FenceRequest(not, 1, "wn1 7", "wn1", "900", TestCe.TOKENS.of(not))))
                .isNotEqualTo(StartFence.Verdict.GRANTED);
    }

    @Test
    void numbersGoOnBehindThoseThatMayHaveBeenGivenAndFurtherForAnOlderBackup() {
        long before = row(register());
        long event = number("SELECT MAX(id) FROM job_state_history");
        long first = restored(Clock.systemUTC()).prepare().nextJob();
        assertThat(row(register())).isGreaterThanOrEqualTo(first).isGreaterThan(before + 1_000_000);
        assertThat(number("SELECT MAX(id) FROM job_state_history")).isGreaterThan(event + 1_000_000);
        assertThat(number("SELECT last FROM message_clock")).isGreaterThan(1_000_000);

        long last = row(register());
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(10));
        restored(later).prepare();
        assertThat(row(register())).isGreaterThan(last + 10 * 86_400 * 20);
    }

    @Test
    void leasesThatLivedAtTheBackupGetAnHourToBeRenewedIn() {
        ce.leases.set(ALICE, "lives", Instant.now().plusSeconds(600));
        ce.leases.set(ALICE, "ended", Instant.now().plusSeconds(600));
        change("UPDATE lease SET expires_at = UTC_TIMESTAMP(6) - INTERVAL 1 DAY WHERE client_id = 'ended'");
        Instant restart = Instant.now().plus(Duration.ofDays(3));
        assertThat(restored(Clock.fixed(restart, ZoneOffset.UTC)).prepare().leases())
                .isEqualTo(1);
        assertThat(number("SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(6), expires_at) FROM lease"
                        + " WHERE client_id = 'lives'"))
                .isGreaterThan(3 * 24 * 60 + 50);
    }

    @Test
    void aDatabaseInUseIsLeftAlone() {
        ce.start();
        assertThatThrownBy(() -> restored(Clock.systemUTC()).prepare())
                .hasMessageContaining("a CE works with this database, process "
                        + ProcessHandle.current().pid());
        assertThat(number("SELECT COUNT(*) FROM node")).isEqualTo(1);
    }

    /** On this host, when the clock was set since it began: another start is shown of it then. */
    @ParameterizedTest
    @ValueSource(strings = {"h1", "h2"})
    void aNodeThatIsNotSeenToHaveEndedIsAtWorkWhileItBeats(String host) {
        change("DELETE FROM node");
        change("INSERT INTO node (host, pid, started_at, heartbeat_at) VALUES ('" + host + "', 1, UTC_TIMESTAMP(6),"
                + " UTC_TIMESTAMP(6))");
        AtomicBoolean beats = new AtomicBoolean(true);
        CompletableFuture<Void> heart = CompletableFuture.runAsync(() -> {
            while (beats.get()) {
                change("UPDATE node SET heartbeat_at = UTC_TIMESTAMP(6)");
            }
        });
        try {
            assertThatThrownBy(() -> restored(Clock.systemUTC()).prepare())
                    .hasMessageContaining("works with this database");
        } finally {
            beats.set(false);
            heart.join();
        }
        restored(Clock.systemUTC()).prepare();
        assertThat(number("SELECT COUNT(*) FROM node")).isZero();
    }

    @Test
    void saysWhenTheNumbersAreUsedUpAndChangesNothing() {
        change("ALTER TABLE job AUTO_INCREMENT = 999500000");
        assertThatThrownBy(() -> restored(Clock.systemUTC()).prepare())
                .hasMessageContaining("999500000 of 1000000000 job numbers")
                .hasMessageContaining("start with a new database");
        assertThat(row(register())).isEqualTo(999_500_000);
    }
}
